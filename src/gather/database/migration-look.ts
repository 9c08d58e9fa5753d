import { isRefusedStatement } from '../../core/refused-statement.js';
import { type DatabasePlace, type FirstRow, type Row, visitDatabase } from './connect.js';
import { tableLookup } from './migration-queries.js';
import { lookUpNames, opening } from './queries.js';
import { answerOf, currentDatabaseId, isoTime, type Names, namesBy, quoteName, secondsSince } from './sql.js';

/** The rows of the migrators' tables, as JSON that the server itself made. */
interface MigrationRows {
  readonly notSeen: string | undefined;
  readonly lease: Row | undefined;
  readonly run: Row | undefined;
  readonly ledger: Row | undefined;
  readonly sessions: readonly Row[];
}

/** What was looked for, or why the tables of the migrator could not be read. */
type LookResult<T> = { readonly notSeen: undefined; readonly seen: T } | { readonly notSeen: string };

interface OpenTables {
  readonly names: Names;
  readonly firstRow: FirstRow;
  readonly isAbsent: (fact: (typeof factsOfMigrator)[number]) => boolean;
}

const factsOfMigrator = ['ledger', 'ledgerLock', 'lease', 'runs'] as const;

/**
 * Looks once, in a transaction that reads and waits for no lock longer than a second.
 *
 * @throws {LightspanError} `invalid-database-url`, `database`, `network`, `timeout`, `too-large`
 */
async function lookAt<T>(at: MigrationsAt, look: (open: OpenTables) => Promise<T>): Promise<LookResult<T>> {
  return visitDatabase(at, async (firstRow) => {
    try {
      for (const statement of opening) await firstRow(statement);
      const seen = (await firstRow(lookUpNames(at))) ?? {};
      const names = namesBy((column) => quoteName(String(seen[column] ?? '')));
      const unread = (await firstRow(tableLookup.select(names))) ?? {};
      const whyNot = (fact: (typeof factsOfMigrator)[number]) => problemOf(unread[answerOf(fact)]);
      const broken = factsOfMigrator.map(whyNot).find((why) => why !== undefined && why.status !== 'absent');
      const isAbsent: OpenTables['isAbsent'] = (fact) => whyNot(fact) !== undefined;
      const notSeen = isAbsent('ledger') ? whyNot('ledger')?.detail : broken?.detail;
      if (notSeen !== undefined) return { notSeen };
      return { notSeen: undefined, seen: await look({ names, firstRow, isAbsent }) };
    } catch (error) {
      // A table that a migration holds is not waited for: what stands in the way is then not seen.
      const isInTheWay =
        isRefusedStatement(error) && ['42501', '55P03', '57014'].includes(error.details.sqlState);
      if (isInTheWay) return { notSeen: error.message };
      throw error;
    }
  });
}

interface MigrationsAt extends DatabasePlace {
  readonly migratingRole: string | undefined;
}

/**
 * What migrates now. Of another role's session, a role without pg_monitor sees neither statement nor state, but the
 * locks.
 */
export async function readMigrationRows(at: MigrationsAt): Promise<MigrationRows> {
  const looked = await lookAt(at, async ({ names, firstRow, isAbsent }) => {
    const lease = isAbsent('lease') ? undefined : await firstRow(leaseRow(names));
    const run = isAbsent('runs') ? undefined : await firstRow(runRow(names));
    const ledger = await firstRow(ledgerRow(names, isAbsent('ledgerLock')));
    const sessionsSeen = (await firstRow(sessionRows(names)))?.sessions;
    const sessions: unknown = JSON.parse(String(sessionsSeen ?? '[]'));
    return { lease, run, ledger, sessions: Array.isArray(sessions) ? sessions : [] };
  });
  if (looked.notSeen === undefined) return { notSeen: undefined, ...looked.seen };
  return { notSeen: looked.notSeen, lease: undefined, run: undefined, ledger: undefined, sessions: [] };
}

/** What has migrated: the rows of Knex, and those of the run ledger, where there is one. */
export async function readPastMigrations(
  at: MigrationsAt,
): Promise<LookResult<{ readonly migrations: unknown; readonly runs: unknown }>> {
  return lookAt(at, async ({ names, firstRow, isAbsent }) => {
    const listed = async (statement: string): Promise<unknown> =>
      JSON.parse(String((await firstRow(statement))?.rows ?? '[]'));
    return {
      migrations: await listed(pastMigrations(names)),
      runs: isAbsent('runs') ? [] : await listed(pastRuns(names)),
    };
  });
}

function problemOf(text: unknown): { readonly status: string; readonly detail: string } | undefined {
  if (typeof text !== 'string') return undefined;
  const { status, detail } = JSON.parse(text);
  return { status: String(status), detail: String(detail) };
}

/** The lease. A column that does not exist yet comes from `later`, where it is null: a name refers to the nearest one. */
export const leaseRow = ({ schema }: Names) => `SELECT lease.*,
  ${secondsSince('lease.last_heartbeat')} AS heartbeat, ${secondsSince('lease.parked_at')} AS parked
FROM (
  SELECT NULL::timestamptz AS parked_at, NULL::text AS parked_app_version, NULL::text AS parked_migration
) AS later
CROSS JOIN LATERAL (
  SELECT claim_token IS NOT NULL AS held, app_version, current_migration, last_heartbeat, parked_at, parked_app_version,
    parked_migration
  FROM ${schema.identifier}.migration_lease
) AS lease LIMIT 1`;

const runRow = ({ schema }: Names) => `SELECT app_version, outcome, ${isoTime('started_at')} AS started,
  ${secondsSince('started_at')} AS seconds
FROM ${schema.identifier}.migration_run_ledger ORDER BY started_at DESC, attempt DESC LIMIT 1`;

const pastMigrations = ({
  schema,
}: Names) => `SELECT coalesce(json_agg(one ORDER BY one.at, one.id), '[]')::text AS rows
FROM (
  SELECT id, coalesce(name, '') AS name, coalesce(batch, 0) AS batch, ${isoTime('migration_time')} AS at
  FROM ${schema.identifier}.knex_migrations
) AS one`;

/** The newest thousand attempts: a row is written at every start, also with nothing to do. */
const pastRuns = ({
  schema,
}: Names) => `SELECT coalesce(json_agg(one ORDER BY one."startedAt", one.attempt), '[]')::text AS rows
FROM (
  SELECT app_version AS version, attempt, outcome, failing_migration AS failing,
    ${isoTime('started_at')} AS "startedAt", ${isoTime('finished_at')} AS "finishedAt"
  FROM ${schema.identifier}.migration_run_ledger ORDER BY started_at DESC, attempt DESC LIMIT 1000
) AS one`;

const ledgerRow = ({ schema }: Names, isWithoutLock: boolean) => `SELECT
  (SELECT ${secondsSince('max(migration_time)')} FROM ${schema.identifier}.knex_migrations) AS seconds,
  ${
    isWithoutLock
      ? '0'
      : `(SELECT count(*) FROM ${schema.identifier}.knex_migrations_lock WHERE is_locked IS DISTINCT FROM 0)`
  } AS locked`;

/**
 * The locks on tables of the schema show who migrates, also where statements are hidden: a migration alters tables, or
 * holds the lock of Knex. An autovacuum holds a weaker one.
 */
const sessionRows = ({ schema }: Names) => `WITH own AS (
  SELECT pg_class.oid, relname FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
  WHERE nspname = ${schema.literal}
), strong AS (
  SELECT pid, bool_or(NOT granted) AS waits, min(to_jsonb(l) ->> 'waitstart') AS since
  FROM pg_locks AS l JOIN own ON own.oid = relation
  WHERE database = ${currentDatabaseId} AND pid <> pg_backend_pid() AND (
    mode IN ('ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock')
    OR mode = 'RowExclusiveLock' AND relname IN ('knex_migrations', 'knex_migrations_lock')
    OR mode = 'ShareUpdateExclusiveLock' AND EXISTS (
      SELECT FROM pg_stat_activity AS a WHERE a.pid = l.pid AND a.backend_type = 'client backend'
      AND a.query ~* '^\\s*(create|drop|alter|reindex)\\M'
    )
  ) GROUP BY pid
), waiting AS (
  SELECT DISTINCT l.pid, pg_blocking_pids(l.pid) AS blockers FROM pg_locks AS l
  WHERE NOT granted AND pid <> pg_backend_pid()
), migrator AS (
  SELECT a.pid, a.usename, a.state, a.query, a.query_start, strong.waits, strong.since, w.blockers,
    (SELECT CASE WHEN blocks_total > 0 THEN (100 * blocks_done / blocks_total)::int END
     FROM pg_stat_progress_create_index AS p WHERE p.pid = a.pid) AS percent
  FROM strong JOIN pg_stat_activity AS a USING (pid) LEFT JOIN waiting AS w ON w.pid = a.pid
)
SELECT coalesce(json_agg(one ORDER BY one.pid), '[]')::text AS sessions FROM (
  SELECT pid, usename AS user, state, query, percent, waits OR blockers IS NOT NULL AS waits,
    ${secondsSince('coalesce(since::timestamptz, query_start)')} AS "waitSeconds",
    (SELECT row_to_json(b) FROM (
      SELECT blocker AS pid, other.usename AS user, other.state,
        ${secondsSince("CASE other.state WHEN 'active' THEN other.query_start ELSE other.state_change END")} AS seconds
      FROM unnest(blockers) AS blocker LEFT JOIN pg_stat_activity AS other ON other.pid = blocker LIMIT 1
    ) AS b) AS blocker,
    (SELECT count(*) FROM waiting AS behind WHERE migrator.pid = ANY (behind.blockers)) AS behind
  FROM migrator
) AS one`;
