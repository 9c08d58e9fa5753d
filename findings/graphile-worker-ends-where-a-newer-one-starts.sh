#!/usr/bin/env bash
# Tool:     graphile-worker 0.16.6 and 0.17.3 (npm), on PostgreSQL 15.18 (npm: @embedded-postgres), driven by pg@8.22.0
# Expected: 0.17 changes nothing in the database: its one migration is `select 1`. So a worker of 0.16 goes on beside it,
#           as in a rolling upgrade, and starts again after a step back.
# Seen:     the migration is marked as breaking. As soon as a worker of 0.17 starts, one of 0.16 ends as if it had been
#           asked to: its promise is fulfilled, its process need not end, and jobs that only it knows stay. It can add
#           jobs, too, which others run. But it does not start again, after 0.17 has gone either, until the row of that
#           migration is deleted. utils.migrate() of 0.17, without a worker, does the same.
#
#           0.16 works, a worker of 0.17 starts: it has ended well; of its own job: none run; it adds one for the other: run
#           0.16 starts after 0.17 has gone: refused; without the row of migration 19: it works
#           0.16 works, 0.17 migrates without a worker: it has ended well
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source-path=SCRIPTDIR source=support/postgres.sh
. "$here/support/postgres.sh"
folder=$(mktemp -d)
trap 'stop_postgres; rm -rf "$folder"' EXIT
cd "$folder"

if ! npm install --silent --no-audit --no-fund --ignore-scripts --prefix . "$(embedded_postgres)" pg@8.22.0 \
  old@npm:graphile-worker@0.16.6 new@npm:graphile-worker@0.17.3 ||
  ! start_postgres "$folder"; then
  echo 'cannot tell: the packages could not be had, or the server does not start' >&2
  exit 2
fi

cat > work.cjs <<'NODE'
const { setTimeout: sleep } = require('node:timers/promises');
const { Pool } = require('pg');
const workers = { old: require('old'), new: require('new') };

const pool = new Pool({ host: process.argv[2], user: 'postgres', database: 'postgres', max: 20 });
for (const event of ['error', 'connect']) pool.on(event, (one) => one?.on?.('error', () => undefined));

const ran = [];
const options = (name) => ({
  pgPool: pool,
  taskList: { [name]: async ({ job }) => void ran.push(job) },
  parsedCronItems: [],
  pollInterval: 100,
  noHandleSignals: true,
  logger: new workers[name].Logger(() => () => undefined),
});

/** A worker that has run a job, and what has become of it. */
async function start(name) {
  const runner = await workers[name].run(options(name));
  const worker = { runner, fate: 'it works' };
  runner.promise.then(
    () => (worker.fate = 'it has ended well'),
    (error) => (worker.fate = `it has failed: ${error.message}`),
  );
  await runner.addJob(name, { job: `first of ${name}` });
  return (await hasRun(`first of ${name}`)) ? worker : { ...worker, fate: 'it does not work' };
}

async function hasRun(job) {
  for (let i = 0; i < 30 && !ran.includes(job); i += 1) await sleep(100);
  return ran.includes(job);
}

async function anew() {
  await pool.query('DROP SCHEMA IF EXISTS graphile_worker CASCADE');
  ran.length = 0;
}

(async () => {
  await anew();
  const before = await start('old');
  const after = await start('new');
  await before.runner.addJob('old', { job: 'own' });
  await before.runner.addJob('new', { job: 'other' });
  const other = (await hasRun('other')) ? 'run' : 'none run';
  const own = (await hasRun('own')) ? 'run' : 'none run';
  const told = `of its own job: ${own}; it adds one for the other: ${other}`;
  console.log(`0.16 works, a worker of 0.17 starts: ${before.fate}; ${told}`);

  await after.runner.stop();
  ran.length = 0;
  const again = await start('old').then(
    ({ fate }) => fate,
    ({ message }) => (/includes breaking migration 19/.test(message) ? 'refused' : message),
  );
  await pool.query('DELETE FROM graphile_worker.migrations WHERE id = 19');
  const last = await start('old');
  console.log(`0.16 starts after 0.17 has gone: ${again}; without the row of migration 19: ${last.fate}`);
  await last.runner.stop();

  await anew();
  const alone = await start('old');
  const utils = await workers.new.makeWorkerUtils({ pgPool: pool });
  await utils.migrate();
  await sleep(1000);
  console.log(`0.16 works, 0.17 migrates without a worker: ${alone.fate}`);
  process.exit();
})();
NODE
saw=$(node work.cjs "$folder/server" 2> err) || { cat err >&2; }

printf '%s\n' "$saw"
[ "$saw" = "\
0.16 works, a worker of 0.17 starts: it has ended well; of its own job: none run; it adds one for the other: run
0.16 starts after 0.17 has gone: refused; without the row of migration 19: it works
0.16 works, 0.17 migrates without a worker: it has ended well" ] || {
  echo 'CHANGED: this is not what was seen before' >&2
  exit 1
}
