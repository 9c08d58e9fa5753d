import { spawnSync } from 'node:child_process';
import { beforeAll, describe, expect, it } from 'vitest';
import { describeFinding } from '../../src/checks/describe.js';
import { factsScript } from '../../src/gather/database/facts-script.js';
import { grantsSql } from '../../src/gather/database/grants.js';
import { opening } from '../../src/gather/database/queries.js';
import { parseFactsFile } from '../../src/instance/facts/read-facts.js';
import { collect, factIn, statusesOf } from '../support/facts-of-database.js';
import { hostileDatabase, hostileRelations, shadowed, songsOf, spy } from '../support/hostile-relations.js';
import { instanceTables, knexTables, leaseTable, privateJobs } from '../support/lightdash-tables.js';
import { type Cluster, startPostgres, whenMeasured } from '../support/postgres.js';
import { findingExamples } from '../words/findings.js';

/** A database whose owner is not trusted: whoever looks at it, or pastes what is printed for it, runs none of its code. */

let cluster: Cluster;

const names = ['20260101000000_a.js', '20260102000000_b.js'];

beforeAll(async () => {
  cluster = await startPostgres();
});

function psql(role: string, database: string, input: string) {
  const at = ['-h', cluster.socketDir, '-p', String(cluster.port), '-U', role, '-d', database];
  return spawnSync('psql', ['-X', '-A', '-t', ...at], { input, encoding: 'utf8', timeout: 60_000 });
}

const looks = [
  ['a connection', (database: string) => collect(cluster.url('postgres', database), { measure: true })],
  [
    'the script',
    async (database: string) => parseFactsFile(psql('postgres', database, factsScript()).stdout),
  ],
] as const;

describe.each(hostileRelations)('$name', ({ unsafe, ...relation }) => {
  let database: string;
  beforeAll(() => {
    database = hostileDatabase(cluster, relation);
  });

  it.each(looks)('is not read by %s, which says so', async (_, look) => {
    const before = await songsOf(cluster);
    const file = await whenMeasured(() => look(database));
    expect(await songsOf(cluster)).toBe(before);
    const unseen = Object.entries(file.facts).filter(([, fact]) => fact?.status !== 'seen');
    const [fact, detail] = unsafe ?? [];
    const expected = fact === undefined ? [] : [[fact, { status: 'unsafe', source: 'database', detail }]];
    expect(unseen).toEqual(expected);
  });
});

it('a view that takes the place of a table after it was looked at is refused by the server', ({ skip }) => {
  const known = cluster.sql(
    'postgres',
    "SELECT count(*) FROM pg_settings WHERE name = 'restrict_nonsystem_relation_kind'",
  );
  skip(known === '0', 'this server does not know that setting');
  cluster.database('swapped', spy, 'CREATE VIEW knex_migrations AS SELECT spy(1)');
  const statements = [...opening, 'SELECT * FROM public.knex_migrations'].join(';\n');
  expect(() => cluster.sql('swapped', statements)).toThrow(
    /access to non-system view "knex_migrations" is restricted/,
  );
});

describe('a healthy database', () => {
  it('is read where its tables are partitioned, and where the jobs are behind a view of their own', async () => {
    cluster.database(
      'parted',
      instanceTables({ names }),
      privateJobs,
      `ALTER TABLE knex_migrations RENAME TO kept;
       CREATE TABLE knex_migrations (LIKE kept) PARTITION BY RANGE (id);
       CREATE TABLE part PARTITION OF knex_migrations FOR VALUES FROM (0) TO (10);
       INSERT INTO knex_migrations SELECT * FROM kept; ANALYZE knex_migrations;
       INSERT INTO graphile_worker._private_jobs (task_identifier) VALUES ('t')`,
    );
    cluster.sql('parted', grantsSql('looker'));
    for (const role of ['lightdash', 'looker']) {
      const file = await whenMeasured(() => collect(cluster.url(role, 'parted'), { measure: true }));
      expect(statusesOf(file)).toEqual({});
      expect(factIn(file, 'ledger').map(({ name }) => name)).toEqual(names);
      expect(factIn(file, 'queue').jobs).toBe(1);
    }
  });

  it.each([
    ['of today', [instanceTables({ names })]],
    ['from before the lease', [knexTables({ names })]],
    ['from before the run ledger', [knexTables({ names }), leaseTable]],
    ['without a table', []],
  ])('%s is read by psql without a word of complaint', async (name, sql) => {
    const database = cluster.database(name, ...sql);
    const { stderr } = await whenMeasured(() => psql('lightdash', database, factsScript()));
    expect(stderr).toBe('');
  });
});

describe('names that the owner of the database has shadowed', () => {
  const pasted = findingExamples.map((told) => {
    const { remedy } = describeFinding({ check: 'any', subject: null, ...told });
    return remedy?.pasteIn === 'psql'
      ? ([told.evidence.kind, remedy.commands.join('\n')] as const)
      : undefined;
  });
  const texts = [
    ...pasted.filter((one) => one !== undefined),
    ['--grants', grantsSql('looker')] as const,
    ['--sql', factsScript()] as const,
  ];

  beforeAll(() => {
    cluster.database('shadowed', instanceTables({ names }));
    const called = texts.flatMap(([, sql]) =>
      [...sql.matchAll(/\b([a-z_]+)\(/g)].map(([, name = '']) => name),
    );
    cluster.sql('shadowed', shadowed('shadowed', [...new Set(called)]), 'lightdash');
    const made =
      "SET search_path = pg_catalog; SELECT count(*) FROM pg_proc WHERE pronamespace = 'public'::regnamespace";
    expect(Number(cluster.sql('shadowed', made))).toBeGreaterThan(100);
  });

  it.each(texts)('are not what %s calls', async (_, sql) => {
    const before = await songsOf(cluster);
    psql('postgres', 'shadowed', sql.replaceAll(/^-- .*?: (?=[A-Z])/gm, ''));
    expect(await songsOf(cluster)).toBe(before);
  });

  it('are not what a connection calls', async () => {
    const before = await songsOf(cluster);
    await collect(cluster.url('postgres', 'shadowed'), { measure: true });
    expect(await songsOf(cluster)).toBe(before);
  });
});
