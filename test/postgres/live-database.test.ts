import { Client } from 'pg';
import { afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { grantsSql } from '../../src/gather/database/grants.js';
import { factsText } from '../../src/instance/facts/read-facts.js';
import { collect, factIn } from '../support/facts-of-database.js';
import { instanceTables } from '../support/lightdash-tables.js';
import { type Cluster, startPostgres } from '../support/postgres.js';

let cluster: Cluster;
let name: string;
let sessions: Client[] = [];
let count = 0;

const canary = 'canary-4711';

beforeAll(async () => {
  cluster = await startPostgres();
  cluster.database('template_of_tests', instanceTables({ names: ['20260101000000_a.js'] }));
});

beforeEach(() => {
  count += 1;
  name = `live_${count}`;
  cluster.sql('postgres', `CREATE DATABASE ${name} TEMPLATE template_of_tests OWNER lightdash`);
});

const reload = 'SELECT pg_reload_conf()';

afterEach(async () => {
  await Promise.all(sessions.map((session) => session.end()));
  sessions = [];
  const set = ['ROLE ALL', 'ROLE lightdash', 'ROLE postgres', `ROLE lightdash IN DATABASE ${name}`, 'SYSTEM'];
  const reset = set.map((one) => `ALTER ${one} RESET ALL;`).join('');
  cluster.sql('postgres', `SET default_transaction_read_only = off; ${reset} ${reload}`);
});

/** A session that has run this, and does nothing since. */
async function session(sql: string, role = 'lightdash'): Promise<Client> {
  const client = new Client({ connectionString: cluster.url(role, name), application_name: canary });
  await client.connect();
  sessions.push(client);
  await client.query(sql);
  return client;
}

const processOf = async (client: Client) => {
  const { rows } = await client.query('SELECT pg_backend_pid() AS pid');
  return Number(rows[0].pid);
};

describe('sessions', () => {
  it('are seen with how long their transaction is open, unless they are idle', async () => {
    await session('SELECT 1');
    const holder = await session(
      `BEGIN; SELECT '${canary}', pg_sleep(1.1) FROM saved_queries_versions RIGHT JOIN (SELECT) AS a ON true`,
    );
    const file = await collect(cluster.url('lightdash', name));
    const { sessions: seen, hiddenSessions } = factIn(file, 'activity');
    expect(seen).toMatchObject([
      { role: 'lightdash', backend: 'client backend', state: 'idle in transaction' },
    ]);
    expect(seen[0]?.transactionSeconds).toBeGreaterThanOrEqual(1);
    expect(hiddenSessions).toBe(0);
    expect(seen[0]?.pid).toBe(await processOf(holder));
    const lock = {
      table: 'saved_queries_versions',
      mode: 'AccessShareLock',
      granted: true,
      pid: seen[0]?.pid,
    };
    expect(factIn(file, 'locks')).toContainEqual(expect.objectContaining(lock));
    expect(factsText(file)).not.toContain(canary);
  });

  it('of other roles are counted as hidden, unless all statistics may be read', async () => {
    const other = await session('BEGIN', 'postgres');
    const activity = async (role: string) => factIn(await collect(cluster.url(role, name)), 'activity');
    const hidden = { hiddenSessions: 1, hiddenSnapshots: 0, oldestHiddenSnapshot: null };
    expect(await activity('lightdash')).toEqual({ sessions: [], ...hidden });
    cluster.sql(name, grantsSql('looker'));
    expect(await activity('looker')).toMatchObject({ sessions: [{ role: 'postgres' }], hiddenSessions: 0 });
    // Nor do those that do not tell what they do.
    await other.query('SET track_activities = off; SELECT 1');
    expect(await activity('postgres')).toMatchObject({ hiddenSessions: 1 });
  });
});

describe('a concurrent index build', () => {
  const readIn = (begin: string) => `${begin}; SELECT count(*) FROM scheduler_log`;
  const write = "INSERT INTO scheduler_log (task, job_id, status) VALUES ('t', 'j', 's')";

  it.each([
    ['is idle after a read', readIn('BEGIN'), false],
    [
      'is idle after a read of the table under a lock of rows',
      `${readIn('BEGIN')}; LOCK TABLE scheduler_log IN ROW SHARE MODE`,
      false,
    ],
    ['has written another table', "BEGIN; INSERT INTO knex_migrations (name, batch) VALUES ('x', 1)", false],
    ['has written the table', `BEGIN; ${write}`, true],
    ['keeps its snapshot', readIn('BEGIN ISOLATION LEVEL REPEATABLE READ'), true],
    ['has a cursor', 'BEGIN; DECLARE c CURSOR FOR SELECT * FROM knex_migrations; FETCH c', true],
    ['was prepared, and has read the table', `${readIn('BEGIN')}; PREPARE TRANSACTION 'p'`, false],
    ['was prepared, and has written the table', `BEGIN; ${write}; PREPARE TRANSACTION 'p'`, true],
  ])('waits as the facts say for what %s', async (_, sql, waits) => {
    await session(sql);
    if (sql.includes('PREPARE')) onTestFinished(() => void cluster.sql(name, "ROLLBACK PREPARED 'p'"));
    const file = await collect(cluster.url('lightdash', name));
    const { sessions: others } = factIn(file, 'activity');
    const written = factIn(file, 'locks').filter(
      ({ table, mode }) => table === 'scheduler_log' && mode === 'RowExclusiveLock',
    );
    expect(others.some(({ snapshot }) => snapshot) || written.length > 0).toBe(waits);
    const build = () =>
      cluster.sql(
        name,
        `SET lock_timeout = '${waits ? 1 : 60}s'; CREATE INDEX CONCURRENTLY built ON scheduler_log (task)`,
        'lightdash',
      );
    if (waits) expect(build).toThrow('lock timeout');
    else build();
  });

  it('waits for no other database, and for a snapshot of which a role sees nothing else', async () => {
    await session(readIn('BEGIN ISOLATION LEVEL REPEATABLE READ'), 'postgres');
    const { hiddenSessions, hiddenSnapshots, oldestHiddenSnapshot } = factIn(
      await collect(cluster.url('lightdash', name)),
      'activity',
    );
    expect([hiddenSessions, hiddenSnapshots]).toEqual([1, 1]);
    expect(oldestHiddenSnapshot).toBeGreaterThanOrEqual(0);
    const other = cluster.database('another_one', 'CREATE TABLE t (a int)');
    cluster.sql(other, "SET lock_timeout = '60s'; CREATE INDEX CONCURRENTLY built ON t (a)", 'lightdash');
    expect(factIn(await collect(cluster.url('lightdash', other)), 'activity').hiddenSessions).toBe(0);
  });
});

describe('locks', () => {
  it('leave a table seen, by what was last known of its size', async () => {
    const fill =
      "INSERT INTO scheduler_log (task, job_id, status) SELECT 't', 'j', 's' FROM generate_series(1, 2000)";
    cluster.sql(name, `${fill}; VACUUM ANALYZE scheduler_log;`, 'lightdash');
    const before = factIn(await collect(cluster.url('lightdash', name)), 'tables');
    const migrator = await session('BEGIN; ALTER TABLE scheduler_log ADD added int');
    const file = await collect(cluster.url('lightdash', name));
    const sizeOf = (tables: typeof before) => tables.find((table) => table.name === 'scheduler_log');
    expect(sizeOf(before)).toMatchObject({ estimatedRows: 2000, sizedBy: 'files' });
    expect(sizeOf(factIn(file, 'tables'))).toMatchObject({
      estimatedRows: 2000,
      heapBytes: sizeOf(before)?.heapBytes,
      sizedBy: 'statistics',
    });
    expect(factIn(file, 'tables')).toHaveLength(before.length);
    expect(factIn(file, 'locks')).toContainEqual({
      ...{ table: 'scheduler_log', mode: 'AccessExclusiveLock', granted: true },
      ...{
        pid: await processOf(migrator),
        preparedTransaction: null,
        transactionSeconds: expect.any(Number),
      },
    });
  });

  it('leave a partitioned table seen, which has no blocks of its own to be known of', async () => {
    cluster.sql(
      name,
      `CREATE TABLE measured (at int PRIMARY KEY) PARTITION BY RANGE (at);
       CREATE TABLE measured_1 PARTITION OF measured FOR VALUES FROM (0) TO (9);
       INSERT INTO measured VALUES (1); ANALYZE measured`,
      'lightdash',
    );
    await session('BEGIN; LOCK TABLE measured IN ACCESS EXCLUSIVE MODE');
    const tables = factIn(await collect(cluster.url('lightdash', name)), 'tables');
    const seen = tables.filter((table) => table.name.startsWith('measured'));
    expect(seen.map((table) => [table.name, table.sizedBy, table.heapBytes, table.indexBytes])).toEqual([
      ['measured', 'statistics', 0, 0],
      ['measured_1', 'statistics', 8192, 16_384],
    ]);
  });

  it('of a prepared transaction stand with its name', async () => {
    await session("BEGIN; LOCK TABLE projects IN SHARE MODE; PREPARE TRANSACTION 'left behind'");
    cluster.sql('postgres', "BEGIN; CREATE TABLE elsewhere (); PREPARE TRANSACTION 'of another database'");
    const file = await collect(cluster.url('lightdash', name));
    expect(factIn(file, 'preparedTransactions')).toMatchObject([{ name: 'left behind', owner: 'lightdash' }]);
    expect(factIn(file, 'locks')).toMatchObject([
      { table: 'projects', mode: 'ShareLock', pid: null, preparedTransaction: 'left behind' },
    ]);
    await session("ROLLBACK PREPARED 'left behind'");
    cluster.sql('postgres', "ROLLBACK PREPARED 'of another database'");
  });

  it('on the ledger make it a fact that took too long, and no others', async () => {
    await session('BEGIN; LOCK TABLE knex_migrations IN ACCESS EXCLUSIVE MODE');
    const { facts } = await collect(cluster.url('lightdash', name));
    const detail = 'canceling statement due to lock timeout';
    expect(facts.ledger).toEqual({ status: 'timeout', source: 'database', detail });
    expect([facts.ledgerLock?.status, facts.tables?.status]).toEqual(['seen', 'seen']);
  });
});

it('sees vacuums that run, and counts those whose table it may not see', async () => {
  const fill =
    "INSERT INTO scheduler_log (task, job_id, status) SELECT 't', 'j', 's' FROM generate_series(1, 20000)";
  cluster.sql(name, fill, 'lightdash');
  const owner = await session("SET vacuum_cost_delay = '100ms'; SET vacuum_cost_limit = 1", 'postgres');
  const vacuum = owner.query('VACUUM scheduler_log').catch(() => undefined);
  const vacuums = async (role: string) => factIn(await collect(cluster.url(role, name)), 'vacuums');
  await expect
    .poll(() => vacuums('postgres'))
    .toEqual({
      running: [
        { pid: expect.any(Number), table: 'scheduler_log', automatic: false, preventsWraparound: false },
      ],
      hidden: 0,
    });
  expect(await vacuums('lightdash')).toEqual({ running: [], hidden: 1 });
  cluster.sql(name, "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE query LIKE 'VACUUM%'");
  await vacuum;
});

describe('the limits of the role that migrates', () => {
  const limits = async (role: string, more: { migratingRole?: string } = {}) => {
    const { migrator } = (await collect(cluster.url(role, name), more)).facts;
    return migrator?.status === 'seen' ? migrator.value : undefined;
  };

  it.each([
    ['ALTER ROLE lightdash SET statement_timeout = 500', 500],
    ["ALTER ROLE lightdash SET statement_timeout = '5min'", 300_000],
    ["ALTER DATABASE of_test SET statement_timeout = '2h'", 7_200_000],
    [
      "ALTER DATABASE of_test SET statement_timeout = '2h'; ALTER ROLE lightdash SET statement_timeout = '90s'",
      90_000,
    ],
    [
      "ALTER ROLE lightdash SET statement_timeout = '90s'; ALTER ROLE lightdash IN DATABASE of_test SET statement_timeout = 0",
      0,
    ],
    ["ALTER ROLE ALL SET statement_timeout = '1min'", 60_000],
  ])('after %s', async (set, expected) => {
    cluster.sql('postgres', set.replaceAll('of_test', name));
    const seen = { statementTimeoutMs: expected, lockTimeoutMs: 0 };
    // Who else looks sees the same.
    for (const role of ['lightdash', 'postgres']) expect(await limits(role)).toMatchObject(seen);
  });

  it('are not known where only the server sets them, and the role that looks has its own', async () => {
    cluster.sql('postgres', "ALTER ROLE postgres SET statement_timeout = '3s'");
    expect(await limits('postgres')).toMatchObject({ statementTimeoutMs: null, lockTimeoutMs: 0 });
    expect(await limits('postgres', { migratingRole: 'postgres' })).toMatchObject({
      statementTimeoutMs: 3000,
    });
  });

  it.each([
    ["ALTER SYSTEM SET statement_timeout = '30s'", '', 30_000],
    ["ALTER SYSTEM SET statement_timeout = '30s'", '0', null],
    ['SELECT 1', '5000', null],
    ["ALTER ROLE lightdash SET statement_timeout = '90s'", '0', 90_000],
    ["ALTER ROLE lightdash SET statement_timeout = '1e5'", '', null],
    ["ALTER ROLE lightdash SET statement_timeout = '0x7530'", '', null],
  ])('after %s, and %j by the address, are %j', async (set, asked, statementTimeoutMs) => {
    cluster.sql('postgres', `${set}; ${reload}`);
    const options = asked === '' ? '' : `&options=-c%20statement_timeout%3D${asked}`;
    for (const role of ['lightdash', 'postgres']) {
      const file = await collect(`${cluster.url(role, name)}${options}`);
      expect(factIn(file, 'migrator')).toMatchObject({ name: 'lightdash', statementTimeoutMs });
    }
  });

  const readOnlyOf = (of: string, to = 'on') => `ALTER ${of} SET default_transaction_read_only = ${to}`;
  it.each([
    [readOnlyOf('ROLE ALL'), '', true],
    [`${readOnlyOf('ROLE ALL')}; ${readOnlyOf('ROLE lightdash', 'off')}`, '', false],
    [readOnlyOf('SYSTEM'), '', true],
    [readOnlyOf('ROLE postgres'), '', false],
    ['SELECT 1', '&options=-c%20default_transaction_read_only%3Don', false],
  ])('has, after %s, a role that begins read-only, if %s of who looks', async (set, options, readOnly) => {
    cluster.sql('postgres', `${set}; ${reload}`);
    const file = await collect(`${cluster.url('postgres', name)}${options}`);
    expect(factIn(file, 'migrator')).toMatchObject({ name: 'lightdash', readOnly });
  });

  it('are those of no role where none has the name', async () => {
    const { facts } = await collect(cluster.url('lightdash', name), { migratingRole: "no'body" });
    expect(facts.migrator).toEqual({ status: 'absent', source: 'database' });
    expect(facts.tables?.status).not.toBe('seen');
  });
});

describe('looking', () => {
  it('sees what holds the rows of a table, in whatever schema and by how many steps', async () => {
    cluster.sql(
      name,
      `CREATE SCHEMA "Old Parts"; CREATE TABLE measured (at int) PARTITION BY RANGE (at);
       CREATE TABLE measured_1 PARTITION OF measured FOR VALUES FROM (0) TO (9) PARTITION BY RANGE (at);
       CREATE TABLE "Old Parts".half PARTITION OF measured_1 FOR VALUES FROM (0) TO (5);
       CREATE TABLE "Old Parts".other (at int); INSERT INTO measured SELECT 1 FROM generate_series(1, 1000)`,
      'postgres',
    );
    const tables = factIn(await collect(cluster.url('lightdash', name)), 'tables');
    const seen = tables.filter((table) => /measured|Parts/.test(table.name));
    expect(
      seen.map((table) => [table.name, table.partitionOf, table.owner, (table.heapBytes ?? 0) > 0]),
    ).toEqual([
      ['"Old Parts".half', 'measured_1', 'postgres', true],
      ['measured', null, 'postgres', false],
      ['measured_1', 'measured', 'postgres', false],
    ]);
  });

  it.each([
    ['nowhere, "$user", public', 'lightdash'],
    ['public, lightdash', 'public'],
    ['nowhere', 'absent'],
    ['"Light,dash", public', 'Light,dash'],
    ['"Light""dash", public', 'Light"dash'],
    // One name, and no list: nothing is found by it.
    ["'lightdash, public'", 'absent'],
  ])('goes by the first schema of the search path that exists: %s', async (path, schema) => {
    const schemas = 'CREATE SCHEMA "Light,dash"; CREATE SCHEMA "Light""dash"; CREATE SCHEMA lightdash';
    cluster.sql(name, `${schemas} AUTHORIZATION lightdash`);
    cluster.sql('postgres', `ALTER ROLE lightdash SET search_path = ${path}`);
    const { migrator } = (await collect(cluster.url('lightdash', name))).facts;
    expect(migrator?.status === 'seen' ? migrator.value.schema : migrator?.status).toBe(schema);
  });

  it('goes by the search path that the address asks for, as the server reads it', async () => {
    cluster.sql(name, 'CREATE SCHEMA lightdash AUTHORIZATION lightdash');
    const url = `${cluster.url('lightdash', name)}&options=-c%20search_path%3DLightDash,public`;
    expect(factIn(await collect(url), 'migrator').schema).toBe('lightdash');
  });

  const own = 'ROLE lightdash SET';
  it.each([
    ['where it is set for the role that migrates', own, '', 'lightdash'],
    ['and for it in this database', 'ROLE lightdash IN DATABASE of_test SET', '', 'lightdash'],
    ['and where it is set for all, whose own schema is meant', 'DATABASE of_test SET', '', 'lightdash'],
    ['and not where who looks asks for another', own, '&options=-c%20search_path%3Dpublic', 'public'],
    [
      'nor where another is set for who looks',
      `ROLE postgres SET search_path = public; ALTER ${own}`,
      '',
      'public',
    ],
  ])('goes by the path of another role %s', async (_, set, options, schema) => {
    cluster.sql(name, 'CREATE SCHEMA lightdash AUTHORIZATION lightdash');
    cluster.sql('postgres', `ALTER ${set.replace('of_test', name)} search_path = nowhere, "$user", public`);
    const file = await collect(`${cluster.url('postgres', name)}${options}`);
    expect(factIn(file, 'migrator')).toMatchObject({ name: 'lightdash', schema });
    expect(file.facts.ledger?.status).toBe(schema === 'public' ? 'seen' : 'absent');
  });

  it('goes by the own schema of a role that is named', async () => {
    cluster.sql(
      name,
      'CREATE SCHEMA lightdash AUTHORIZATION lightdash; ALTER TABLE knex_migrations SET SCHEMA lightdash',
    );
    const schemaOf = async (more: { migratingRole?: string }) =>
      factIn(await collect(cluster.url('postgres', name), more), 'migrator').schema;
    expect(await schemaOf({ migratingRole: 'lightdash' })).toBe('lightdash');
    expect(await schemaOf({})).toBe('public');
    // And so do the grants.
    cluster.sql(name, grantsSql('looker'));
    const seen = await collect(cluster.url('looker', name), { migratingRole: 'lightdash' });
    expect(factIn(seen, 'ledger')).toHaveLength(1);
  });

  it('is not misled by what a database sets for whoever connects', async () => {
    cluster.sql('postgres', `ALTER ROLE lightdash IN DATABASE ${name} SET statement_timeout = ' 90s '`);
    const facts = async () => {
      // Who is not the role that migrates reads its limits out of the catalogue.
      const file = await collect(cluster.url('postgres', name));
      const keys = ['server', 'role', 'migrator', 'extensions', 'ledger', 'tables'] as const;
      // Whatever a server does moves the age of the oldest transaction on.
      const still = { oldestTransactionAge: undefined };
      return keys.map((key) => [
        key,
        key === 'server' ? { ...factIn(file, key), ...still } : factIn(file, key),
      ]);
    };
    const before = await facts();
    for (const setting of [
      'standard_conforming_strings = off',
      "timezone = 'Asia/Kolkata'",
      "datestyle = 'SQL, DMY'",
      "intervalstyle = 'sql_standard'",
      "client_encoding = 'LATIN1'",
      'extra_float_digits = -5',
      'quote_all_identifiers = on',
      'row_security = off',
    ]) {
      cluster.sql('postgres', `ALTER DATABASE ${name} SET ${setting}`);
    }
    expect(await facts()).toEqual(before);
  });

  it('is not misled by what another role has made', async () => {
    const before = factIn(await collect(cluster.url('lightdash', name)), 'ledger');
    cluster.sql(
      name,
      `CREATE FUNCTION public.to_char(timestamp, text) RETURNS text LANGUAGE sql AS 'SELECT ''${canary}''';
       CREATE FUNCTION public.row_to_json(record) RETURNS json LANGUAGE plpgsql
         AS 'BEGIN RETURN ''"${canary}"''; END';
       CREATE FUNCTION public.unnest(text[]) RETURNS SETOF text LANGUAGE sql AS 'SELECT ''${canary}''';
       CREATE VIEW public.pg_class AS SELECT * FROM pg_catalog.pg_class WHERE false;
       ALTER ROLE lightdash SET search_path = public, pg_catalog`,
    );
    const file = await collect(cluster.url('lightdash', name));
    expect(factsText(file)).not.toContain(canary);
    expect(factIn(file, 'ledger')).toEqual(before);
    expect(factIn(file, 'migrator')).toMatchObject({ name: 'lightdash', schema: 'public' });
    expect(factIn(file, 'tables').length).toBeGreaterThan(10);
  });

  it('asks at most 40 statements, of a full database as of an empty one', async () => {
    cluster.sql('postgres', 'CREATE DATABASE nothing; CREATE ROLE counted SUPERUSER LOGIN');
    cluster.sql(
      'postgres',
      "ALTER ROLE counted SET log_statement = 'all'; ALTER ROLE counted SET log_min_error_statement = panic",
    );
    const statements = async (database: string) => {
      const before = (await cluster.log()).length;
      await collect(cluster.url('counted', database), { measure: true });
      return (await cluster.log()).slice(before).match(/LOG: {2}statement: /g)?.length;
    };
    cluster.sql(name, "INSERT INTO scheduler_log (task, job_id, status) VALUES ('t', 'j', 's'); ANALYZE");
    const counts = [await statements(name), await statements('nothing')];
    expect(counts[0]).toBeGreaterThan(25);
    expect(Math.max(...counts.map(Number))).toBeLessThanOrEqual(40);
  });

  it('writes nothing', async ({ skip }) => {
    skip(cluster.major < 15, 'pg_walinspect, which tells what is written, came with PostgreSQL 15');
    cluster.sql(
      name,
      "INSERT INTO scheduler_log (task, job_id, status) SELECT 't', 'j', 's' FROM generate_series(1, 50000)",
    );
    // Whoever reads a page tidies it, where there is something to be tidied: nothing is left of that.
    cluster.sql(name, 'CREATE EXTENSION pg_walinspect; ANALYZE; VACUUM (FREEZE); VACUUM (FREEZE);');
    const counted = () => {
      const columns = 'tup_inserted, tup_updated, tup_deleted, temp_files, temp_bytes, deadlocks, conflicts';
      const text = `SELECT ${columns} FROM pg_stat_database WHERE datname = current_database()`;
      return cluster.sql(
        name,
        `SELECT pg_stat_force_next_flush(); ${text}; SELECT pg_snapshot_xmax(pg_current_snapshot())`,
      );
    };
    const place = () => cluster.sql(name, 'SELECT pg_current_wal_insert_lsn()');
    counted();
    const [before, from] = [counted(), place()];
    await collect(cluster.url('lightdash', name), { measure: true });
    const [after, to] = [counted(), place()];
    expect(after).toBe(before);
    cluster.sql(name, 'CHECKPOINT');
    const records = `SELECT record_type, count(*) FROM pg_get_wal_records_info('${from}', pg_current_wal_flush_lsn())
      WHERE start_lsn < '${to}' AND resource_manager <> 'Standby' GROUP BY record_type`;
    // The server itself notes every 15 seconds which transactions run.
    expect(cluster.sql(name, records)).toBe('');
  });

  it('holds nobody up, not even who alters the tables that are read', async () => {
    const fill =
      "INSERT INTO scheduler_log (task, job_id, status) SELECT 't', 'j', repeat('s', 500) FROM generate_series(1, 100000)";
    cluster.sql(name, `${fill}; ANALYZE`, 'lightdash');
    // A statement that waits longer for a lock is told to the log.
    cluster.sql(
      'postgres',
      "ALTER ROLE lightdash SET log_lock_waits = on; ALTER ROLE lightdash SET deadlock_timeout = '100ms'",
    );
    const writer = await session('SELECT 1');
    const waitsOfOneLook = async () => {
      const before = (await cluster.log()).length;
      const looking = collect(cluster.url('postgres', name), { measure: true });
      let isOver = false;
      void looking.finally(() => {
        isOver = true;
      });
      let rounds = 0;
      while (!isOver) {
        await writer.query("INSERT INTO scheduler_log (task, job_id, status) VALUES ('t', 'j', 's')");
        await writer.query('UPDATE migration_lease SET last_heartbeat = now()');
        await writer.query('ALTER TABLE knex_migrations ALTER COLUMN batch SET DEFAULT 1');
        await writer.query('ALTER TABLE graphile_worker.jobs ALTER COLUMN attempts SET DEFAULT 0');
        rounds += 1;
      }
      const { facts } = await looking;
      expect(rounds).toBeGreaterThan(5);
      expect([facts.ledger?.status, facts.queue?.status]).toEqual(['seen', 'seen']);
      return (await cluster.log()).slice(before).match(/still waiting for|acquired/g) ?? [];
    };
    // A busy machine may leave the look without a processor while it reads; who is held up by it is so at each look.
    let waits = await waitsOfOneLook();
    for (let looks = 1; looks < 3 && waits.length > 0; looks += 1) waits = await waitsOfOneLook();
    expect(waits).toEqual([]);
  });
});
