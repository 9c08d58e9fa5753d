import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { startPostgres } from '../support/postgres.js';
import { realIndexFile } from '../support/real-index.js';
import { temporaryFolder } from '../support/temporary-folder.js';

/** Its driver, with SCRAM and TLS, is the largest part of the program that is made for Node and runs on Bun here. */
it('looks into a database behind a password', async () => {
  const server = await startPostgres();
  server.database('instance');
  server.sql('postgres', "ALTER ROLE lightdash PASSWORD 'secret of lightdash'");
  const look = (password: string) =>
    spawnSync(
      resolve('build/lightspan'),
      [
        'upgrade-preflight',
        '--from',
        '1.121.0',
        '--to',
        '1.122.0',
        '--database',
        'LIGHTDASH_DB',
        '--index',
        resolve(realIndexFile),
      ],
      {
        cwd: temporaryFolder(),
        env: {
          LIGHTDASH_DB: `postgresql://lightdash:${password}@127.0.0.1:${server.port}/instance`,
        },
        encoding: 'utf8',
      },
    );
  const { status, stdout } = look('secret%20of%20lightdash');
  expect(status).toBe(1);
  expect(stdout).toContain('there is no table knex_migrations');
  expect(look('another')).toMatchObject({ status: 3, stderr: expect.stringContaining('password') });
});
