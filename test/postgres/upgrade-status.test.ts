import { Client } from 'pg';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Outcome, runCli } from '../support/cli.js';
import { leastTime } from '../support/least-time.js';
import { knexTables, leaseTable, runLedgerTable } from '../support/lightdash-tables.js';
import { type Cluster, startPostgres } from '../support/postgres.js';
import { realIndexFile } from '../support/real-index.js';

let cluster: Cluster;
let count = 0;
const clients: Client[] = [];

beforeAll(async () => {
  cluster = await startPostgres();
  cluster.sql('postgres', 'CREATE ROLE alice LOGIN');
  cluster.sql('postgres', 'CREATE ROLE looker LOGIN');
  cluster.sql('postgres', 'CREATE ROLE monitor LOGIN IN ROLE pg_monitor');
  // What the command needs is loaded once.
  await databaseWith().look();
});

afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.end().catch(() => undefined)));
});

const migration = '20260610120000_backfill_versions.ts';
const idle = `${knexTables({ names: ['20260601000000_old.ts'] })}${leaseTable}${runLedgerTable}
CREATE TABLE saved_queries_versions (id int PRIMARY KEY, note text);
INSERT INTO saved_queries_versions SELECT i, 'secret of a row' FROM generate_series(1, 1000) AS i;
GRANT SELECT, UPDATE ON saved_queries_versions TO alice;`;
const run = (outcome: string, ago = '1 minute') =>
  `INSERT INTO migration_run_ledger (app_version, attempt, outcome, started_at)
VALUES ('2.134.2', 1, '${outcome}', now() - interval '${ago}');`;
const held = (heartbeat = '3 seconds', began = '250 seconds') => `
UPDATE knex_migrations SET migration_time = now() - interval '1 hour';
${run('running', began)}
UPDATE migration_lease SET claim_token = gen_random_uuid(), app_version = '2.134.2', current_migration = '${migration}',
  started_at = now() - interval '${began}', last_heartbeat = now() - interval '${heartbeat}';`;

const mayRead = (role: string) =>
  `GRANT SELECT ON knex_migrations, knex_migrations_lock, migration_lease, migration_run_ledger TO ${role}`;

/** What is right has to be there in two seconds: whoever waits for an upgrade looks again and again. */
async function lookAt(url: string, more: readonly string[]) {
  let seen: Outcome | undefined;
  const look = async () => {
    seen = await runCli(['upgrade-status', '--database', url, ...more]);
  };
  expect(await leastTime(look, 2000)).toBeLessThan(2000);
  return { code: seen?.code, said: (seen?.stdout ?? '').trim(), stderr: seen?.stderr };
}

const secondsOf: Readonly<Record<string, number>> = { h: 3600, min: 60, s: 1 };

/** The ages in a text, in seconds, and the text without them. */
function agesIn(text: string) {
  const seconds: number[] = [];
  const words = text.replaceAll(/\d+ (?:h|min|s)\b(?: \d+ (?:min|s)\b)?/g, (age) => {
    const parts = [...age.matchAll(/(\d+) (\w+)/g)];
    seconds.push(
      parts.reduce((sum, [, count, unit = '']) => sum + Number(count) * (secondsOf[unit] ?? 0), 0),
    );
    return '<age>';
  });
  return { seconds, words };
}

/** That it says so, with ages that are no more than what has passed since above those. */
function expectSaid(said: string, meant: string, passed: number): void {
  const [seen, told] = [agesIn(said), agesIn(meant)];
  expect(seen.words).toBe(told.words);
  for (const [i, least] of told.seconds.entries()) {
    expect(seen.seconds[i]).toBeGreaterThanOrEqual(least);
    expect(seen.seconds[i]).toBeLessThanOrEqual(least + passed);
  }
}

/** A database in that state, and how it is looked at. */
function databaseWith(...sql: readonly string[]) {
  const name = `status_${++count}`;
  const made = performance.now();
  cluster.database(name, ...sql);
  return {
    secondsPassed: () => (performance.now() - made) / 1000,
    session: async (role: string, ...statements: readonly string[]) => {
      const client = new Client({ connectionString: cluster.url(role, name) });
      client.on('error', () => undefined);
      clients.push(client);
      await client.connect();
      for (const statement of statements) await client.query(statement);
      return client;
    },
    look: (...more: readonly string[]) => lookAt(cluster.url('lightdash', name), more),
    lookAs: (role: string, ...more: readonly string[]) => lookAt(cluster.url(role, name), more),
  };
}

/** Until a session waits for a lock. */
async function untilWaiting(look: () => Promise<{ said: string }>): Promise<void> {
  await expect.poll(async () => (await look()).said).toContain('waits for a lock');
}

describe('a database in which nothing is at work', () => {
  it.each<[name: string, sql: readonly string[], code: number, said: string | RegExp]>([
    ['that has only Knex', [knexTables({ names: ['a.ts'] })], 0, 'at rest: no migrator is at work'],
    ['with a lease and no run yet', [idle], 0, 'at rest: no migrator is at work'],
    ['after a run', [idle, run('succeeded')], 0, /^done: 2\.134\.2, run of 20\d\d-/],
    [
      'whose lock of Knex nobody holds',
      [knexTables({ names: ['a.ts'], locked: true })],
      1,
      'dead: the lock of Knex is held, and no session migrates',
    ],
    [
      'with a heartbeat of three minutes ago',
      [idle, held('3 minutes')],
      1,
      `dead: heartbeat 3 min old, the lease can be taken, in ${migration}`,
    ],
    [
      'with a lease that never had a heartbeat',
      [idle, held(), 'UPDATE migration_lease SET last_heartbeat = NULL'],
      1,
      `dead: no heartbeat, the lease can be taken, in ${migration}`,
    ],
    [
      'that is parked',
      [
        idle,
        run('parked'),
        `UPDATE migration_lease SET parked_at = now() - interval '2 hours 5 minutes', parked_app_version = '2.134.2',
         parked_migration = '${migration}', parked_error = 'secret of an error'`,
      ],
      1,
      `parked in ${migration} (2.134.2) for 2 h 5 min; the same release does not try again by itself`,
    ],
    [
      'whose newest run was cut off',
      [idle, run('running')],
      3,
      'not seen: the newest run, of 2.134.2, is running, and nobody holds the lease',
    ],
    [
      'with a heartbeat just too old',
      [idle, held('76 seconds')],
      1,
      `dead: heartbeat 1 min 16 s old, the lease can be taken, in ${migration}`,
    ],
    [
      'with a dead lease that names no migration',
      [idle, held('3 minutes'), 'UPDATE migration_lease SET current_migration = NULL'],
      1,
      'dead: heartbeat 3 min old, the lease can be taken',
    ],
    [
      'whose lock of Knex has no row',
      [idle, 'DELETE FROM knex_migrations_lock'],
      0,
      'at rest: no migrator is at work',
    ],
    [
      'whose lock of Knex has two rows, one of them held',
      [idle, 'INSERT INTO knex_migrations_lock (is_locked) VALUES (1)'],
      1,
      'dead: the lock of Knex is held, and no session migrates',
    ],
    [
      'after a run that followed a failed one',
      [idle, run('parked', '2 hours'), run('succeeded')],
      0,
      /^done: 2\.134\.2, /,
    ],
    [
      'whose newest run failed, and was unlocked since',
      [idle, run('succeeded', '2 hours'), run('parked')],
      3,
      'not seen: the newest run, of 2.134.2, is parked, and nobody holds the lease',
    ],
    [
      'whose newest run was to be tried again',
      [idle, run('retrying')],
      3,
      'not seen: the newest run, of 2.134.2, is retrying, and nobody holds the lease',
    ],
    [
      'parked without a name of what failed',
      [idle, "UPDATE migration_lease SET parked_at = now() - interval '10 seconds'"],
      1,
      'parked for 10 s; the same release does not try again by itself',
    ],
    ['with an empty ledger', [idle, 'DELETE FROM knex_migrations'], 0, 'at rest: no migrator is at work'],
    ['without the tables', ['SELECT 1'], 3, /^not seen: there is no table public\.knex_migrations/],
    [
      'with a view in place of the lease',
      [`${knexTables({ names: ['a.ts'] })} CREATE VIEW migration_lease AS SELECT 1 AS claim_token`],
      3,
      /^not seen: public\.migration_lease is a view/,
    ],
  ])('%s', async (_name, sql, code, said) => {
    const database = databaseWith(...sql);
    const outcome = await database.look();
    expect(outcome).toEqual({ code, said: expect.any(String), stderr: '' });
    if (typeof said === 'string') expectSaid(outcome.said, said, database.secondsPassed());
    else expect(outcome.said).toMatch(said);
  });
});

/** A session of somebody else, as busy as can be: no migrator. */
describe('a database in which others work', () => {
  it.each<[name: string, ...statements: string[]]>([
    ['reads for long', 'BEGIN', 'SELECT count(*) FROM saved_queries_versions'],
    ['changes rows', 'BEGIN', "UPDATE saved_queries_versions SET note = 'x'"],
    ['locks rows', 'BEGIN', 'SELECT * FROM saved_queries_versions FOR UPDATE'],
    ['reads the ledger', 'BEGIN', 'SELECT * FROM knex_migrations, knex_migrations_lock, migration_lease'],
  ])('is at rest while one %s', async (_, ...statements) => {
    const database = databaseWith(idle, mayRead('alice'));
    await database.session('alice', ...statements);
    expect(await database.look()).toMatchObject({ code: 0, said: 'at rest: no migrator is at work' });
  });
});

describe('a migration at work', () => {
  it('is named with its statement and its table, and with who waits for it', async () => {
    const database = databaseWith(idle, held());
    await database.session('lightdash', 'BEGIN', 'ALTER TABLE saved_queries_versions ADD later int');
    const outcome = await database.look();
    expect(outcome).toEqual({
      code: 3,
      said: expect.stringMatching(/^migrating .* ago: ALTER TABLE saved_queries_versions; nobody waits$/),
      stderr: '',
    });
    const other = await database.session('alice');
    void other.query('SELECT count(*) FROM saved_queries_versions').catch(() => undefined);
    await expect.poll(async () => (await database.look()).said).toContain('; 1 session waits for it');
  });

  it('without a lock of its own is seen by lease and heartbeat alone', async () => {
    const database = databaseWith(idle, held());
    const { code, said } = await database.look();
    expect(code).toBe(3);
    const meant = `migrating ${migration} for 4 min 10 s, heartbeat 3 s ago: no lock of it is seen; nobody waits`;
    expectSaid(said, meant, database.secondsPassed());
  });

  it('of Knex alone is seen by the lock of Knex', async () => {
    const database = databaseWith(knexTables({ names: ['a.ts'] }));
    await database.session('lightdash', 'BEGIN', 'UPDATE knex_migrations_lock SET is_locked = 1');
    expect(await database.look()).toMatchObject({
      code: 3,
      said: expect.stringMatching(/^migrating: UPDATE knex_migrations_lock/),
    });
  });

  it('that waits for somebody says for whom, and is a no once that lasts', async () => {
    const database = databaseWith(idle, held(), mayRead('monitor'));
    await database.session('alice', 'BEGIN', "UPDATE saved_queries_versions SET note = 'x' WHERE id = 1");
    const migrator = await database.session('lightdash');
    void migrator.query('ALTER TABLE saved_queries_versions ADD later int').catch(() => undefined);
    await untilWaiting(database.look);
    const waits = /: waits for a lock held by pid \d+ \(alice, idle in transaction for \d+ s\)$/;
    expect(await database.lookAs('monitor')).toMatchObject({ code: 3, said: expect.stringMatching(waits) });
    await new Promise((done) => setTimeout(done, 1100));
    expect(await database.lookAs('monitor', '--stuck', '1s')).toMatchObject({
      code: 1,
      said: expect.stringMatching(waits),
    });
  });

  it('is seen by a role that may not see statements, which are said to be hidden', async () => {
    const database = databaseWith(idle, held(), mayRead('looker'));
    await database.session('alice', 'BEGIN', "UPDATE saved_queries_versions SET note = 'x' WHERE id = 1");
    const migrator = await database.session('lightdash');
    void migrator.query('ALTER TABLE saved_queries_versions ADD later int').catch(() => undefined);
    await untilWaiting(database.look);
    expect(await database.lookAs('looker')).toMatchObject({
      code: 3,
      said: expect.stringMatching(/held by pid \d+ \(alice\); its state is hidden from you$/),
    });
  });

  it('is not seen by a role that may not read the tables', async () => {
    const { code, said } = await databaseWith(idle, held()).lookAs('looker');
    expect({ code, said }).toEqual({
      code: 3,
      said: expect.stringMatching(/^not seen: .*permission denied/),
    });
  });

  it('shows no value of a row, no text of a query and no error', async () => {
    const database = databaseWith(idle, held());
    await database.session(
      'lightdash',
      'BEGIN',
      'LOCK TABLE saved_queries_versions IN EXCLUSIVE MODE',
      "UPDATE saved_queries_versions SET note = 'secret of a query'",
    );
    const { said } = await database.look('--json');
    expect(said).not.toContain('secret');
    expect(JSON.parse(said)).toMatchObject({
      schemaVersion: '1',
      safe: false,
      state: 'migrating',
      migration,
      version: '2.134.2',
      waitingSessions: 0,
    });
  });
});

describe('--history', () => {
  const index = ['--index', realIndexFile];
  const ran = `${knexTables({ names: [] })}${leaseTable}${runLedgerTable}
INSERT INTO knex_migrations (name, batch, migration_time) VALUES
  ('20260701000000_old.ts', 1, '2026-07-28T10:00:00Z'), ('20260702000000_old.ts', 1, '2026-07-28T10:02:00Z'),
  ('20260820000000_new.ts', 2, '2026-09-01T12:00:30Z');
INSERT INTO migration_run_ledger (app_version, attempt, outcome, started_at, finished_at) VALUES
  ('2.60.0', 1, 'succeeded', '2026-09-01T12:00:00Z', '2026-09-01T12:01:00Z'),
  ('2.60.0', 1, 'succeeded', '2026-09-02T12:00:00Z', '2026-09-02T12:00:01Z');`;

  it('lists what ran when and how long, and changes nothing', async () => {
    const { code, said, stderr } = await databaseWith(ran).look('--history', ...index);
    expect({ code, lines: said.split('\n'), stderr }).toEqual({
      code: 0,
      lines: [
        expect.stringMatching(
          /^2026-07-28 10:00 {2}\d+\.\d+\.\d+ or older: 2 migrations, at least 2 minutes$/,
        ),
        '2026-09-01 12:00  2.60.0: 1 migration, 60 seconds',
        'and 1 start with nothing to migrate',
        'The longest migration took up to 2 minutes: 20260702000000_old.ts',
      ],
      stderr: '',
    });
  });

  it('is JSON', async () => {
    const { said } = await databaseWith(ran).look('--history', '--json', ...index);
    expect(JSON.parse(String(said))).toMatchObject({ schemaVersion: '1', idleStarts: 1, undated: 0 });
  });

  it('needs no run ledger, and is no answer where nothing may be read', async () => {
    const before = await databaseWith(knexTables({ names: ['a.ts'] })).look('--history', ...index);
    expect(before.code).toBe(0);
    const database = databaseWith(ran);
    expect(await database.lookAs('looker', '--history', ...index)).toMatchObject({ code: 3, said: '' });
    expect(await databaseWith('SELECT 1').look('--history', ...index)).toMatchObject({
      code: 3,
      stderr: expect.stringContaining(
        'what ran there was not seen: there is no table public.knex_migrations',
      ),
    });
  });
});
