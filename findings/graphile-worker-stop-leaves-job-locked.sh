#!/usr/bin/env bash
# Tool:     graphile-worker 0.17.3, and 0.16.6 beside it (npm), on PostgreSQL 15.18 (npm: @embedded-postgres)
# Expected: a worker that is told to stop (SIGTERM), and whose last job then ends well, removes that job; or, if it
#           cannot, leaves it as it was before the worker took it.
# Seen:     0.16.6 does. With 0.17.3 the task ends, the process exits, and the job is still there, locked by a worker that
#           is gone. A lock counts for four hours; after that another worker would run the job a second time.
#
#           0.16.6: the task ended; jobs left: 0, locked: 0
#           0.17.3: the task ended; jobs left: 1, locked: 1
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source-path=SCRIPTDIR source=support/postgres.sh
. "$here/support/postgres.sh"
folder=$(mktemp -d)
trap 'stop_postgres; rm -rf "$folder"' EXIT
cd "$folder"

if ! npm install --silent --no-audit --no-fund --ignore-scripts --prefix . "$(embedded_postgres)" pg@8.22.0 \
  before@npm:graphile-worker@0.16.6 after@npm:graphile-worker@0.17.3 ||
  ! start_postgres "$folder"; then
  echo 'cannot tell: the packages could not be had, or the server does not start' >&2
  exit 2
fi

# Its one task is under way when the process gets the signal, and ends two seconds later.
cat > worker.cjs <<'NODE'
const { setTimeout: sleep } = require('node:timers/promises');
const { Logger, run } = require(process.argv[2]);

async function slow() {
  process.kill(process.pid, 'SIGTERM');
  await sleep(2000);
  console.log('the task ended');
}
run({
  connectionString: `postgresql://postgres@/postgres?host=${process.argv[3]}`,
  logger: new Logger(() => () => {}),
  taskList: { slow },
}).then((runner) => runner.addJob('slow', {}));
NODE
cat > left.cjs <<'NODE'
const { Client } = require('pg');

(async () => {
  const client = new Client({ host: process.argv[2], user: 'postgres', database: 'postgres' });
  await client.connect();
  const { rows } = await client.query('SELECT count(*) AS jobs, count(locked_by) AS locked FROM graphile_worker.jobs');
  console.log(`jobs left: ${rows[0].jobs}, locked: ${rows[0].locked}`);
  await client.query('DROP SCHEMA graphile_worker CASCADE');
  await client.end();
})();
NODE

saw=$(for package in before after; do
  version=$(node -p "require('./node_modules/$package/package.json').version")
  # It ends by the signal that it got, once it has stopped.
  ended=$(node worker.cjs "$package" "$folder/server" 2> worker.err) || true
  printf '%s: %s; %s\n' "$version" "${ended:-the task did not end}" "$(node left.cjs "$folder/server")"
done)

printf '%s\n' "$saw"
[ "$saw" = "\
0.16.6: the task ended; jobs left: 0, locked: 0
0.17.3: the task ended; jobs left: 1, locked: 1" ] || {
  echo 'CHANGED: this is not what was seen before' >&2
  exit 1
}
