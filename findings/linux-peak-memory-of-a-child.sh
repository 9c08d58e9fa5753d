#!/usr/bin/env bash
# Tool:     Node 20.20.2 and 24.22.3 on Linux (npm: node-linux-*), which start one of themselves
# Expected: process.resourceUsage().maxRSS, the ru_maxrss of the kernel, is the most memory that a process itself held.
# Seen:     a new process begins with what its parent held when it was started, though it runs another program since:
#           Linux keeps the peak over exec. A child of a process with 500 MB says 500 MB, whatever it does; VmHWM of
#           /proc/self/status is its own. A shell that starts it as a child of its own, between the two, makes both alike.
#
#           of a parent with 500 MB: maxRSS at least 500 MB, VmHWM less than 100 MB
#           by a shell in between: maxRSS less than 100 MB, VmHWM less than 100 MB
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source-path=SCRIPTDIR source=support/node.sh
. "$here/support/node.sh"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

if ! install_nodes node20 node24; then
  echo 'cannot tell: the packages could not be had' >&2
  exit 2
fi

cat > child.cjs <<'NODE'
const [, own] = /VmHWM:\s+(\d+) kB/.exec(require('node:fs').readFileSync('/proc/self/status', 'utf8'));
const megabytes = (kilobytes) => {
  if (kilobytes < 100 * 1024) return 'less than 100 MB';
  return kilobytes >= 500 * 1024 ? 'at least 500 MB' : `${kilobytes} kB`;
};
console.log(`maxRSS ${megabytes(process.resourceUsage().maxRSS)}, VmHWM ${megabytes(Number(own))}`);
NODE
cat > parent.cjs <<'NODE'
const { spawnSync } = require('node:child_process');

const held = Buffer.alloc(500 * 1024 * 1024, 1);
const outputOf = (program, ...args) => spawnSync(program, args, { encoding: 'utf8' }).stdout.trim();
console.log(`of a parent with 500 MB: ${outputOf(process.execPath, 'child.cjs')}`);
console.log(`by a shell in between: ${outputOf('sh', '-c', `"$0" child.cjs; true`, process.execPath)}`);
// It is held until here.
process.exitCode = held[0] - 1;
NODE
saw=$(for node in node20 node24; do "node_modules/$node/bin/node" parent.cjs; done)

printf '%s\n' "$saw"
seen='of a parent with 500 MB: maxRSS at least 500 MB, VmHWM less than 100 MB
by a shell in between: maxRSS less than 100 MB, VmHWM less than 100 MB'
[ "$saw" = "$seen
$seen" ] || {
  echo 'CHANGED: this is not what was seen before' >&2
  exit 1
}
