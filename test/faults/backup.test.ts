import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { backUpInShell } from '../support/backup-shell.js';
import { knexTables } from '../support/lightdash-tables.js';
import { type Cluster, startPostgres } from '../support/postgres.js';
import { temporaryFolder } from '../support/temporary-folder.js';

/** A dump that ends early, wherever that is, is never taken for a backup by the commands that a plan prints. */

const seed = Number(process.env.LIGHTSPAN_FAULTS_SEED ?? 20_260_906);
const commands = backUpInShell('2.0.0', 'backup');

/** In place of pg_dump: it gives the first bytes of a dump, and says that all went well. */
const bin = temporaryFolder();
let server: Cluster;
let bytes = 0;

beforeAll(async () => {
  server = await startPostgres();
  const rows = 'SELECT i, md5(i::text) AS text FROM generate_series(1, 5000) AS i';
  server.database(
    'instance',
    knexTables({ names: ['20260801000000_ran.js'] }),
    `CREATE TABLE saved_queries AS ${rows}; CREATE INDEX ON saved_queries (i)`,
  );
  const dump = execFileSync('pg_dump', [
    ...['--format=custom', `--host=${server.socketDir}`, `--port=${server.port}`],
    ...['--username=lightdash', '--dbname=instance'],
  ]);
  bytes = dump.length;
  writeFileSync(join(bin, 'whole'), dump);
  writeFileSync(join(bin, 'pg_dump'), `#!/bin/sh\nhead -c "$KEPT" '${bin}/whole'\n`, { mode: 0o755 });
});

function backUp(kept: number) {
  const cwd = temporaryFolder();
  const { status } = spawnSync('sh', ['-euC'], {
    cwd,
    input: commands,
    env: {
      ...{ PATH: `${bin}:${process.env.PATH}`, KEPT: String(kept) },
      ...{
        PGHOST: server.socketDir,
        PGPORT: String(server.port),
        PGUSER: 'lightdash',
        PGDATABASE: 'instance',
      },
    },
  });
  return { status, taken: readdirSync(cwd).some((name) => name.endsWith('.dump')) };
}

it('before any fault, the dump is taken', () => {
  expect(backUp(bytes)).toEqual({ status: 0, taken: true });
});

it('a dump that was cut is not taken', () => {
  const anywhere = fc.integer({ min: 0, max: bytes - 1 });
  const nearTheEnd = fc.integer({ min: bytes - 64, max: bytes - 1 });
  const cuts = fc.sample(fc.oneof(anywhere, nearTheEnd), { seed, numRuns: 150 });
  for (const kept of cuts) {
    const { status, taken } = backUp(kept);
    expect({ failed: status !== 0, taken }, `seed ${seed}, ${kept} of ${bytes} bytes`).toEqual({
      failed: true,
      taken: false,
    });
  }
  process.stdout.write(`dump: ${cuts.length} cases (truncate ${cuts.length}), 0 taken of ${bytes} bytes\n`);
});
