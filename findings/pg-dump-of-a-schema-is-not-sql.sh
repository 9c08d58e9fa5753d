#!/usr/bin/env bash
# Tool:     pg_dump, pg_restore and psql 15 (Debian 12: postgresql-client-15 and libpq5, 15.20-0+deb12u1), pg@8.22.0 (npm), on
#           PostgreSQL 15.18 (npm: @embedded-postgres)
# Expected: a plain dump without rows is SQL alone, as one with --inserts is: a driver runs it, as tests and first
#           migrations do with a schema.sql, and a schema that has not changed has the same dump, which is kept in git.
# Seen:     since a minor release of each major in 2025, it begins with \restrict and ends with \unrestrict, which only psql
#           reads, and only from a file or a pipe. A new word stands behind them each time, also where pg_restore
#           prints one archive twice. --restrict-key=WORD makes dumps alike, and SQL of none.
#
#           schema: psql --file 0, psql --command 1, pg refuses: syntax error at or near "\"; dumped twice: differs
#           inserts: psql --file 0, psql --command 1, pg refuses: syntax error at or near "\"; dumped twice: differs
#           archive: psql --file 0, psql --command 1, pg refuses: syntax error at or near "\"; dumped twice: differs
#           schema with a key: psql --file 0, psql --command 1, pg refuses: syntax error at or near "\"; dumped twice: same
#           schema without the two lines: psql --file 0, psql --command 0, pg runs it; dumped twice: same
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source-path=SCRIPTDIR source=support/postgres.sh
. "$here/support/postgres.sh"
folder=$(mktemp -d)
trap 'stop_postgres; rm -rf "$folder"' EXIT
cd "$folder"

if ! npm install --silent --no-audit --no-fund --ignore-scripts --prefix . "$(embedded_postgres)" pg@8.22.0 ||
  ! apt-get download -qq postgresql-client-15=15.20-0+deb12u1 libpq5=15.20-0+deb12u1 2> apt.err ||
  ! for package in ./*.deb; do dpkg-deb --extract "$package" debian; done ||
  ! start_postgres "$folder"; then
  cat apt.err >&2 || true
  echo 'cannot tell: the packages could not be had, or the server does not start' >&2
  exit 2
fi
export PATH="$folder/debian/usr/lib/postgresql/15/bin:$PATH"
libraries=("$folder"/debian/usr/lib/*-linux-gnu*)
export LD_LIBRARY_PATH="${libraries[0]}" PGHOST="$folder/server" PGUSER=postgres PGDATABASE=postgres

cat > run.cjs <<'NODE'
const { readFileSync } = require('node:fs');
const { Client } = require('pg');

(async () => {
  const client = new Client({ host: process.env.PGHOST, user: 'postgres', database: process.env.PGDATABASE });
  await client.connect();
  const told = await client.query(readFileSync(process.argv[2], 'utf8')).then(
    () => 'pg runs it',
    ({ message }) => `pg refuses: ${message}`,
  );
  await client.end();
  console.log(told);
})();
NODE

psql -X -q -c "CREATE TABLE charts (name text); INSERT INTO charts VALUES ('sales')"
pg_dump --format=custom > archive
schema() { pg_dump --schema-only; }
inserts() { pg_dump --inserts; }
archive() { pg_restore --file=- archive; }
with_key() { pg_dump --schema-only --restrict-key=same; }
without_lines() { schema | sed '/^\\/d'; }

# The exit code of psql in a new database.
psql_in() {
  local code=0
  psql -X -q -c "CREATE DATABASE $1"
  psql -X -q -v ON_ERROR_STOP=1 --dbname="$1" "${@:2}" > /dev/null 2>> told || code=1
  echo "$code"
}
saw=$(while read -r dump title; do
  "$dump" > one.sql
  "$dump" > two.sql
  if cmp -s one.sql two.sql; then alike=same; else alike=differs; fi
  file=$(psql_in "file_$dump" --file=one.sql)
  command=$(psql_in "command_$dump" --command="$(cat one.sql)")
  psql -X -q -c "CREATE DATABASE pg_$dump"
  driver=$(PGDATABASE="pg_$dump" node run.cjs one.sql)
  echo "$title: psql --file $file, psql --command $command, $driver; dumped twice: $alike"
done << 'DUMPS'
schema schema
inserts inserts
archive archive
with_key schema with a key
without_lines schema without the two lines
DUMPS
)

printf '%s\n' "$saw"
[ "$saw" = "\
schema: psql --file 0, psql --command 1, pg refuses: syntax error at or near \"\\\"; dumped twice: differs
inserts: psql --file 0, psql --command 1, pg refuses: syntax error at or near \"\\\"; dumped twice: differs
archive: psql --file 0, psql --command 1, pg refuses: syntax error at or near \"\\\"; dumped twice: differs
schema with a key: psql --file 0, psql --command 1, pg refuses: syntax error at or near \"\\\"; dumped twice: same
schema without the two lines: psql --file 0, psql --command 0, pg runs it; dumped twice: same" ] || {
  echo 'CHANGED: this is not what was seen before' >&2
  exit 1
}
