#!/usr/bin/env bash
# Tool:     Node 24.22.3 (npm: node-linux-*), with NODE_USE_ENV_PROXY=1
# Expected: fetch and http of one Node read NO_PROXY alike, and a range in the form of most tools (10.0.0.0/8) is one.
# Seen:     http takes a range with a dash and asks the proxy for nothing in it; fetch does not know it, and goes through
#           the proxy. A range with a slash is known to neither, and nothing is said of it.
#
#           127.0.0.1: fetch asks the server, http the server
#           127.0.0.1-127.0.0.9: fetch asks the proxy, http the server
#           127.0.0.0/8: fetch asks the proxy, http the proxy
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source-path=SCRIPTDIR source=support/node.sh
. "$here/support/node.sh"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

if ! install_nodes node24; then
  echo 'cannot tell: the packages could not be had' >&2
  exit 2
fi

cat > ask.cjs <<'NODE'
const { execFile } = require('node:child_process');
const http = require('node:http');

const listen = (answer) =>
  new Promise((done) => {
    const server = http.createServer((_, response) => response.end(answer));
    server.listen(0, '127.0.0.1', () => done(server));
  });
const ask = `
  const url = process.argv[1];
  const byHttp = new Promise((done) =>
    require('node:http').get(url, (response) => response.on('data', (text) => done(String(text)))));
  Promise.all([fetch(url).then((response) => response.text()), byHttp]).then(([byFetch, other]) => {
    console.log('fetch asks the ' + byFetch + ', http the ' + other);
    process.exit();
  });`;

(async () => {
  const [proxy, server] = [await listen('proxy'), await listen('server')];
  // A tunnel through the proxy ends in it.
  proxy.on('connect', (_, socket) => {
    socket.write('HTTP/1.1 200 OK\r\n\r\n');
    proxy.emit('connection', socket);
  });
  for (const NO_PROXY of ['127.0.0.1', '127.0.0.1-127.0.0.9', '127.0.0.0/8']) {
    const env = { NODE_USE_ENV_PROXY: '1', HTTP_PROXY: `http://127.0.0.1:${proxy.address().port}`, NO_PROXY };
    const url = `http://127.0.0.1:${server.address().port}/`;
    const saw = await new Promise((done) => execFile(process.execPath, ['-e', ask, url], { env }, (_, text) => done(text)));
    console.log(`${NO_PROXY}: ${saw.trim()}`);
  }
  process.exit();
})();
NODE
saw=$(node_modules/node24/bin/node ask.cjs)

printf '%s\n' "$saw"
[ "$saw" = '127.0.0.1: fetch asks the server, http the server
127.0.0.1-127.0.0.9: fetch asks the proxy, http the server
127.0.0.0/8: fetch asks the proxy, http the proxy' ] || {
  echo 'CHANGED: this is not what was seen before' >&2
  exit 1
}
