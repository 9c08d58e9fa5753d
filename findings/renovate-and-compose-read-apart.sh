#!/usr/bin/env bash
# Tool:     Renovate 44.121.2 (npm, with Node 24.22.3 of npm) and docker compose 2.26.1 (Debian 13: docker-compose 2.26.1-4)
# Expected: of a compose file that docker compose reads, Renovate's docker-compose manager finds the images that it names.
# Seen:     it finds them in block style only: of services in flow style, and of a file with two documents, which docker
#           compose merges, it finds none. Of a value behind !reset, which docker compose does not read, it finds one, and
#           would move it. Renovate says nothing of any of them.
#
#           block: compose app:1.0.0, Renovate app:1.0.0
#           documents: compose app:2.0.0, Renovate none
#           flow: compose app:1.0.0, Renovate none
#           reset: compose none, Renovate app:1.0.0
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source-path=SCRIPTDIR source=support/node.sh
. "$here/support/node.sh"
# shellcheck source-path=SCRIPTDIR source=support/compose.sh
. "$here/support/compose.sh"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

if ! { install_nodes node24 && npm install --silent --no-audit --no-fund --ignore-scripts --prefix . renovate@44.121.2 &&
  install_compose; }; then
  echo 'cannot tell: the packages could not be had' >&2
  exit 2
fi

mkdir home app
printf '%s\n' 'services:' '  app:' '    image: app:1.0.0' > app/compose-block.yaml
printf '%s\n' 'services:' '  app: { image: "app:1.0.0" }' > app/compose-flow.yaml
printf '%s\n' 'services:' '  app:' '    image: app:1.0.0' --- 'services:' '  app:' '    image: app:2.0.0' \
  > app/compose-documents.yaml
# It takes the name of what another file builds.
printf '%s\n' 'services:' '  app:' '    build: .' '    image: app:built' > app/compose-built.yaml
printf '%s\n' 'services:' '  app:' '    image: !reset app:1.0.0' > app/compose-reset.yaml
git -C app init --quiet
git -C app add .

export HOME="$folder/home"
(
  cd app
  LOG_LEVEL=debug LOG_FORMAT=json RENOVATE_PLATFORM=local RENOVATE_DRY_RUN=extract \
    ../node_modules/node24/bin/node ../node_modules/renovate/dist/renovate.js > ../log
)
cat > found.cjs <<'NODE'
const lines = require('node:fs').readFileSync('log', 'utf8').split('\n').filter((line) => line.startsWith('{'));
const files = lines.map((line) => JSON.parse(line).packageFiles?.['docker-compose']).find((found) => found !== undefined);
const file = files?.find(({ packageFile }) => packageFile === `compose-${process.argv[2]}.yaml`);
console.log(file?.deps.map(({ depName, currentValue }) => `${depName}:${currentValue}`).join(' ') || 'none');
NODE
saw=$(for name in block documents flow reset; do
  files=(--file "app/compose-$name.yaml")
  if [ "$name" = reset ]; then files=(--file app/compose-built.yaml "${files[@]}"); fi
  images=$(./compose "${files[@]}" config | sed -n 's/^ *image: //p')
  echo "$name: compose ${images:-none}, Renovate $(node found.cjs "$name")"
done)

printf '%s\n' "$saw"
[ "$saw" = 'block: compose app:1.0.0, Renovate app:1.0.0
documents: compose app:2.0.0, Renovate none
flow: compose app:1.0.0, Renovate none
reset: compose none, Renovate app:1.0.0' ] || {
  echo 'CHANGED: this is not what was seen before' >&2
  exit 1
}
