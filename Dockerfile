# The image of lightspan: the single executable, the libraries it is linked with, and the certificates of the machine
# that built it. No shell, no package manager, no other program. Before `docker build`:
#   npm ci && npm run build -- executable && npm run build -- container
FROM scratch

ARG VERSION=development
ARG REVISION=unknown
ARG SOURCE=
LABEL org.opencontainers.image.title="lightspan" \
      org.opencontainers.image.description="Upgrade decisions for self-hosted Lightdash, from its public release-safety index." \
      org.opencontainers.image.licenses="MIT" \
      org.opencontainers.image.version="$VERSION" \
      org.opencontainers.image.revision="$REVISION" \
      org.opencontainers.image.source="$SOURCE"

COPY build/container/ /
COPY --chown=65532:65532 build/container-user/ /

# The runtime trusts the certificates that it was built with, and those named here: mount your own bundle over the file.
ENV NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt \
    LIGHTSPAN_CACHE_DIR=/cache

# Only /cache is written, and a volume may be mounted there: the root file system may be read-only.
USER 65532:65532
WORKDIR /work
ENTRYPOINT ["/usr/local/bin/lightspan"]
