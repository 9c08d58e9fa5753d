import { execFileSync, spawnSync } from 'node:child_process';
import { beforeAll, describe, expect, it } from 'vitest';
import { grantsSql } from '../../src/gather/database/grants.js';
import { backUpInShell } from '../support/backup-shell.js';
import { collect, factIn } from '../support/facts-of-database.js';
import { instanceTables } from '../support/lightdash-tables.js';
import { type Cluster, startPostgres } from '../support/postgres.js';
import { temporaryFolder } from '../support/temporary-folder.js';

/** What came with a major version that is newer than the installed one: these run on the newest from npm. */

let cluster: Cluster;

beforeAll(async () => {
  cluster = await startPostgres({ reserved_connections: '5' }, [], '18');
  cluster.database('instance', instanceTables({ names: ['20260101000000_a.js'] }));
  cluster.sql('instance', grantsSql('looker'));
});

const look = (migratingRole?: string) =>
  collect(cluster.url('looker', 'instance'), migratingRole === undefined ? {} : { migratingRole });

describe('a role that belongs to the owner of the tables', () => {
  const membership = (options: string) =>
    cluster.during(
      'instance',
      `CREATE ROLE app LOGIN; GRANT lightdash TO app WITH ${options}; GRANT INSERT ON knex_migrations TO app`,
      'DROP OWNED BY app; DROP ROLE app',
    );

  // To alter a table without SET ROLE, a role must inherit the rights of its owner.
  it.each([
    ['INHERIT TRUE, SET TRUE', true],
    ['INHERIT TRUE, SET FALSE', true],
    ['INHERIT FALSE, SET TRUE', false],
    ['ADMIN TRUE, INHERIT FALSE, SET FALSE', false],
  ])(
    'WITH %s owns them: %s; where it does not, the role that migrates is in doubt',
    async (options, owns) => {
      membership(options);
      const { facts } = await look();
      expect(facts.migrator?.status).toBe(owns ? 'seen' : 'failed');
      const tables = factIn(await look('app'), 'tables');
      expect(new Set(tables.map(({ owned }) => owned))).toEqual(new Set([owns]));
    },
  );

  it.each([
    ['INHERIT FALSE, SET TRUE', true],
    ['INHERIT TRUE, SET FALSE', true],
    ['ADMIN TRUE, INHERIT FALSE, SET FALSE', false],
  ])('WITH %s may act as it: %s', async (options, acts) => {
    cluster.during(
      'instance',
      `CREATE ROLE master LOGIN CREATEROLE; GRANT lightdash TO master WITH ${options}`,
      'DROP ROLE master',
    );
    expect(factIn(await look(), 'migrator').actedAsBy).toEqual(acts ? ['master'] : []);
  });
});

it.each([
  ['ROLE lightdash IN DATABASE instance SET', 'ROLE lightdash IN DATABASE instance'],
  ['DATABASE instance SET', 'DATABASE instance'],
  ['SYSTEM SET', 'SYSTEM'],
])('sees a limit of transactions after ALTER %s', async (set, of) => {
  const reload = 'SELECT pg_reload_conf()';
  cluster.during(
    'instance',
    `ALTER ${set} transaction_timeout = '90s'`,
    `ALTER ${of} RESET transaction_timeout; ${reload}`,
  );
  cluster.sql('instance', reload);
  await expect.poll(async () => factIn(await look(), 'migrator').transactionTimeoutMs).toBe(90_000);
});

it('leaves out of the connections those that are reserved for roles', async () => {
  expect(factIn(await look(), 'server')).toMatchObject({ maxConnections: 60, reservedConnections: 8 });
});

it('is dumped by no older pg_dump, which the rehearsal of a backup tells', ({ skip }) => {
  const client = execFileSync('pg_dump', ['--version'], { encoding: 'utf8' });
  skip(Number(/\d+/.exec(client)) >= cluster.major, 'pg_dump is no older');
  const env = { PGHOST: cluster.socketDir, PGPORT: String(cluster.port), PGUSER: 'lightdash' };
  const { status, stderr } = spawnSync('sh', ['-euC'], {
    input: backUpInShell('2.0.0', 'look'),
    cwd: temporaryFolder(),
    encoding: 'utf8',
    env: { PATH: process.env.PATH, ...env, PGDATABASE: 'instance' },
  });
  expect(status).toBe(1);
  expect(stderr).toMatch(/^pg_dump: error: aborting because of server version mismatch$/m);
});
