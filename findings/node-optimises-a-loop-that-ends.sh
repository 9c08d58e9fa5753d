#!/usr/bin/env bash
# Tool:     Node 24.22.3 and 26.12.1 (npm: node-linux-*), that is V8; not Node 22, which has no Maglev and counts otherwise
# Expected: code that runs once is not worth a second compiler: V8 optimises what is called again and again.
# Seen:     a function that is called once is handed to TurboFan, on another thread, as soon as its loop has gone round
#           some thousand times. For a loop of 2 ms that thread works longer than the loop, and loads 5 MiB of compiler
#           beside it; a short program ends before it has gained anything. The same loop, left after each hundred rounds
#           and entered again, gets no more than Maglev, which takes a few tenths of a millisecond.
#
#           one call of 3600 rounds: TurboFan
#           36 calls of 100 rounds: no TurboFan
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source-path=SCRIPTDIR source=support/node.sh
. "$here/support/node.sh"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

nodes=(node24 node26)
if ! install_nodes "${nodes[@]}"; then
  echo 'cannot tell: the packages could not be had' >&2
  exit 2
fi

cat > main.cjs << 'PROGRAM'
const text = Array.from({ length: 5000 }, (_, i) => `"1.${1000 + i}.0",`).join('');
const entry = /"\d+\.\d+\.\d+",/y;
let matched = 0;
function matchEntries(most) {
  for (let i = 0; i < most && entry.test(text); i++) matched++;
}
while (matched < 3600) matchEntries(Number(process.argv[2]));
PROGRAM

# When the other thread begins depends on how busy the machine is: whether one of twenty starts hands the loop over.
optimised() {
  for _ in {1..20}; do
    "$1" --trace-opt main.cjs "$2" > log
    if grep -q 'compiling method.*matchEntries.*TURBOFAN' log; then
      echo TurboFan
      return
    fi
  done
  echo 'no TurboFan'
}
saw=$(for node in "${nodes[@]}"; do
  echo "one call of 3600 rounds: $(optimised "node_modules/$node/bin/node" 3600)"
  echo "36 calls of 100 rounds: $(optimised "node_modules/$node/bin/node" 100)"
done)

printf '%s\n' "$saw"
seen='one call of 3600 rounds: TurboFan
36 calls of 100 rounds: no TurboFan'
[ "$saw" = "$seen
$seen" ] || {
  echo 'CHANGED: this is not what was seen before' >&2
  exit 1
}
