import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { backUpInShell } from '../support/backup-shell.js';
import { knexTables } from '../support/lightdash-tables.js';
import { type Cluster, startPgBouncer, startPostgres } from '../support/postgres.js';
import { temporaryFolder } from '../support/temporary-folder.js';

/** The printed commands of a backup, run against a real server and the pools that stand before one. */

let server: Cluster;

beforeAll(async () => {
  server = await startPostgres();
  const rows = 'SELECT i, md5(i::text) || md5((i + 1)::text) AS text FROM generate_series(1, 100000) AS i';
  server.database(
    'instance',
    knexTables({ names: ['20260801000000_ran.js'] }),
    `CREATE TABLE saved_queries AS ${rows}`,
  );
});

function run(commands: string, at: Pick<Cluster, 'socketDir' | 'port'>, first = '') {
  const cwd = temporaryFolder();
  const { status, stderr } = spawnSync('sh', ['-euC'], {
    cwd,
    input: commands,
    encoding: 'utf8',
    env: {
      PATH: `${first}:${process.env.PATH}`,
      ...{ PGHOST: at.socketDir, PGPORT: String(at.port), PGUSER: 'lightdash', PGDATABASE: 'instance' },
    },
  });
  return { status, stderr, files: readdirSync(cwd).filter((name) => name !== 'hop.state') };
}

const rehearsal = backUpInShell('2.0.0', 'look');
const backup = backUpInShell('2.0.0', 'backup');

it('dumps what the server has', ({ skip }) => {
  const client = execFileSync('pg_dump', ['--version'], { encoding: 'utf8' });
  skip(server.major > Number(/\d+/.exec(client)), 'pg_dump refuses a newer server: newer-servers.test.ts');
  expect(run(rehearsal, server)).toEqual({ status: 0, stderr: '', files: [] });
  const dumped = {
    status: 0,
    stderr: '',
    files: [expect.stringMatching(/^lightdash-2\.0\.0-\w+\.dump$/), expect.stringMatching(/\.dump\.roles$/)],
  };
  expect(run(backup, server)).toEqual(dumped);
});

/** A pg_dump whose output ends early, as on a full disk or a connection that is lost, and that reports success. */
function truncating(keep: string): string {
  const folder = temporaryFolder();
  const pgDump = execFileSync('sh', ['-c', 'command -v pg_dump'], { encoding: 'utf8' }).trim();
  writeFileSync(join(folder, 'pg_dump'), `#!/bin/sh\n${pgDump} "$@" | head -c ${keep}\n`, { mode: 0o755 });
  return folder;
}

it.each(['60000', '2000000', '-1'])('takes no dump for a backup of which head -c %s is left', (keep) => {
  const { status, stderr, files } = run(backup, server, truncating(keep));
  expect({ status, files }).toEqual({ status: 1, files: [] });
  expect(stderr).toContain('The dump cannot be read to its end, so it is not a backup.');
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
    expect(stderr).toMatch(/^There is no direct session with the database server at PGHOST/m);
  }
});
