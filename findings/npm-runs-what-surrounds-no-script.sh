#!/usr/bin/env bash
# Tool:     npm 10.9.4 and 11.6.2 (npm), with a package that has a single script
# Expected: a script with pre or post in its name runs with the script that it is named for. Without that one it is dead.
# Seen:     npm ci and npm install run preprepare and postprepare of a package that has no prepare, and npm pack runs
#           neither, though it would run prepare. So what npm ci builds may be missing from what is packed.
#
#           preprepare alone: npm ci runs it; npm pack does not; npm run prepare does not
#           postprepare alone: npm ci runs it; npm pack does not; npm run prepare does not
#           prepare alone: npm ci runs it; npm pack runs it; npm run prepare runs it
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

if ! npm install --silent --no-audit --no-fund --ignore-scripts --prefix . npm10@npm:npm@10.9.4 npm11@npm:npm@11.6.2; then
  echo 'cannot tell: the packages could not be had' >&2
  exit 2
fi

# Says whether a command of an npm runs the only script of the package in the folder.
runs() {
  rm -f app/ran
  (cd app && node "../node_modules/$1/bin/npm-cli.js" "${@:2}" --offline --silent > /dev/null 2>&1) || true
  if [ -e app/ran ]; then echo 'runs it'; else echo 'does not'; fi
}
saw=$(for npm in npm10 npm11; do
  for script in preprepare postprepare prepare; do
    rm -rf app && mkdir app
    echo "{ \"name\": \"app\", \"version\": \"1.0.0\", \"scripts\": { \"$script\": \"echo > ran\" } }" > app/package.json
    echo '{ "name": "app", "version": "1.0.0", "lockfileVersion": 3, "packages": { "": { "version": "1.0.0" } } }' \
      > app/package-lock.json
    echo "$script alone: npm ci $(runs "$npm" ci); npm pack $(runs "$npm" pack);" \
      "npm run prepare $(runs "$npm" run prepare)"
  done
done)

printf '%s\n' "$saw"
seen='preprepare alone: npm ci runs it; npm pack does not; npm run prepare does not
postprepare alone: npm ci runs it; npm pack does not; npm run prepare does not
prepare alone: npm ci runs it; npm pack runs it; npm run prepare runs it'
[ "$saw" = "$seen
$seen" ] || {
  echo 'CHANGED: this is not what was seen before' >&2
  exit 1
}
