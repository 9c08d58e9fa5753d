#!/usr/bin/env bash
# Tool:     Node 22.23.5, 24.22.3 and 26.12.1 (npm: node-linux-*), its module.enableCompileCache
# Expected: the cache keeps the code of the functions that ran, so that the next start compiles none of them.
# Seen:     it keeps what was compiled when the file had been loaded, before anything of it ran. V8 leaves out a function
#           until it is called: each start compiles it anew, however often it has run. In parentheses, which change
#           nothing else, it is compiled with the file, and is kept.
#
#           as written: compiled at start 1 2 3
#           in parentheses: compiled at start 1
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source-path=SCRIPTDIR source=support/node.sh
. "$here/support/node.sh"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

nodes=(node22 node24 node26)
if ! install_nodes "${nodes[@]}"; then
  echo 'cannot tell: the packages could not be had' >&2
  exit 2
fi

echo 'const called = function called() { return process.version; }; exports.run = called;' > written.cjs
echo 'const called = (function called() { return process.version; }); exports.run = called;' > parentheses.cjs
echo "require('node:module').enableCompileCache(process.argv[2]); require(process.argv[3]).run();" > main.cjs

# Says at which of three starts V8 compiles the function of a file that is called.
compiled() {
  local start starts=()
  for start in 1 2 3; do
    "$1" --log-function-events --no-logfile-per-isolate --logfile=log main.cjs "$PWD/cache/$1/$2" "./$2.cjs"
    if grep -q '^function,full-parse,.*,called$' log; then starts+=("$start"); fi
    rm log
  done
  echo "compiled at start ${starts[*]:-none}"
}
saw=$(for node in "${nodes[@]}"; do
  echo "as written: $(compiled "node_modules/$node/bin/node" written)"
  echo "in parentheses: $(compiled "node_modules/$node/bin/node" parentheses)"
done)

printf '%s\n' "$saw"
seen='as written: compiled at start 1 2 3
in parentheses: compiled at start 1'
[ "$saw" = "$seen
$seen
$seen" ] || {
  echo 'CHANGED: this is not what was seen before' >&2
  exit 1
}
