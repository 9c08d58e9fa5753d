import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Check } from '../../src/checks/check.js';
import { type CheckEvidence, type CheckId, checks } from '../../src/checks/checks.js';
import { describeFinding } from '../../src/checks/describe.js';
import { runChecks } from '../../src/checks/run-checks.js';
import { collectFacts } from '../../src/gather/database/collect-facts.js';
import { grantsSql } from '../../src/gather/database/grants.js';
import { runCli } from '../support/cli.js';
import { instanceTables } from '../support/lightdash-tables.js';
import { type Cluster, startPostgres, whenMeasured } from '../support/postgres.js';
import {
  factsOf,
  healthyFacts,
  inputOf,
  issuesUnder,
  type MigrationCase,
  type ReleaseCase,
  writeSituation,
} from '../support/preflight.js';
import { temporaryFolder } from '../support/temporary-folder.js';

/** The incidents once more, on a real server: each brought about in SQL, seen, taken back, and no longer seen. */

let cluster: Cluster;

const ofDatabase = new Set(checks.filter(({ group }) => group === 'database').map(({ id }) => id));

const ran = '20260801000000_ran';

/** Before the schema needed an extension that a plain server does not have. */
const releaseDate = '2025-01-01T00:00:00Z';

const pending: MigrationCase[] = [
  { name: '20260901000000_alter', tables: ['projects', 'saved_queries'], does: ['locks'] },
  { name: '20260902000000_scan', tables: ['analytics_chart_views'], does: ['scans'] },
];

const way: readonly ReleaseCase[] = [
  { version: '2.0.0', migrations: [{ name: ran }], entry: { releaseDate } },
  { version: '2.1.0', migrations: pending, entry: { releaseDate } },
];

beforeAll(async () => {
  cluster = await startPostgres();
  cluster.database('instance', instanceTables({ names: [`${ran}.js`] }));
  cluster.sql('instance', 'CREATE EXTENSION "uuid-ossp"');
  cluster.sql('instance', grantsSql('looker'));
});

async function answer(releases = way, role = 'looker', migratingRole?: string) {
  const { facts } = await collectFacts({
    database: cluster.url(role, 'instance'),
    env: {},
    measure: false,
    ...(migratingRole === undefined ? {} : { migratingRole }),
  });
  // So small a database tells nothing of how fast its server is.
  const { readRate, sortRate } = factsOf(healthyFacts());
  const input = {
    ...inputOf({ releases, diskFree: 40 * 1024 ** 3 }),
    facts: { ...facts, readRate, sortRate },
  };
  return runChecks(checks, { ...input, issues: issuesUnder(input) }, ofDatabase);
}

type Found = Awaited<ReturnType<typeof answer>>['findings'][number];
const commandsOf = (finding: Found | undefined) =>
  finding === undefined ? [] : (describeFinding(finding).remedy?.commands ?? []);

async function found(releases?: readonly ReleaseCase[]): Promise<string[]> {
  const { findings } = await answer(releases);
  return findings
    .filter(({ status }) => status !== 'ok')
    .map(({ check, status, evidence }) => `${check}: ${status} ${evidence.kind}`);
}

const to = (version: string, migrations: readonly MigrationCase[] = pending): readonly ReleaseCase[] => [
  { version: '1.100.0', migrations: [{ name: ran }], entry: { releaseDate } },
  { version, migrations, entry: { releaseDate } },
];

const aiPrompt: MigrationCase = {
  name: '20260903120000_add_response_timing_to_ai_prompt',
  tables: ['ai_prompt'],
  does: ['locks'],
};

/** The checks that must have seen a fact. */
function needing(key: string): CheckId[] {
  return checks
    .filter(({ needs, needsOrAbsent = [] }: Check<CheckId, CheckEvidence>) =>
      [...needs, ...needsOrAbsent].some((one) => one === key),
    )
    .map(({ id }) => id);
}

/** What breaks it, and what mends it. */
type Change = readonly [breaks: string, mends: string];

const lock = (isLocked: string): Change => [
  `UPDATE knex_migrations_lock SET is_locked = ${isLocked}`,
  'UPDATE knex_migrations_lock SET is_locked = 0',
];
const idle = { claim_token: 'NULL', last_heartbeat: 'NULL', parked_at: 'NULL', parked_app_version: 'NULL' };
const leaseIs = (row: object) =>
  `UPDATE migration_lease SET ${Object.entries(row).map(([column, value]) => `${column} = ${value}`)}`;
const lease = (row: object): Change => [leaseIs(row), leaseIs(idle)];
const claimed = { claim_token: 'gen_random_uuid()' };
const jobs = (columns: string, values: string): Change => [
  `INSERT INTO graphile_worker.jobs (task_identifier, ${columns}) SELECT 't', ${values}`,
  'DELETE FROM graphile_worker.jobs',
];
const ledgerRow = (name: string): Change => [
  `INSERT INTO knex_migrations (name) VALUES ('${name}')`,
  `DELETE FROM knex_migrations WHERE name = '${name}'`,
];
const altered = (what: string, breaks: string, mends: string): Change => [
  `ALTER ${what} ${breaks}`,
  `ALTER ${what} ${mends}`,
];
const ownedByAnother = (what: string) => altered(what, 'OWNER TO postgres', 'OWNER TO lightdash');
const refuse = (when: string, body: string, more = ''): Change => [
  `CREATE FUNCTION refuse() RETURNS event_trigger LANGUAGE plpgsql AS 'BEGIN ${body} END';
    CREATE EVENT TRIGGER frozen ON ${when} EXECUTE FUNCTION refuse(); ${more}`,
  'DROP EVENT TRIGGER frozen; DROP FUNCTION refuse',
];
const withAiPrompt: readonly ReleaseCase[] = [
  { version: '2.125.0', migrations: [{ name: ran }], entry: { releaseDate } },
  { version: '2.126.0', migrations: [aiPrompt], entry: { releaseDate } },
];
const noMoreThan = (limit: number, what: string) =>
  altered(what, `CONNECTION LIMIT ${limit}`, 'CONNECTION LIMIT -1');
const inDatabase = 'ROLE lightdash IN DATABASE instance';

const scenes: readonly [finds: string, Change, releases?: readonly ReleaseCase[]][] = [
  ['lock-and-lease: stop knex-lock-held', lock('1'), to('1.122.0')],
  ['lock-and-lease: stop knex-lock-held', lock('NULL'), to('1.122.0')],
  [
    'lock-and-lease: stop knex-lock-rows',
    [
      'INSERT INTO knex_migrations_lock (is_locked) VALUES (0)',
      'DELETE FROM knex_migrations_lock WHERE index <> (SELECT min(index) FROM knex_migrations_lock)',
    ],
    to('1.122.0'),
  ],
  ['lock-and-lease: stop lease-migrating', lease({ ...claimed, last_heartbeat: 'now()' })],
  ['lock-and-lease: warn lease-stale', lease({ ...claimed, last_heartbeat: "now() - interval '2 min'" })],
  [
    'lock-and-lease: stop lease-parked-for-target',
    lease({ parked_at: 'now()', parked_app_version: "'2.1.0'" }),
  ],
  [
    'parked-probe: stop probe-would-fail-on-parked',
    [
      "INSERT INTO migration_run_ledger (app_version, attempt, outcome) VALUES ('1.150.0', 3, 'parked')",
      'DELETE FROM migration_run_ledger',
    ],
    to('1.150.0'),
  ],
  [
    'known-issues: stop known-issue-stops, table-absent: stop table-absent',
    ['SELECT 1', 'CREATE TABLE ai_prompt (); ALTER TABLE ai_prompt OWNER TO lightdash'],
    withAiPrompt,
  ],
  [
    'start-check: stop start-privileges, migration-rights: stop table-not-owned',
    ownedByAnother('TABLE projects'),
  ],
  ['migration-rights: warn queue-not-owned', ownedByAnother('TABLE graphile_worker.jobs')],
  [
    'migration-rights: warn queue-not-owned',
    [
      "CREATE FUNCTION graphile_worker.get_job() RETURNS int LANGUAGE sql AS 'SELECT 1'; ALTER FUNCTION graphile_worker.get_job() OWNER TO postgres",
      'DROP FUNCTION graphile_worker.get_job()',
    ],
  ],
  [
    'start-check: stop start-privileges, migration-rights: stop no-right-to-create',
    [
      'ALTER SCHEMA public OWNER TO postgres; REVOKE CREATE ON SCHEMA public FROM lightdash, public',
      'ALTER SCHEMA public OWNER TO lightdash; GRANT CREATE ON SCHEMA public TO lightdash',
    ],
  ],
  ['migration-rights: warn event-trigger', refuse('ddl_command_start', "RAISE ''frozen'';")],
  ['', refuse('ddl_command_end', '', 'ALTER EVENT TRIGGER frozen DISABLE')],
  [
    'timeouts: warn timeout-set',
    altered(inDatabase, "SET statement_timeout = '60s'", 'RESET statement_timeout'),
  ],
  [
    'primary: stop begins-read-only',
    altered('ROLE lightdash', 'SET default_transaction_read_only = on', 'RESET ALL'),
  ],
  ['connections: stop no-connections-left', noMoreThan(1, 'ROLE lightdash')],
  ['connections: stop no-connections-left', noMoreThan(2, 'DATABASE instance')],
  ['', noMoreThan(20, 'ROLE lightdash')],
  [
    'prepared-transactions: stop prepared-transaction-locks',
    [
      "BEGIN; LOCK TABLE projects IN SHARE MODE; PREPARE TRANSACTION 'transfer'",
      "ROLLBACK PREPARED 'transfer'",
    ],
  ],
  [
    'replication-slots: warn slot-inactive',
    [
      "SELECT pg_create_logical_replication_slot('gone', 'pgoutput'); CREATE TABLE wal AS SELECT 1; SELECT pg_switch_wal(); CREATE TABLE more AS SELECT 1; SELECT pg_switch_wal(); DROP TABLE wal, more",
      "SELECT pg_drop_replication_slot('gone')",
    ],
  ],
  [
    '',
    [
      "SELECT pg_create_logical_replication_slot('idle', 'pgoutput')",
      "SELECT pg_drop_replication_slot('idle')",
    ],
  ],
  [
    'invalid-indexes: warn index-invalid',
    [
      "UPDATE pg_index SET indisvalid = false WHERE indrelid = (SELECT reltoastrelid FROM pg_class WHERE relname = 'query_history')",
      "UPDATE pg_index SET indisvalid = true WHERE indrelid = (SELECT reltoastrelid FROM pg_class WHERE relname = 'query_history')",
    ],
  ],
  [
    'invalid-indexes: warn index-invalid',
    [
      "CREATE INDEX left_over ON sessions (expired); UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'left_over'::regclass",
      'DROP INDEX left_over',
    ],
  ],
  ['queue: warn jobs-left-locked', jobs('attempts, max_attempts, locked_at', '1, 1, now()')],
  ['queue: warn jobs-not-worked', jobs('run_at', "now() - interval '1 day' FROM generate_series(1, 50)")],
  ['queue: warn jobs-failed', jobs('attempts, max_attempts, run_at', "1, 1, now() - interval '23 hours'")],
  ['', jobs('attempts, max_attempts, run_at', "1, 1, '2024-01-01'")],
  [
    'ledger: stop ledger-unnamed',
    [
      'INSERT INTO knex_migrations (name, batch) VALUES (NULL, 2)',
      'DELETE FROM knex_migrations WHERE name IS NULL',
    ],
  ],
  [
    'ledger: stop ledger-diverged, lock-and-lease: stop table-gone, start-check: stop start-diverged',
    [
      `ALTER TABLE migration_lease RENAME TO gone; ${ledgerRow('20260810120000_create_migration_lease.js')[0]}`,
      `ALTER TABLE gone RENAME TO migration_lease; ${ledgerRow('20260810120000_create_migration_lease.js')[1]}`,
    ],
  ],
  ['ledger: stop ledger-diverged, start-check: stop start-diverged', ledgerRow('20261001000000_newer.js')],
  ['ledger: stop ledger-half-applied', ledgerRow('20260901000000_alter.js')],
];

describe('an instance with nothing the matter', () => {
  it('is a go in every check', async () => {
    expect(await found()).toEqual([]);
    // That of a rehearsal is made where one is given.
    const withoutRehearsal = [...ofDatabase].filter((id) => id !== 'rehearsal');
    expect((await answer()).counts).toEqual({
      stop: 0,
      'not-checked': 0,
      warn: 0,
      ok: withoutRehearsal.length,
    });
  });
});

describe('what stands in the way', () => {
  it.each(scenes)('finds %j after %j', async (finds, [breaks, mends], releases) => {
    cluster.sql('instance', breaks);
    try {
      expect((await found(releases)).join(', ')).toBe(finds);
    } finally {
      cluster.sql('instance', mends);
    }
    expect(await found(releases)).toEqual([]);
  });

  it('a session that locks, and a lock that its migrator may still hold', async () => {
    const session = new pg.Client({ connectionString: cluster.url('lightdash', 'instance') });
    await session.connect();
    const nothingAtOnce = async (locks: string): Promise<void> => {
      const began = performance.now();
      await session.query(locks);
      const seen = await found();
      if (performance.now() - began < 5000) return expect(seen).toEqual([]);
      // The machine was so busy that the lock was held for long by then.
      await session.query('ROLLBACK');
      return nothingAtOnce(locks);
    };
    const fiveSecondsLater = async (locks: string) => {
      await nothingAtOnce(locks);
      await expect.poll(found, { interval: 500 }).not.toEqual([]);
      return found();
    };
    try {
      expect(await fiveSecondsLater('BEGIN; SELECT FROM migration_lease FOR UPDATE')).toEqual([
        'table-locks: warn migrators-table-locked',
      ]);
      await session.query(
        'COMMIT; BEGIN; UPDATE knex_migrations_lock SET is_locked = 1; LOCK TABLE projects IN ROW SHARE MODE',
      );
      expect(await found()).toEqual([
        'lock-and-lease: stop knex-migrating',
        'table-locks: stop migrator-locks',
      ]);
      expect(await fiveSecondsLater('ROLLBACK; BEGIN; LOCK TABLE projects IN ROW SHARE MODE')).toEqual([
        'table-locks: warn table-locked',
      ]);
      cluster.sql('instance', 'UPDATE knex_migrations_lock SET is_locked = 1');
      expect(await found()).toContain('lock-and-lease: stop knex-lock-freed-by-target');
    } finally {
      await session.end();
      cluster.sql('instance', 'UPDATE knex_migrations_lock SET is_locked = 0');
    }
    expect(await found()).toEqual([]);
  });
});

describe('a backfill on record', () => {
  const name = '20260610120000_default_saved_chart_timezone_to_project';
  const table = 'saved_queries_versions';
  const releases: readonly ReleaseCase[] = [
    { version: '0.3137.0', migrations: [{ name: ran }], entry: { releaseDate } },
    { version: '0.3138.0', migrations: [{ name, tables: [table], does: ['locks'] }], entry: { releaseDate } },
  ];
  const ofBackfills = async () => {
    const { findings } = await answer(releases);
    return findings.filter(({ check }) => check === 'backfills');
  };
  beforeAll(() => {
    cluster.sql(
      'instance',
      `INSERT INTO saved_queries (name) VALUES ('a');
      INSERT INTO ${table} (saved_query_id, timezone)
        SELECT 1, CASE WHEN n % 4 = 0 THEN 'UTC' END FROM generate_series(1, 20000) AS n`,
    );
    // A session of its own: what one session inserts is counted when it ends, and would count as changed since. Before
    // PostgreSQL 15 a collector counts, which may hear of the rows later than of the analysis.
    const counted = `SELECT n_live_tup || ' ' || n_mod_since_analyze FROM pg_stat_user_tables WHERE relname = '${table}'`;
    return vi.waitFor(
      () => {
        cluster.sql('instance', `ANALYZE ${table}`);
        expect(cluster.sql('instance', counted)).toContain('20000 0');
      },
      { timeout: 60_000, interval: 600 },
    );
  });
  afterAll(() => cluster.sql('instance', 'TRUNCATE saved_queries CASCADE; ANALYZE saved_queries_versions'));

  it('is named with the rows that the server expects, by the least role', async () => {
    const [finding, ...others] = await ofBackfills();
    expect(others).toEqual([]);
    expect(finding).toMatchObject({ status: 'ok', subject: name, evidence: { kind: 'backfill-pending' } });
    const [rows] = finding?.evidence.kind === 'backfill-pending' ? finding.evidence.rows : [];
    expect(rows?.least).toBeGreaterThan(14_000);
    expect(rows?.most).toBeLessThan(16_000);
  });

  it('runs no code of others for that', async () => {
    const [breaks, mends] = [
      `CREATE FUNCTION tell(text) RETURNS text IMMUTABLE LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'it ran'; END $$;
      CREATE INDEX ON ${table} (tell(timezone)) WHERE saved_query_id < 0`,
      'DROP FUNCTION tell CASCADE',
    ];
    cluster.sql('instance', breaks);
    try {
      const [finding] = await ofBackfills();
      const [rows] = finding?.evidence.kind === 'backfill-pending' ? finding.evidence.rows : [];
      expect(rows).toMatchObject({ least: 0, most: 20_000 });
    } finally {
      cluster.sql('instance', mends);
    }
  });

  it('is over once it has run', async () => {
    const [insert, remove] = ledgerRow(`${name}.js`);
    cluster.sql('instance', insert);
    try {
      expect((await ofBackfills()).map(({ evidence }) => evidence.kind)).toEqual(['no-backfill-pending']);
    } finally {
      cluster.sql('instance', remove);
    }
  });
});

describe('a migrator that logs in as another role than the one that owns the tables', () => {
  it('is seen, and the lock is not freed while it lives', async () => {
    cluster.sql(
      'instance',
      'CREATE ROLE app LOGIN; GRANT lightdash TO app; ALTER ROLE app SET role = lightdash',
    );
    cluster.sql('instance', 'UPDATE knex_migrations_lock SET is_locked = 1');
    const locked = () => cluster.sql('instance', 'SELECT is_locked FROM knex_migrations_lock');
    const toFree = async () => {
      const { findings } = await answer(to('1.122.0'));
      return commandsOf(findings.find(({ check }) => check === 'lock-and-lease'))[1] ?? '';
    };
    const free = await toFree();
    expect(free).toMatch(/^UPDATE /);
    const session = new pg.Client({ connectionString: cluster.url('app', 'instance') });
    await session.connect();
    try {
      await session.query('BEGIN; SELECT 1');
      expect(await toFree()).toMatch(/^SELECT /);
      cluster.sql('instance', free);
      expect(locked()).toBe('1');
      await session.end();
      cluster.sql('instance', free);
      expect(locked()).toBe('0');
    } finally {
      await session.end().catch(() => undefined);
      cluster.sql('instance', 'UPDATE knex_migrations_lock SET is_locked = 0; DROP ROLE app');
    }
  });
});

describe('a ledger that another role than its owner may write, as after a restore by a superuser', () => {
  beforeAll(() => cluster.sql('instance', 'CREATE ROLE app LOGIN; GRANT INSERT ON knex_migrations TO app'));
  afterAll(() => cluster.sql('instance', 'DROP OWNED BY app; DROP ROLE app'));

  // Who inherits no rights of the owner has them after SET ROLE alone, which a migrator need not do.
  it.each([
    ['belongs to no other role', 'SELECT 1'],
    ['inherits nothing of the owner', 'ALTER ROLE app NOINHERIT; GRANT lightdash TO app'],
  ])('does not tell which of them migrates, where the other %s', async (_, granted) => {
    cluster.during('instance', granted, 'ALTER ROLE app INHERIT; REVOKE lightdash FROM app');
    const { findings } = await answer();
    const open = findings.filter(({ status }) => status !== 'ok');
    expect(open.map(({ check, status }) => [check, status])).toEqual(
      needing('migrator').map((id) => [id, 'not-checked']),
    );
    expect(open[0] && describeFinding(open[0]).description).toContain(
      '(lightdash owns knex_migrations, and app, which does not inherit its rights, may write it)',
    );
  });

  const rightsOf = async (role: string) => {
    const { findings } = await answer(way, 'looker', role);
    return findings.filter(({ check, status }) => check === 'migration-rights' && status !== 'ok');
  };
  const kinds = async (role: string) =>
    (await rightsOf(role)).map(({ status, evidence }) => `${status} ${evidence.kind}`);

  it('is judged by the role that is named, and what is pasted gives that role what it lacks', async () => {
    cluster.sql('instance', 'GRANT CREATE ON SCHEMA public TO app');
    const makeFunction = "CREATE FUNCTION graphile_worker.work() RETURNS int LANGUAGE sql AS 'SELECT 1'";
    cluster.sql('instance', makeFunction, 'lightdash');
    expect(await kinds('lightdash')).toEqual([]);
    const lacks = await rightsOf('app');
    expect(lacks.map(({ status, evidence }) => `${status} ${evidence.kind}`)).toEqual([
      ...Array(3).fill('stop table-not-owned'),
      'warn queue-not-owned',
    ]);
    cluster.sql('instance', lacks.flatMap(commandsOf).join('\n'));
    expect(await kinds('app')).toEqual([]);
    cluster.sql('instance', 'REASSIGN OWNED BY app TO lightdash; DROP FUNCTION graphile_worker.work');
  });
});

it('a database that a subscription fills is no primary, while it does', async () => {
  cluster.sql('postgres', 'CREATE DATABASE source TEMPLATE instance');
  cluster.sql(
    'source',
    "CREATE PUBLICATION all_of_it FOR ALL TABLES; SELECT pg_create_logical_replication_slot('copy', 'pgoutput')",
  );
  const source = `host=${cluster.socketDir} port=${cluster.port} user=postgres dbname=source`;
  cluster.sql(
    'instance',
    `CREATE SUBSCRIPTION copy CONNECTION '${source}' PUBLICATION all_of_it WITH (create_slot = false, copy_data = false)`,
  );
  try {
    // Until the subscription has connected, nothing reads its slot.
    await expect.poll(found).toEqual(['primary: stop ledger-subscribed']);
    const { findings } = await answer();
    const [, look = '', stop = ''] = commandsOf(findings.find(({ status }) => status === 'stop'));
    expect(cluster.sql('instance', look)).toBe('copy|t|{all_of_it}');
    cluster.sql('instance', stop.replace(/^--[^:]*: /, ''));
    await expect.poll(found).toEqual([]);
  } finally {
    cluster.sql(
      'instance',
      'ALTER SUBSCRIPTION copy DISABLE; ALTER SUBSCRIPTION copy SET (slot_name = NONE); DROP SUBSCRIPTION copy',
    );
    const free =
      'SELECT count(pg_drop_replication_slot(slot_name)) FROM pg_replication_slots WHERE NOT active';
    await expect.poll(() => cluster.sql('source', free)).toBe('1');
    cluster.sql('postgres', 'DROP DATABASE source');
  }
  expect(await found()).toEqual([]);
});

it('a limit that is taken from the role can be put back as it was', async () => {
  const limits = () =>
    cluster.sql('instance', "SELECT setconfig FROM pg_db_role_setting WHERE setrole = 'lightdash'::regrole");
  const limited = 'ALTER ROLE lightdash IN DATABASE instance';
  cluster.during('instance', `${limited} SET statement_timeout = '60s'`, `${limited} RESET ALL`);
  const { findings } = await answer();
  const timeout = findings.find(({ evidence }) => evidence.kind === 'timeout-set');
  const [, look = '', lift = '', back = '', reset = ''] = commandsOf(timeout);
  const later = (comment: string) => comment.replace(/^--[^:]*: /, '');
  expect(cluster.sql('instance', look)).toBe('{statement_timeout=60s}');
  cluster.sql('instance', lift);
  expect(limits()).toBe('{statement_timeout=0}');
  cluster.sql('instance', later(back));
  expect(limits()).toBe('{statement_timeout=60000}');
  cluster.sql('instance', later(reset));
  expect(limits()).toBe('');
});

it('an index that another role builds is not dropped by who may not see that', async () => {
  const [reader, builder] = ['lightdash', 'postgres'].map(
    (role) => new pg.Client({ connectionString: cluster.url(role, 'instance') }),
  ) as [pg.Client, pg.Client];
  await Promise.all([reader.connect(), builder.connect()]);
  try {
    await reader.query('BEGIN; LOCK TABLE sessions IN ROW EXCLUSIVE MODE');
    const built = builder.query('CREATE INDEX CONCURRENTLY built ON sessions (expired)');
    const found = async () => {
      const { findings } = await answer();
      return findings.find(({ evidence }) => evidence.kind === 'index-invalid');
    };
    await expect.poll(found).toBeDefined();
    const drop = `SET lock_timeout = '1s';\n${commandsOf(await found()).join('\n')}\n`;
    cluster.sql('instance', drop, 'lightdash');
    await reader.query('COMMIT');
    await built;
    expect(await found()).toBeUndefined();
    expect(cluster.sql('instance', "SELECT to_regclass('built')")).toBe('built');
  } finally {
    await Promise.all([reader.end(), builder.end()]);
    cluster.sql('instance', 'DROP INDEX IF EXISTS built');
  }
});

describe('lightspan upgrade-preflight', () => {
  const mirror = temporaryFolder();
  const canary = 'canary-4711';
  const judged = async (...source: string[]) => {
    const argv = ['upgrade-preflight', '--from', '2.0.0', '--to', 'latest', '--index', mirror, '--json'];
    const outcome = await runCli([...argv, '--disk-free', '40GiB', '--only', 'database', ...source], {
      now: new Date(),
    });
    const { facts: _, judgedBy: _by, findings, ...answer } = JSON.parse(outcome.stdout);
    return { outcome, answer, findings };
  };
  beforeAll(() => writeSituation(mirror, { releases: way }));

  it('judges a database, what it wrote of it, and what psql printed, all alike', async () => {
    cluster.during(
      'instance',
      `UPDATE migration_lease SET parked_at = now(), parked_app_version = '2.1.0', parked_error = '${canary}'`,
      'UPDATE migration_lease SET parked_at = NULL, parked_app_version = NULL, parked_error = NULL',
    );
    const file = join(mirror, 'seen.json');
    const script = join(mirror, 'script.json');
    const looker = cluster.url('looker', 'instance');
    const seen = await whenMeasured(() => judged('--database', looker, '--facts-out', file));
    const { stdout: sql } = await runCli(['upgrade-preflight', '--sql']);
    writeFileSync(script, await whenMeasured(() => cluster.sql('instance', sql, 'looker')));
    expect(seen.outcome).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`Facts written to ${file}\n`),
    });
    expect(seen.findings).toContainEqual(
      expect.objectContaining({ check: 'lock-and-lease', status: 'stop', subject: 'migration_lease' }),
    );
    expect(await judged('--facts', file)).toMatchObject({ answer: seen.answer, findings: seen.findings });
    expect(await judged('--facts', script)).toMatchObject({ answer: seen.answer, findings: seen.findings });
    for (const text of [seen.outcome.stdout, readFileSync(file, 'utf8'), readFileSync(script, 'utf8')]) {
      expect(text).not.toContain(canary);
    }
  });

  it('judges the rights of the role that is named, and is a go where nothing is the matter', async () => {
    const looker = cluster.url('looker', 'instance');
    const { findings } = await judged('--database', looker, '--migrating-role', 'looker');
    expect(findings).toContainEqual(
      expect.objectContaining({ check: 'migration-rights', status: 'stop', subject: 'projects' }),
    );
    expect((await whenMeasured(() => judged('--database', looker))).outcome.code).toBe(0);
  });
});

it('a right less leaves the checks that need it unlooked at, and no other', async () => {
  cluster.during('instance', 'REVOKE SELECT (name) ON knex_migrations FROM looker', grantsSql('looker'));
  const { findings } = await answer();
  const open = findings.filter(({ status }) => status !== 'ok');
  expect(open.map(({ check, status }) => [check, status])).toEqual(
    needing('ledger').map((id) => [id, 'not-checked']),
  );
});

it('a replica is no primary, and all else is seen there', async () => {
  await cluster.becomeReplica();
  expect(await found()).toEqual(['primary: stop in-recovery']);
  cluster.sql('postgres', 'SELECT pg_promote()');
  expect(await found()).toEqual([]);
});
