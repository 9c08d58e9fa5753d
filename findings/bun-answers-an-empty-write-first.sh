#!/usr/bin/env bash
# Tool:     Bun 1.4.5 (npm: @oven/bun-linux-*), whose process.stdout stands for Node's; Node 24.22.3 beside it
# Expected: writes are accepted in their order, so the callback of an empty last write tells that all was written, or why
#           it was not, as in Node.
# Seen:     Bun calls back for the empty write first, and without an error, before the write ahead of it has failed: a
#           program that waits for it takes a full disk for an answer that was written.
#
#           v24.22.3: text ENOSPC, empty ENOSPC
#           bun 1.4.5: empty none, text ENOSPC
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

cat > write.cjs <<'NODE'
const { writeSync } = require('node:fs');

const seen = [];
const note = (name) => (error) => seen.push(`${name} ${error?.code ?? 'none'}`);
process.stdout.on('error', () => {});
process.stdout.write('text\n', note('text'));
process.stdout.write('', note('empty'));
const runtime = process.versions.bun === undefined ? process.version : `bun ${process.versions.bun}`;
process.on('exit', () => writeSync(2, `${runtime}: ${seen.join(', ')}\n`));
NODE
saw=$(for runtime in node_modules/node24/bin/node node_modules/bun/bin/bun; do "$runtime" write.cjs 2>&1 >/dev/full; done)

printf '%s\n' "$saw"
[ "$saw" = 'v24.22.3: text ENOSPC, empty ENOSPC
bun 1.4.5: empty none, text ENOSPC' ] || {
  echo 'CHANGED: this is not what was seen before' >&2
  exit 1
}
