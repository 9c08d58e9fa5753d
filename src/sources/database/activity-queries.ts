import { currentDatabaseId, type FactQuery, jsonRow, jsonRows, schemaId, secondsSince } from './sql.js';

/**
 * Queries for current activity. Of sessions of other roles, a role without the right to read all statistics sees only
 * that they exist: these are counted. Texts of queries, addresses and names of programs are never recorded.
 */
export const activityQueries: readonly FactQuery[] = [
  {
    fact: 'activity',
    select: () =>
      jsonRow(`WITH others AS (
  SELECT
    *,
    backend_type IS NULL OR coalesce(state, '') = 'disabled' AS hidden,
    coalesce(state, '') = 'idle' AND xact_start IS NULL AND backend_xmin IS NULL AS idle
  FROM pg_stat_activity WHERE datid = ${currentDatabaseId} AND pid <> pg_backend_pid()
)
SELECT
  (${jsonRows(
    `SELECT
      pid, usename AS role, backend_type AS backend, state,
      ${secondsSince('xact_start')} AS "transactionSeconds",
      ${secondsSince('query_start')} AS "querySeconds",
      wait_event_type AS "waitType",
      backend_xmin IS NOT NULL AS snapshot
    FROM others WHERE NOT hidden AND NOT idle`,
    'one.pid',
  )}) AS sessions,
  (SELECT count(*) FROM others WHERE NOT hidden AND idle) AS "idleSessions",
  (SELECT count(*) FROM others WHERE hidden) AS "hiddenSessions"`),
  },
  {
    fact: 'locks',
    // A prepared transaction holds its locks without a process: it is found by the lock on its own number.
    select: ({ schema }) =>
      jsonRows(
        `SELECT
  relname AS "table", mode, granted, held.pid,
  gid AS "preparedTransaction",
  ${secondsSince('coalesce(xact_start, prepared)')} AS "transactionSeconds"
FROM pg_locks AS held
JOIN pg_class ON pg_class.oid = relation
LEFT JOIN pg_stat_activity AS holder ON holder.pid = held.pid
LEFT JOIN (
  SELECT virtualtransaction, gid, prepared FROM pg_locks
  JOIN pg_prepared_xacts ON pg_prepared_xacts.transaction = transactionid
  WHERE locktype = 'transactionid' AND pid IS NULL
) AS prepared ON held.pid IS NULL AND prepared.virtualtransaction = held.virtualtransaction
WHERE locktype = 'relation' AND held.database = ${currentDatabaseId} AND held.pid IS DISTINCT FROM pg_backend_pid()
  AND relnamespace = ${schemaId(schema)} AND relkind IN ('r', 'p')`,
        'one."table", one.pid, one."preparedTransaction", one.mode, one.granted',
      ),
  },
  {
    fact: 'preparedTransactions',
    select: () =>
      jsonRows(
        `SELECT gid AS name, owner, ${secondsSince('prepared')} AS "ageSeconds"
FROM pg_prepared_xacts WHERE database = current_database()`,
        'one.name',
      ),
  },
  {
    fact: 'replication',
    // Before PostgreSQL 14, not every role may read the OID of a subscription, except in this view.
    select: ({ schema }) =>
      jsonRow(`SELECT
  (${jsonRows(
    `SELECT
      slot_name AS name,
      slot_type AS kind,
      active,
      database,
      ${walSince('restart_lsn')} AS "keptBytes",
      to_jsonb(slot) ->> 'wal_status' AS "walStatus"
    FROM pg_replication_slots AS slot`,
    'one.name',
  )}) AS slots,
  (${jsonRows(
    `SELECT state, sync_state AS sync, ${walSince('replay_lsn')} AS "lagBytes"
    FROM pg_stat_replication WHERE state IS NOT NULL`,
    'one.state, one.sync, one."lagBytes"',
  )}) AS standbys,
  (SELECT count(*) FROM pg_stat_replication WHERE state IS NULL) AS "hiddenStandbys",
  ARRAY(
    SELECT subname::text FROM pg_subscription WHERE subdbid = ${currentDatabaseId} AND subenabled AND subname IN (
      SELECT told.subname FROM pg_stat_subscription AS told
      JOIN pg_subscription_rel ON srsubid = subid JOIN pg_class ON pg_class.oid = srrelid
      WHERE relname = 'knex_migrations' AND relnamespace = ${schemaId(schema)}
    ) ORDER BY subname
  ) AS subscriptions`),
  },
  {
    fact: 'vacuums',
    select: ({ schema }) =>
      jsonRow(`SELECT
  (${jsonRows(
    `SELECT
      progress.pid, relname AS "table",
      coalesce(backend_type, '') = 'autovacuum worker' AS automatic,
      coalesce(query, '') LIKE '%(to prevent wraparound)' AS "preventsWraparound"
    FROM pg_stat_progress_vacuum AS progress
    JOIN pg_class ON progress.relid IN (pg_class.oid, reltoastrelid)
    LEFT JOIN pg_stat_activity AS worker ON worker.pid = progress.pid
    WHERE progress.datid = ${currentDatabaseId} AND relnamespace = ${schemaId(schema)}`,
    'one."table", one.pid',
  )}) AS running,
  (SELECT count(*) FROM pg_stat_progress_vacuum WHERE datid = ${currentDatabaseId} AND relid IS NULL) AS hidden`),
  },
];

/** Bytes of WAL since a position in it; null on a replica, which writes none. */
function walSince(place: string): string {
  return `CASE WHEN ${place} IS NOT NULL AND NOT pg_is_in_recovery() THEN
    greatest(0, pg_wal_lsn_diff(pg_current_wal_lsn(), ${place}))::bigint END`;
}
