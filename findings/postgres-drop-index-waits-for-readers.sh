#!/usr/bin/env bash
# Tool:     PostgreSQL 15.18 (npm: @embedded-postgres/*@15.18.0-beta.17, driven by pg@8.22.0)
# Expected: DROP INDEX CONCURRENTLY waits for as little as CREATE INDEX CONCURRENTLY; if it is ended while it waits, the
#           index is as it was.
# Seen:     it waits for whoever has read the table in a transaction that is still open and idle, for which a build does
#           not wait; ended while it waits, it leaves a valid index behind as one that is not valid.
#
#           build beside an idle reader: done
#           drop beside an idle reader: waits; the index was valid, and is not
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source-path=SCRIPTDIR source=support/postgres.sh
. "$here/support/postgres.sh"
folder=$(mktemp -d)
trap 'stop_postgres; rm -rf "$folder"' EXIT
cd "$folder"

if ! npm install --silent --no-audit --no-fund --ignore-scripts --prefix . "$(embedded_postgres)" pg@8.22.0 ||
  ! start_postgres "$folder"; then
  echo 'cannot tell: the packages could not be had, or the server does not start' >&2
  exit 2
fi

cat > readers.mjs <<'NODE'
import pg from 'pg';

const connect = async () => {
  const client = new pg.Client({ host: process.argv[2], user: 'postgres', database: 'postgres' });
  await client.connect();
  return client;
};
const [reader, changer] = [await connect(), await connect()];
await changer.query('CREATE TABLE read AS SELECT 1 AS id');
await changer.query("SET statement_timeout = '3s'");
await reader.query('BEGIN; SELECT * FROM read');

const change = async (sql) => {
  try {
    await changer.query(sql);
    return 'done';
  } catch (error) {
    return error.code === '57014' ? 'waits' : error.message;
  }
};
const isValid = async () =>
  (await changer.query("SELECT indisvalid FROM pg_index WHERE indexrelid = 'one'::regclass")).rows[0]?.indisvalid;

console.log(`build beside an idle reader: ${await change('CREATE INDEX CONCURRENTLY one ON read (id)')}`);
const before = await isValid();
const dropped = await change('DROP INDEX CONCURRENTLY one');
const after = await isValid();
console.log(`drop beside an idle reader: ${dropped}; the index ${before ? 'was' : 'was not'} valid, and ${after ? 'is' : 'is not'}`);
await Promise.all([reader.end(), changer.end()]);
NODE
saw=$(node readers.mjs "$folder/server")

printf '%s\n' "$saw"
[ "$saw" = "\
build beside an idle reader: done
drop beside an idle reader: waits; the index was valid, and is not" ] || {
  echo 'CHANGED: this is not what was seen before' >&2
  exit 1
}
