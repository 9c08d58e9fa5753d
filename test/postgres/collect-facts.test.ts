import { execFileSync } from 'node:child_process';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { factsScript } from '../../src/gather/database/facts-script.js';
import { grantsSql } from '../../src/gather/database/grants.js';
import type { FactsFile } from '../../src/instance/facts/facts-schema.js';
import { factsText, parseFactsFile } from '../../src/instance/facts/read-facts.js';
import { collect, factIn, statusesOf } from '../support/facts-of-database.js';
import {
  hiddenJobs,
  instanceTables,
  knexTables,
  leaseTable,
  runLedgerTable,
} from '../support/lightdash-tables.js';
import { type Cluster, startPgBouncer, startPostgres, whenMeasured } from '../support/postgres.js';

let cluster: Cluster;

/** What no source of ours may let through: it stands wherever a person, a program or a fault may write freely. */
const canary = 'canary-4711';

const filled = `
INSERT INTO saved_queries (name) SELECT 'chart ' || n FROM generate_series(1, 50) AS n;
INSERT INTO saved_queries_versions (saved_query_id, explore_name, timezone)
  SELECT 1 + n % 50, '${canary}', CASE WHEN n % 4 = 0 THEN 'UTC' END FROM generate_series(1, 20000) AS n;
CREATE INDEX partial_index ON saved_queries (lower(name), slug) WHERE deleted_at IS NULL;
ALTER TABLE saved_queries ADD CONSTRAINT named CHECK (name <> '') NOT VALID;
UPDATE migration_lease SET parked_error = '${canary}', last_unlocked_by = '${canary}', app_version = '1.200.0',
  claim_token = gen_random_uuid(), last_heartbeat = now() - interval '90 seconds', holder_hostname = 'pod-1';
INSERT INTO migration_run_ledger (app_version, attempt, outcome, failing_migration, failure_detail, started_at)
  VALUES ('1.190.0', 1, 'succeeded', NULL, NULL, now() - interval '1 day'),
         ('1.200.0', 1, 'retrying', '20260102000000_b', '${canary}', now() - interval '2 minutes');
INSERT INTO graphile_worker.jobs (task_identifier, payload, attempts, max_attempts, locked_at, run_at, last_error) VALUES
  ('t', '{"a":"${canary}"}', 0, 25, NULL, now() - interval '10 minutes', NULL),
  ('t', '{}', 3, 25, NULL, now() + interval '1 hour', '${canary}'),
  ('t', '{}', 1, 1, now(), now(), NULL),
  ('t', '{}', 1, 25, now() - interval '5 hours', now(), NULL),
  ('t', '{}', 25, 25, NULL, now(), '${canary}');`;

/** A session reports what it modified at its end or later: counted after ANALYZE, it would be modified since then. */
async function analyse(database: string, table: string, modified: number) {
  const count = `SELECT n_mod_since_analyze FROM pg_stat_user_tables WHERE relname = '${table}'`;
  const is = (rows: number) =>
    vi.waitFor(() => expect(Number(cluster.sql(database, count))).toBe(rows), { timeout: 60_000 });
  await is(modified);
  cluster.sql(database, 'ANALYZE');
  await is(0);
}

const names = ['20260101000000_a.js', '20260102000000_b.js'];

beforeAll(async () => {
  cluster = await startPostgres();
  cluster.sql('postgres', 'CREATE ROLE stranger LOGIN');
  cluster.database('instance', instanceTables({ names }), filled);
  await analyse('instance', 'saved_queries_versions', 20_000);
  cluster.sql('instance', grantsSql('looker'));
  cluster.database('empty');
  cluster.database('blank', instanceTables({ names: [] }), 'DELETE FROM migration_lease');
  cluster.database(
    'tried',
    leaseTable,
    runLedgerTable,
    `INSERT INTO migration_run_ledger (app_version, attempt, outcome, started_at)
      SELECT '1.200.' || n, 1, CASE n WHEN 25 THEN 'parked' ELSE 'succeeded' END, now() - (30 - n) * interval '1 hour'
      FROM generate_series(1, 25) AS n`,
  );
  cluster.database(
    'odd',
    knexTables({ names }),
    'ALTER TABLE knex_migrations RENAME batch TO tranche',
    'CREATE TABLE fresh AS SELECT generate_series(1, 1000) AS id',
  );
  cluster.database('small', knexTables({ names, locked: true }), leaseTable);
});

function byScript(role: string, database: string, script = factsScript({ measure: false })): string {
  return execFileSync(
    'psql',
    ['-X', '-A', '-t', '-h', cluster.socketDir, '-p', String(cluster.port), '-U', role, '-d', database],
    { input: script, encoding: 'utf8', stdio: ['pipe', 'pipe', 'ignore'] },
  );
}

/** Times, ages and what comes and goes with connections, all the same: seconds pass from one look to the next. */
function withoutTimes(text: string): string {
  return text
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
    .replaceAll(/("\w*(?:Seconds|Microseconds|Bytes|usedConnections)":)\d+/g, '$10');
}

describe('an instance', () => {
  let file: FactsFile;
  beforeAll(async () => {
    file = await whenMeasured(() => collect(cluster.url('lightdash', 'instance'), { measure: true }));
  });

  it('is seen whole', () => expect(statusesOf(file)).toEqual({}));

  it('has its roles, tables and indexes', () => {
    expect(factIn(file, 'role')).toEqual({ name: 'lightdash', superuser: false });
    expect(factIn(file, 'migrator')).toMatchObject({
      ...{ name: 'lightdash', schema: 'public', schemaCreate: true, databaseCreate: true },
      statementTimeoutMs: 0,
    });
    const table = factIn(file, 'tables').find(({ name }) => name === 'saved_queries_versions');
    expect(table).toMatchObject({
      ...{ kind: 'table', partitionOf: null, estimatedRows: 20_000, sizedBy: 'files' },
      ...{ owner: 'lightdash', owned: true },
    });
    const bytes = (relation: string) =>
      Number(cluster.sql('instance', `SELECT pg_relation_size('${relation}')`));
    expect(table?.heapBytes).toBe(bytes('saved_queries_versions'));
    expect(table?.indexBytes).toBe(bytes('saved_queries_versions_pkey'));
    const index = { name: 'partial_index', table: 'saved_queries', valid: true };
    expect(factIn(file, 'indexes')).toContainEqual(expect.objectContaining(index));
  });

  it('has its ledger, lock, lease and runs', () => {
    expect(factIn(file, 'ledger').map(({ name, batch }) => [name, batch])).toEqual([
      [names[0], 1],
      [names[1], 2],
    ]);
    expect(factIn(file, 'ledgerLock')).toEqual({ rows: 1, lockedRows: 0 });
    const lease = {
      key: 'global',
      claimed: true,
      holderHostname: 'pod-1',
      appVersion: '1.200.0',
      parkedAt: null,
    };
    expect(factIn(file, 'lease')).toMatchObject([lease]);
    expect(factIn(file, 'lease')[0]?.heartbeatAgeSeconds).toBeGreaterThanOrEqual(90);
    const newest = { appVersion: '1.200.0', outcome: 'retrying', failingMigration: '20260102000000_b' };
    expect(factIn(file, 'runs')).toMatchObject({ newest, lastSucceeded: { appVersion: '1.190.0' } });
  });

  it('has its newest run, of many', async () => {
    const { newest, lastSucceeded } = factIn(await collect(cluster.url('lightdash', 'tried')), 'runs');
    expect(newest).toMatchObject({ appVersion: '1.200.25', outcome: 'parked' });
    expect(lastSucceeded?.appVersion).toBe('1.200.24');
  });

  it('has its queue', () => {
    const { oldestDueSeconds, ...queue } = factIn(file, 'queue');
    expect(queue).toEqual({
      jobs: 5,
      failedLately: 1,
      locked: 2,
      lockedTooLong: 1,
      lockedOnLastAttempt: 1,
      lockedWithoutWorker: 1,
      withoutWorkerOnLastAttempt: 1,
      workers: 0,
      lookedSecondsAgo: null,
      due: 1,
      failed: 1,
    });
    expect(oldestDueSeconds).toBeGreaterThanOrEqual(600);
  });

  it('reads at a rate', () => {
    const rate = factIn(file, 'readRate');
    expect(rate.table).toBe('saved_queries_versions');
    const heap = factIn(file, 'tables').find(({ name }) => name === rate.table)?.heapBytes;
    expect(rate.firstBytes).toBe(heap);
    expect(rate.againBytes).toBe(heap);
    expect(rate.firstMicroseconds).toBeGreaterThan(0);
  });

  it('has what the server expects of backfills, without reading a row', () => {
    const migration = '20260610120000_default_saved_chart_timezone_to_project';
    const table = 'saved_queries_versions';
    expect(factIn(file, 'backfillRows')).toEqual([{ migration, table, rows: 15_000, modifiedRows: 0 }]);
  });

  it('sorts at a rate', () => expect(factIn(file, 'sortRate').microseconds).toBeGreaterThan(0));

  it('keeps its secrets', () => expect(factsText(file)).not.toContain(canary));
});

describe('what is not there', () => {
  it('is absent in an empty database, and measured on no table', async () => {
    const file = await whenMeasured(() => collect(cluster.url('lightdash', 'empty'), { measure: true }));
    const absent = ['ledger', 'ledgerLock', 'lease', 'runs', 'queue', 'readRate'];
    expect(statusesOf(file)).toEqual(Object.fromEntries(absent.map((fact) => [fact, 'absent'])));
    expect(file.facts.readRate).toMatchObject({ detail: 'no table is known to contain rows' });
    expect(factIn(file, 'tables')).toEqual([]);
  });

  it('is nothing, and is seen, where a table has no row', async () => {
    const file = await collect(cluster.url('lightdash', 'blank'));
    expect(factIn(file, 'ledger')).toEqual([]);
    expect(factIn(file, 'lease')).toEqual([]);
    expect(factIn(file, 'runs')).toEqual({ newest: null, lastSucceeded: null });
  });

  it('is not what a query fails at otherwise, nor the rows of a table that was never analysed', async () => {
    const file = await collect(cluster.url('lightdash', 'odd'));
    expect(statusesOf(file)).toMatchObject({ ledger: 'failed', lease: 'absent' });
    const [fresh] = factIn(file, 'tables').filter(({ name }) => name === 'fresh');
    expect(fresh).toMatchObject({ estimatedRows: null, heapBytes: expect.any(Number) });
    expect(fresh?.heapBytes).toBeGreaterThan(0);
  });

  it('is null where a lease has not yet the columns of a later one', async () => {
    const [lease] = factIn(await collect(cluster.url('lightdash', 'small')), 'lease');
    expect(lease).toMatchObject({ claimed: false, parkedAt: null, parkedErrorClass: null });
    expect(factIn(await collect(cluster.url('lightdash', 'small')), 'ledgerLock')).toEqual({
      rows: 1,
      lockedRows: 1,
    });
  });
});

describe('a script for psql', () => {
  it.each([
    ['lightdash', 'instance'],
    ['looker', 'instance'],
    ['stranger', 'instance'],
    ['lightdash', 'small'],
    ['lightdash', 'empty'],
    ['lightdash', 'odd'],
  ])('gives as %s of %s what a connection gives, byte for byte but for times', async (role, database) => {
    const script = byScript(role, database);
    const connection = factsText(await collect(cluster.url(role, database)));
    expect(withoutTimes(script)).toBe(withoutTimes(connection));
    expect(factsText(parseFactsFile(script))).toBe(script);
  });

  it('measures as well', async () => {
    const text = await whenMeasured(() => byScript('lightdash', 'instance', factsScript()));
    const file = parseFactsFile(text);
    expect(file.facts.readRate?.status).toBe('seen');
    expect(factIn(file, 'sortRate').rows).toBe(50_000);
  });
});

describe('the role of the grants', () => {
  it('sees everything, by the rights of the role that migrates, and changes nothing', async () => {
    const file = await whenMeasured(() => collect(cluster.url('looker', 'instance'), { measure: true }));
    expect(statusesOf(file)).toEqual({});
    expect(factIn(file, 'role').name).toBe('looker');
    expect(factIn(file, 'migrator')).toMatchObject({ name: 'lightdash', schemaCreate: true });
    expect(factIn(file, 'tables').every(({ owned }) => owned)).toBe(true);
    expect(cluster.sql('instance', 'SHOW default_transaction_read_only', 'looker')).toBe('on');
  });

  it('reads no row of a table that it is not shown', () => {
    expect(() => cluster.sql('instance', 'SELECT name FROM saved_queries', 'looker')).toThrow(
      /permission denied/,
    );
    expect(() => cluster.sql('instance', 'SELECT parked_error FROM migration_lease', 'looker')).toThrow(
      /permission denied/,
    );
  });

  it.each([
    ['REVOKE SELECT (name) ON knex_migrations FROM looker', { ledger: 'not-permitted' }],
    ['REVOKE SELECT (is_locked) ON knex_migrations_lock FROM looker', { ledgerLock: 'not-permitted' }],
    ['REVOKE SELECT (parked_at) ON migration_lease FROM looker', { lease: 'not-permitted' }],
    ['REVOKE SELECT (outcome) ON migration_run_ledger FROM looker', { runs: 'not-permitted' }],
    ['REVOKE SELECT (attempts) ON graphile_worker.jobs FROM looker', { queue: 'not-permitted' }],
    ['REVOKE USAGE ON SCHEMA graphile_worker FROM looker', { queue: 'not-permitted' }],
    [hiddenJobs, { queue: 'not-permitted' }],
    [
      'REVOKE USAGE ON SCHEMA public FROM looker, public',
      { ledger: 'not-permitted', ledgerLock: 'not-permitted', lease: 'not-permitted', runs: 'not-permitted' },
    ],
  ])('does not see, after %s, what that shows', async (revoke, expected) => {
    const mends = `${grantsSql('looker')}; ALTER TABLE graphile_worker.jobs DISABLE ROW LEVEL SECURITY;
      ALTER ROLE looker NOBYPASSRLS; GRANT USAGE ON SCHEMA public TO public`;
    cluster.during('instance', revoke, mends);
    expect(statusesOf(await collect(cluster.url('looker', 'instance')))).toEqual(expected);
  });

  it.each(['graphile_worker.jobs', 'knex_migrations', 'saved_queries_versions'])(
    'sees the rows of %s where they are hidden, once it is granted anew',
    async (table) => {
      const mends = `ALTER TABLE ${table} DISABLE ROW LEVEL SECURITY; ALTER ROLE looker NOBYPASSRLS`;
      cluster.during('instance', `ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY`, mends);
      cluster.sql('instance', grantsSql('looker'));
      const file = await collect(cluster.url('looker', 'instance'));
      expect(factIn(file, 'queue').jobs).toBe(5);
      expect(factIn(file, 'ledger')).toHaveLength(2);
    },
  );
});

describe('PgBouncer in transaction mode', () => {
  it('gives the same, and gets its connection back as it was', async () => {
    const bouncer = await startPgBouncer(cluster);
    const through = factsText(await collect(bouncer.url('lightdash', 'instance')));
    const straight = factsText(await collect(cluster.url('lightdash', 'instance')));
    expect(withoutTimes(through)).toBe(withoutTimes(straight));
    const left = execFileSync('psql', ['-X', '-A', '-t', bouncer.url('lightdash', 'instance')], {
      input: 'SHOW statement_timeout; SHOW default_transaction_read_only; SHOW search_path; SHOW jit;',
      encoding: 'utf8',
    });
    expect(left).toBe('0\noff\n"$user", public\non\n');
  });
});
