#!/usr/bin/env bash
# Tool:     Bun 1.4.5 (npm: @oven/bun-linux-*); Node 24.22.3 beside it
# Expected: a process with nothing left to do ends.
# Seen:     after a connection to a name that has no address, Bun says ENOTFOUND at once, and the process lives on for a
#           second. A connection that is refused keeps nothing.
#
#           v24.22.3: ENOTFOUND, ended within half a second; ECONNREFUSED, ended within half a second
#           bun 1.4.5: ENOTFOUND, ended later; ECONNREFUSED, ended within half a second
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source-path=SCRIPTDIR source=support/node.sh
. "$here/support/node.sh"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

if ! install_nodes node24 || ! install_bun; then
  echo 'cannot tell: the packages could not be had' >&2
  exit 2
fi

cat > connect.cjs <<'NODE'
const { connect } = require('node:net');
const { writeSync } = require('node:fs');

let failedAt;
connect(Number(process.argv[3]), process.argv[2]).on('error', ({ code }) => {
  failedAt = performance.now();
  process.on('exit', () => {
    const isSoon = performance.now() - failedAt < 500;
    writeSync(1, `${code}, ended ${isSoon ? 'within half a second' : 'later'}\n`);
  });
});
NODE
saw=$(for runtime in node_modules/node24/bin/node node_modules/bun/bin/bun; do
  name=$("$runtime" -p 'process.versions.bun ? "bun " + process.versions.bun : process.version')
  echo "$name: $("$runtime" connect.cjs name.invalid 80); $("$runtime" connect.cjs 127.0.0.1 1)"
done)

printf '%s\n' "$saw"
[ "$saw" = 'v24.22.3: ENOTFOUND, ended within half a second; ECONNREFUSED, ended within half a second
bun 1.4.5: ENOTFOUND, ended later; ECONNREFUSED, ended within half a second' ] || {
  echo 'CHANGED: this is not what was seen before' >&2
  exit 1
}
