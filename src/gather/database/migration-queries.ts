import {
  answerOf,
  currentDatabaseId,
  type FactQuery,
  isoTime,
  jsonRow,
  jsonRows,
  type Lookup,
  quoteName,
  secondsSince,
  whyNotRead,
} from './sql.js';

const tables = [
  ['ledger', 'knex_migrations'],
  ['ledgerLock', 'knex_migrations_lock'],
  ['lease', 'migration_lease'],
  ['runs', 'migration_run_ledger'],
] as const;

/** Why the tables of these queries are not read. */
export const tableLookup: Lookup = {
  facts: [...tables.map(([fact]) => fact), 'queue'],
  select: ({ schema, jobs }) => {
    const columns = tables.map(
      ([fact, table]) => `${whyNotRead(schema, quoteName(table))} AS "${answerOf(fact)}"`,
    );
    const ofQueue = `${whyNotRead(quoteName('graphile_worker'), jobs)} AS "${answerOf('queue')}"`;
    return `SELECT ${[...columns, ofQueue].join(', ')}`;
  },
};

/**
 * Each worker of Graphile Worker keeps a session that listens, from its start to its end, and asks for a job every few
 * seconds: by a function before 0.16, by a statement of its own since.
 */
const looksForJob = `(query LIKE 'SELECT * FROM "graphile_worker".get_job(%'
    OR query LIKE 'with j as (%' AND query LIKE '%"graphile_worker"._private_jobs%')`;

const seenOfWorkers = (expression: string) =>
  `CASE WHEN NOT (SELECT hidden FROM worker) THEN ${expression} END`;

/**
 * Queries for the tables that migrations use. Every column is named, so that a role needs rights on these columns only.
 * None of them contains free text from a person or an error message.
 */
export const migrationQueries: readonly FactQuery[] = [
  {
    fact: 'ledger',
    // A row that a person wrote may have no batch, which Knex counts as run, or no name, which it takes for a lost file.
    select: ({ schema }) =>
      `SELECT coalesce(array_to_json(array_agg(row_to_json(one) ORDER BY id)), '[]') FROM (
  SELECT id, (SELECT line FROM (SELECT coalesce(name, '') AS name, coalesce(batch, 0) AS batch, ${isoTime('migration_time')} AS "migratedAt") AS line) AS one
  FROM ${schema.identifier}.knex_migrations
) AS rows`,
  },
  {
    fact: 'ledgerLock',
    select: ({ schema }) =>
      jsonRow(
        `SELECT count(*) AS rows, count(*) FILTER (WHERE is_locked IS DISTINCT FROM 0) AS "lockedRows"
FROM ${schema.identifier}.knex_migrations_lock`,
      ),
  },
  {
    fact: 'lease',
    // A column that does not exist yet comes from `later`, where it is null: a name refers to the nearest one.
    select: ({ schema }) =>
      jsonRows(
        `SELECT
  lease_key AS key, claimed,
  holder_hostname AS "holderHostname", holder_pod_name AS "holderPodName",
  app_version AS "appVersion", current_migration AS "currentMigration",
  ${isoTime('last_heartbeat')} AS "lastHeartbeat",
  ${secondsSince('last_heartbeat')} AS "heartbeatAgeSeconds",
  ${isoTime('lease.parked_at')} AS "parkedAt", lease.parked_app_version AS "parkedAppVersion",
  lease.parked_migration AS "parkedMigration", lease.parked_error_class AS "parkedErrorClass"
FROM (
  SELECT
    NULL::timestamptz AS parked_at, NULL::text AS parked_app_version,
    NULL::text AS parked_migration, NULL::text AS parked_error_class
) AS later
CROSS JOIN LATERAL (
  SELECT
    lease_key, claim_token IS NOT NULL AS claimed, holder_hostname, holder_pod_name, app_version, current_migration,
    last_heartbeat, parked_at, parked_app_version, parked_migration, parked_error_class
  FROM ${schema.identifier}.migration_lease
) AS lease`,
        'one.key',
      ),
  },
  {
    fact: 'runs',
    select: ({ schema }) => {
      const newest = (condition: string) =>
        jsonRow(`SELECT app_version AS "appVersion", outcome, failing_migration AS "failingMigration"
FROM ${schema.identifier}.migration_run_ledger ${condition} ORDER BY started_at DESC, attempt DESC LIMIT 1`);
      return jsonRow(
        `SELECT (${newest('')}) AS newest, (${newest("WHERE outcome = 'succeeded'")}) AS "lastSucceeded"`,
      );
    },
  },
  {
    fact: 'queue',
    // When a job fails, it is due again later, by up to six hours, also where no attempt is left.
    select: ({ jobs }) =>
      jsonRow(`WITH others AS (
  SELECT backend_type IS NULL OR coalesce(state, '') = 'disabled' AS hidden, backend_start, state_change, query
  FROM pg_stat_activity WHERE datid = ${currentDatabaseId} AND pid <> pg_backend_pid()
), worker AS (
  SELECT
    coalesce(bool_or(hidden), false) AS hidden,
    count(*) FILTER (WHERE query LIKE 'LISTEN "jobs:insert"%') AS connected,
    min(backend_start) FILTER (WHERE query LIKE 'LISTEN "jobs:insert"%') AS began,
    max(state_change) FILTER (WHERE ${looksForJob}) AS looked
  FROM others
)
SELECT
  count(*) AS jobs,
  count(*) FILTER (WHERE locked) AS locked,
  count(*) FILTER (WHERE locked_at < now() - interval '4 hours') AS "lockedTooLong",
  count(*) FILTER (WHERE locked AND spent) AS "lockedOnLastAttempt",
  ${seenOfWorkers('count(*) FILTER (WHERE abandoned)')} AS "lockedWithoutWorker",
  ${seenOfWorkers('count(*) FILTER (WHERE abandoned AND spent)')} AS "withoutWorkerOnLastAttempt",
  ${seenOfWorkers('(SELECT connected FROM worker)')} AS workers,
  ${seenOfWorkers(`(SELECT ${secondsSince('looked')} FROM worker)`)} AS "lookedSecondsAgo",
  count(*) FILTER (WHERE due) AS due,
  ${secondsSince('min(run_at) FILTER (WHERE due)')} AS "oldestDueSeconds",
  count(*) FILTER (WHERE NOT locked AND spent) AS failed,
  count(*) FILTER (WHERE NOT locked AND spent AND run_at > now() - interval '1 day') AS "failedLately"
FROM (
  SELECT
    attempts, locked_at, run_at, locked_at IS NOT NULL AS locked,
    locked_at >= now() - interval '4 hours' AND locked_at < coalesce((SELECT began FROM worker), 'infinity') AS abandoned,
    attempts >= max_attempts AS spent,
    run_at <= now() AND locked_at IS NULL AND attempts < max_attempts AS due
  FROM graphile_worker.${jobs.identifier}
) AS job`),
  },
];
