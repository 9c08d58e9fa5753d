import pg from 'pg';
import { beforeAll, describe, expect, it } from 'vitest';
import type { CheckId } from '../../src/checks/checks.js';
import { checks } from '../../src/checks/checks.js';
import { runChecks } from '../../src/checks/run-checks.js';
import { grantsSql } from '../../src/gather/database/grants.js';
import { collect, factIn } from '../support/facts-of-database.js';
import { instanceTables } from '../support/lightdash-tables.js';
import { type Cluster, startPostgres } from '../support/postgres.js';
import { inputOf } from '../support/preflight.js';

/** What a whole server is in the midst of: each state brought about, seen, and no longer seen once it is over. */

let cluster: Cluster;

const ran = '20260801000000_ran';

beforeAll(async () => {
  cluster = await startPostgres({
    autovacuum: 'on',
    autovacuum_naptime: '1s',
    synchronous_commit: 'on',
    archive_mode: 'on',
    archive_command: 'exit 1',
  });
  cluster.database('instance', instanceTables({ names: [`${ran}.js`] }));
  cluster.sql('instance', grantsSql('looker'));
});

const releases = [
  { version: '2.0.0', migrations: [{ name: ran }] },
  {
    version: '2.1.0',
    migrations: [{ name: '20260901000000_x', tables: ['saved_queries'], does: ['locks' as const] }],
  },
];

async function found(...only: CheckId[]): Promise<string[]> {
  const { facts } = await collect(cluster.url('looker', 'instance'));
  const { findings } = runChecks(checks, { ...inputOf({ releases }), facts }, new Set(only));
  return findings
    .filter(({ status }) => status !== 'ok')
    .map(({ status, evidence }) => `${status} ${evidence.kind}`);
}

const configure = (settings: Readonly<Record<string, string>>) => {
  const all = Object.entries(settings);
  const change = (to: (value: string) => string) =>
    all
      .map(([name, value]) => `ALTER SYSTEM ${value === '' ? 'RESET' : 'SET'} ${name}${to(value)};`)
      .join('\n');
  cluster.sql(
    'instance',
    `${change((value) => (value === '' ? '' : ` = '${value}'`))} SELECT pg_reload_conf()`,
  );
};

async function connected(role: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: cluster.url(role, 'instance') });
  await client.connect();
  return client;
}

it('counts the connections of clients, and no workers of a parallel query', async () => {
  cluster.sql(
    'instance',
    `CREATE FUNCTION slow(n int) RETURNS int PARALLEL SAFE LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(0.001); RETURN n; END';
    CREATE TABLE numbers AS SELECT generate_series(1, 60000) AS n; ANALYZE numbers`,
  );
  const client = await connected('postgres');
  try {
    await client.query(
      'SET parallel_setup_cost = 0; SET parallel_tuple_cost = 0; SET min_parallel_table_scan_size = 0',
    );
    const query = client.query('SELECT sum(slow(n)) FROM numbers');
    const workers = () =>
      cluster.sql(
        'instance',
        "SELECT count(*) > 0 FROM pg_stat_activity WHERE backend_type = 'parallel worker'",
      ) === 't';
    await expect.poll(workers).toBe(true);
    // The one that asks, and the one that is asked about: the session that was asked before may take a while to go.
    const counted = async () => {
      const { usedConnections, hiddenConnections } = factIn(
        await collect(cluster.url('looker', 'instance')),
        'server',
      );
      return { usedConnections, hiddenConnections, workers: workers() };
    };
    await expect.poll(counted).toEqual({ usedConnections: 2, hiddenConnections: 0, workers: true });
    cluster.sql(
      'instance',
      `SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE query LIKE 'SELECT sum(slow%'`,
    );
    await query.catch(() => undefined);
  } finally {
    await client.end();
  }
});

describe('a synchronous standby', () => {
  it('is waited for by a commit, where none is connected, unless the role waits for none', async () => {
    configure({ synchronous_standby_names: 'FIRST 1 (elsewhere)' });
    try {
      await expect.poll(() => found('primary')).toEqual(['stop commits-wait']);
      const client = await connected('lightdash');
      const written = client.query("INSERT INTO users VALUES (gen_random_uuid()); SELECT 'written'");
      const waits = () =>
        cluster.sql('instance', "SELECT pid FROM pg_stat_activity WHERE wait_event = 'SyncRep'");
      await expect.poll(waits).not.toBe('');
      cluster.sql('instance', `SELECT pg_cancel_backend(${waits()})`);
      await written;
      await client.end();
    } finally {
      configure({ synchronous_standby_names: '' });
    }
    await expect.poll(() => found('primary')).toEqual([]);
    cluster.during(
      'instance',
      'ALTER ROLE lightdash SET synchronous_commit = local',
      'ALTER ROLE lightdash RESET ALL',
    );
    configure({ synchronous_standby_names: 'elsewhere' });
    try {
      const isSet = async () =>
        factIn(await collect(cluster.url('looker', 'instance')), 'replication').synchronous;
      await expect.poll(isSet).toEqual({ needed: 1, connected: 0, hidden: 0 });
      expect(await found('primary')).toEqual([]);
    } finally {
      configure({ synchronous_standby_names: '' });
    }
  });

  it.each([
    ['a, b', 1],
    ['2 (a, b, c)', 2],
    ['ANY 3 (*)', 3],
    ['first 2(a,b)', 2],
  ])('of %j is one of %i', async (names, needed) => {
    configure({ synchronous_standby_names: names });
    try {
      const seen = async () =>
        factIn(await collect(cluster.url('looker', 'instance')), 'replication').synchronous?.needed ?? null;
      await expect.poll(seen).toBe(needed);
    } finally {
      configure({ synchronous_standby_names: '' });
    }
  });
});

// A server tries again what it could not archive a minute later.
it('the archiver fails, and follows again', { timeout: 300_000 }, async () => {
  const switchWal = () =>
    cluster.sql('instance', "SELECT pg_logical_emit_message(false, '', ''); SELECT pg_switch_wal()");
  // A command without the name of a file archives nothing.
  switchWal();
  await expect.poll(() => cluster.sql('instance', 'SELECT failed_count > 0 FROM pg_stat_archiver')).toBe('t');
  expect(await found('archiver')).toEqual([]);
  configure({ archive_command: 'test -e /nowhere/%f' });
  try {
    await expect.poll(() => found('archiver')).toEqual(['warn archiver-fails']);
    configure({ archive_command: 'test -n %f' });
    switchWal();
    await expect.poll(() => found('archiver'), { timeout: 180_000, interval: 1000 }).toEqual([]);
  } finally {
    configure({ archive_command: '' });
  }
});

it('is near the end of its transaction IDs, and at it', async () => {
  // What the server goes by is in memory: this is what it shows.
  const aged = (age: string) =>
    `UPDATE pg_database SET datfrozenxid = (((txid_current() - ${age}) % 4294967296 + 4294967296) % 4294967296)::text::xid
    WHERE datname = 'template0'`;
  const [before] = cluster
    .sql('instance', "SELECT datfrozenxid FROM pg_database WHERE datname = 'template0'")
    .split('\n');
  const mend = `UPDATE pg_database SET datfrozenxid = '${before}' WHERE datname = 'template0'`;
  expect(await found('primary')).toEqual([]);
  cluster.during('instance', aged('1700000000'), mend);
  // A server that sees an age like these vacuums at once and brings the row up to date by itself: it may do so between
  // the two statements here, so that an age is set again for each look.
  const foundAtAge = (age: string) => () => {
    cluster.sql('instance', aged(age));
    return found('primary');
  };
  await expect.poll(foundAtAge('1700000000')).toEqual(['warn few-transaction-ids-left']);
  await expect.poll(foundAtAge('2146000000')).toEqual(['stop out-of-transaction-ids']);
});

it('an automatic vacuum makes way after deadlock_timeout', async () => {
  cluster.sql(
    'instance',
    `ALTER TABLE saved_queries SET (autovacuum_vacuum_threshold = 0, autovacuum_vacuum_scale_factor = 0,
      autovacuum_vacuum_cost_delay = 100, autovacuum_vacuum_cost_limit = 1, autovacuum_analyze_threshold = 1000000000);
    INSERT INTO saved_queries (name) SELECT repeat('x', 500) FROM generate_series(1, 20000);
    DELETE FROM saved_queries WHERE saved_query_id % 2 = 0`,
  );
  const vacuums = () => cluster.sql('instance', 'SELECT count(*) FROM pg_stat_progress_vacuum');
  await expect.poll(vacuums).not.toBe('0');
  expect(await found('vacuums')).toEqual([]);
  cluster.sql('instance', "ALTER ROLE lightdash SET deadlock_timeout = '10s'");
  expect(await found('vacuums')).toEqual(['warn vacuum-makes-way-late']);
  const lock = "SET lock_timeout = '2s'; BEGIN; LOCK TABLE saved_queries; COMMIT";
  expect(() => cluster.sql('instance', lock, 'lightdash')).toThrow(/lock timeout/);
  cluster.sql('instance', 'ALTER ROLE lightdash RESET ALL');
  cluster.sql('instance', lock, 'lightdash');
});
