import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { beforeAll, expect, it } from 'vitest';
import { backUpCommands, rehearseBackUpCommand } from '../../src/steps/commands.js';
import { knexTables } from '../support/lightdash-tables.js';
import { type Cluster, startPgBouncer, startPostgres } from '../support/postgres.js';
import { temporaryFolder } from '../support/temporary-folder.js';

/** The printed commands of a backup, run against a real server and the pools that stand before one. */

let server: Cluster;

beforeAll(async () => {
  server = await startPostgres();
  server.database('instance', knexTables({ names: ['20260801000000_ran.js'] }));
}, 60_000);

function run(commands: readonly string[], at: Pick<Cluster, 'socketDir' | 'port'>) {
  const cwd = temporaryFolder();
  const { status, stderr } = spawnSync('sh', ['-euC'], {
    cwd,
    input: commands.join('\n'),
    encoding: 'utf8',
    env: {
      PATH: process.env.PATH,
      ...{ PGHOST: at.socketDir, PGPORT: String(at.port), PGUSER: 'lightdash', PGDATABASE: 'instance' },
    },
  });
  return { status, stderr, files: readdirSync(cwd) };
}

const rehearsal = [rehearseBackUpCommand({ kind: 'here' })];
const backup = backUpCommands('2.0.0', { kind: 'here' });

it('dumps what the server has', ({ skip }) => {
  const client = execFileSync('pg_dump', ['--version'], { encoding: 'utf8' });
  skip(server.major > Number(/\d+/.exec(client)), 'pg_dump refuses a newer server: newer-servers.test.ts');
  expect(run(rehearsal, server)).toEqual({ status: 0, stderr: '', files: [] });
  const dumped = { status: 0, stderr: '', files: [expect.stringMatching(/^lightdash-2\.0\.0-\w+\.dump$/)] };
  expect(run(backup, server)).toEqual(dumped);
});

// pg_dump empties the search path of its session, which such a pool hands on to Lightdash.
it.each([
  ['refuses options', ''],
  ['reads past options', 'ignore_startup_parameters = options'],
])('dumps nothing through a pool that %s', async (_, more) => {
  const pool = await startPgBouncer(server, more);
  for (const commands of [rehearsal, backup]) {
    const { status, stderr, files } = run(commands, pool);
    expect({ status, files }).toEqual({ status: 1, files: [] });
    expect(stderr).toMatch(/^no direct session with the database server at PGHOST/m);
  }
});
