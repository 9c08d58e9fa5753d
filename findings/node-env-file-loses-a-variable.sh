#!/usr/bin/env bash
# Tool:     Node 20.20.2, 22.23.5, 24.22.3 and 26.12.1 (npm: node-linux-*), which reads .env files with --env-file and
#           util.parseEnv
# Expected: each line of NAME=value sets that variable. What the line before it is changes nothing.
# Seen:     from Node 22 on, a line whose value is empty but for a space takes the next line for its value: A is then
#           "B=2", and B is not set. Node 20 reads that, and takes a name alone, which docker compose fills in from the
#           shell, together with the next line for one name. Nothing is said of either.
#
#           v20.20.2: "A=" {"A":"","B":"2"}; "A= " {"A":"","B":"2"}; "A" {"A\nB":"2"}
#           v22.23.5: "A=" {"A":"","B":"2"}; "A= " {"A":"B=2"}; "A" {"B":"2"}
#           v24.22.3: "A=" {"A":"","B":"2"}; "A= " {"A":"B=2"}; "A" {"B":"2"}
#           v26.12.1: "A=" {"A":"","B":"2"}; "A= " {"A":"B=2"}; "A" {"B":"2"}
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source-path=SCRIPTDIR source=support/node.sh
. "$here/support/node.sh"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

nodes=(node20 node22 node24 node26)
if ! install_nodes "${nodes[@]}"; then
  echo 'cannot tell: the packages could not be had' >&2
  exit 2
fi

cat > read.cjs <<'NODE'
const { parseEnv } = require('node:util');

const seen = ['A=', 'A= ', 'A'].map((line) => `"${line}" ${JSON.stringify(parseEnv(`${line}\nB=2\n`))}`);
console.log(`${process.version}: ${seen.join('; ')}`);
NODE
saw=$(for node in "${nodes[@]}"; do "node_modules/$node/bin/node" read.cjs; done)
printf 'A= \nB=2\n' > .env
by_option=$(env -u B node_modules/node24/bin/node --env-file=.env -p 'process.env.B')

printf '%s\n' "$saw"
[ "$saw; --env-file: $by_option" = 'v20.20.2: "A=" {"A":"","B":"2"}; "A= " {"A":"","B":"2"}; "A" {"A\nB":"2"}
v22.23.5: "A=" {"A":"","B":"2"}; "A= " {"A":"B=2"}; "A" {"B":"2"}
v24.22.3: "A=" {"A":"","B":"2"}; "A= " {"A":"B=2"}; "A" {"B":"2"}
v26.12.1: "A=" {"A":"","B":"2"}; "A= " {"A":"B=2"}; "A" {"B":"2"}; --env-file: undefined' ] || {
  echo 'CHANGED: this is not what was seen before' >&2
  exit 1
}
