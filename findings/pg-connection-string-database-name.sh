#!/usr/bin/env bash
# Tool:     pg-connection-string 2.14.1 (npm), with which pg reads the URL of a database
# Expected: what is percent-encoded in a URL is decoded alike in each of its parts, as libpq does: user, password and the
#           name of the database.
# Seen:     user and password are decoded. In the name of the database %20 and %25 are, and %23, %2F, %3F and %40 stay as
#           they are written: pg then asks for a database of another name than psql does, by the same URL.
#
#           user: a/b@c#d?e f%g
#           password: a/b@c#d?e f%g
#           database: a%2Fb%40c%23d%3Fe f%g
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

if ! npm install --silent --no-audit --no-fund --ignore-scripts --prefix . pg-connection-string@2.14.1; then
  echo 'cannot tell: the package could not be had' >&2
  exit 2
fi

cat > parts.cjs <<'NODE'
const { parse } = require('pg-connection-string');

const name = encodeURIComponent('a/b@c#d?e f%g');
const { user, password, database } = parse(`postgresql://${name}:${name}@localhost/${name}`);
console.log(`user: ${user}\npassword: ${password}\ndatabase: ${database}`);
NODE
saw=$(node parts.cjs)

printf '%s\n' "$saw"
[ "$saw" = "\
user: a/b@c#d?e f%g
password: a/b@c#d?e f%g
database: a%2Fb%40c%23d%3Fe f%g" ] || {
  echo 'CHANGED: this is not what was seen before' >&2
  exit 1
}
