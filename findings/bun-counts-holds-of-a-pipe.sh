#!/usr/bin/env bash
# Tool:     Bun 1.4.5 (npm: @oven/bun-linux-*), whose child processes stand for Node's; Node 24.22.3 beside it
# Expected: `ref` and `unref` of a child's standard output are a switch, as in Node: however often it is held, letting it
#           go once lets the program end.
# Seen:     Bun counts, and a pipe begins as held: after a `ref` too many one `unref` is not enough, and the program lives
#           on until the child ends. Let go first and held then, it is in turns, in both.
#
#           v24.22.3: unref ends, ref and unref ends, unref, ref and unref ends
#           bun 1.4.5: unref ends, ref and unref lives on, unref, ref and unref ends
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

# A child that answers one line and waits for the next; after its answer there is nothing left to do.
cat > hold.cjs <<'NODE'
const { spawn } = require('node:child_process');

const child = spawn('cat', { stdio: ['pipe', 'pipe', 'ignore'] });
const pipes = [child, child.stdin, child.stdout].filter((one) => 'ref' in one);
const calls = process.argv.slice(2);
for (const call of calls.slice(0, -1)) for (const pipe of pipes) pipe[call]();
child.stdout.once('data', () => {
  for (const pipe of pipes) pipe[calls.at(-1)]();
  setTimeout(() => {
    process.exitCode = 9;
    child.kill();
  }, 3000).unref();
});
child.stdin.write('a line\n');
NODE

saw=
for runtime in node_modules/node24/bin/node node_modules/bun/bin/bun; do
  # shellcheck disable=SC2016 # the quotes of JavaScript
  line=$("$runtime" -p 'process.versions.bun === undefined ? process.version : `bun ${process.versions.bun}`'):
  for calls in 'unref' 'ref unref' 'unref ref unref'; do
    ends=ends
    # shellcheck disable=SC2086 # the calls are words
    "$runtime" hold.cjs $calls || ends='lives on'
    case $calls in 'ref unref') name='ref and unref' ;; 'unref') name=unref ;; *) name='unref, ref and unref' ;; esac
    line="$line $name $ends,"
  done
  saw="$saw${line%,}
"
done

printf '%s' "$saw"
[ "$saw" = 'v24.22.3: unref ends, ref and unref ends, unref, ref and unref ends
bun 1.4.5: unref ends, ref and unref lives on, unref, ref and unref ends
' ] || {
  echo 'CHANGED: this is not what was seen before' >&2
  exit 1
}
