import {
  answerOf,
  currentDatabaseId,
  type FactQuery,
  jsonRow,
  jsonRows,
  type Lookup,
  maxDetail,
  schemaId,
  secondsSince,
  settingOfRole,
  settingsOfSession,
} from './sql.js';

/** A session whose `backend_type` this role may not see counts as a client too. */
const isClient = "coalesce(backend_type, 'client backend') = 'client backend'";

/**
 * What counts against `max_connections`: `numbackends` counts parallel workers, too
 * (`findings/postgres-counts-workers-as-backends.sh`). What has no user is no client.
 */
const clients = `pg_stat_activity WHERE usesysid IS NOT NULL AND ${isClient}`;

/** From 16 on, a member may have no right but to grant the role to others, as whoever has created it does. */
const mayActAs = (
  member: string,
  role: string,
) => `CASE WHEN current_setting('server_version_num')::int < 160000
    THEN pg_has_role(${member}, ${role}, 'MEMBER')
    ELSE pg_has_role(${member}, ${role}, 'SET') OR pg_has_role(${member}, ${role}, 'USAGE') END`;

/** Queries for the server and for roles. They read only catalogs that every role may read. */
export const serverQueries: readonly FactQuery[] = [
  {
    fact: 'server',
    select: () =>
      jsonRow(`SELECT
  current_setting('server_version_num')::int AS "versionNum",
  pg_is_in_recovery() AS "inRecovery",
  current_setting('max_connections')::int AS "maxConnections",
  current_setting('superuser_reserved_connections')::int
    + coalesce(current_setting('reserved_connections', true)::int, 0) AS "reservedConnections",
  (SELECT count(*) FROM ${clients}) AS "usedConnections",
  (SELECT count(*) FROM ${clients} AND backend_type IS NULL) AS "hiddenConnections",
  (SELECT max(age(datfrozenxid)) FROM pg_database) AS "oldestTransactionAge",
  (SELECT max(mxid_age(datminmxid)) FROM pg_database) AS "oldestMultixactAge"`),
  },
  {
    fact: 'role',
    select: () =>
      jsonRow('SELECT rolname AS name, rolsuper AS superuser FROM pg_roles WHERE rolname = current_user'),
  },
  {
    fact: 'migrator',
    select: ({ schema, migrator }) =>
      jsonRow(`SELECT
  rolname AS name,
  rolsuper AS superuser,
  ARRAY(
    SELECT other.rolname::text FROM pg_roles AS other
    WHERE other.oid <> role.oid AND other.rolcanlogin AND NOT other.rolsuper AND ${mayActAs('other.oid', 'role.oid')}
    ORDER BY other.rolname
  ) AS "actedAsBy",
  ARRAY(
    SELECT evtname::text FROM pg_event_trigger WHERE evtenabled IN ('O', 'A') ORDER BY evtname
  ) AS "eventTriggers",
  ${schema.literal} AS schema,
  has_schema_privilege(oid, ${schemaId(schema)}, 'USAGE') AS "schemaUsage",
  has_schema_privilege(oid, ${schemaId(schema)}, 'CREATE') AS "schemaCreate",
  has_database_privilege(oid, current_database(), 'CREATE') AS "databaseCreate",
  ARRAY(
    SELECT pg_get_userbyid(owner)::text FROM (
      SELECT relowner AS owner, relnamespace AS place FROM pg_class WHERE relkind IN ('r', 'p', 'v')
      UNION SELECT proowner, pronamespace FROM pg_proc
    ) AS queue
    WHERE place = to_regnamespace('graphile_worker') AND NOT pg_has_role(role.oid, owner, 'USAGE') ORDER BY 1
  ) AS "queueOwners",
  ${limitOf('statement_timeout')} AS "statementTimeoutMs",
  ${limitOf('lock_timeout')} AS "lockTimeoutMs",
  ${limitOf('idle_in_transaction_session_timeout')} AS "idleInTransactionSessionTimeoutMs",
  ${limitOf('transaction_timeout')} AS "transactionTimeoutMs",
  ${limitOf('deadlock_timeout')} AS "deadlockTimeoutMs",
  ${startOfBackend('synchronous_commit')} AS "synchronousCommit",
  coalesce(${startOfBackend('default_transaction_read_only')}, 'off')::boolean AS "readOnly",
  (${jsonRows(connectionLimits, 'one."of" DESC')}) AS "connectionLimits"
FROM pg_roles AS role WHERE rolname = ${migrator.literal}`),
  },
  {
    fact: 'database',
    select: () =>
      jsonRow('SELECT current_database() AS name, pg_database_size(current_database()) AS "sizeBytes"'),
  },
  {
    fact: 'extensions',
    select: () =>
      jsonRows(
        `SELECT
  coalesce(there.name, made.extname) AS name,
  there.default_version AS available,
  made.extversion AS installed,
  (
    SELECT bool_or((to_jsonb(each) ->> 'trusted')::boolean) FROM pg_available_extension_versions AS each
    WHERE each.name = there.name AND each.version = there.default_version
  ) AS trusted
FROM pg_available_extensions AS there FULL JOIN pg_extension AS made ON made.extname = there.name`,
        'one.name',
      ),
  },
];

/**
 * Why it is not clear who migrates.
 *
 * The role that migrates writes the ledger, but need not own it: if a superuser has restored the tables, it is a role
 * to which rights were granted. A member of the owner that does not inherit its rights can alter tables only after SET
 * ROLE, and whether it does that is not visible.
 */
export const writerLookup: Lookup = {
  facts: ['migrator'],
  select: ({ schema, migrator }) =>
    `SELECT (${jsonRow(`SELECT 'failed' AS status, 'database' AS source, left(format(
    '%s owns knex_migrations, and %s, which does not inherit its rights, may write it',
    ${migrator.literal}, string_agg(rolname, ', ' ORDER BY rolname)
  ), ${maxDetail}) AS detail
  FROM pg_roles AS role JOIN pg_class ON relname = 'knex_migrations' AND relnamespace = ${schemaId(schema)}
  WHERE rolcanlogin AND NOT rolsuper
    AND has_table_privilege(role.oid, pg_class.oid, 'INSERT') AND NOT pg_has_role(role.oid, relowner, 'USAGE')
  HAVING count(*) > 0`)})::text AS "${answerOf('migrator')}"`,
};

/**
 * The value with which a session of the role begins. Settings of the role in this database come first, then of the
 * role, of the database, of all roles; last is the server's, if this session began with that.
 */
const startOfBackend = (setting: string) => `coalesce(
    ${[
      settingOfRole(setting, 'role.oid', currentDatabaseId),
      settingOfRole(setting, 'role.oid', '0'),
      settingOfRole(setting, '0', currentDatabaseId),
      settingOfRole(setting, '0', '0'),
    ].join(', ')},
    (SELECT reset_val FROM pg_settings WHERE name = '${setting}' AND name <> ALL (${settingsOfSession}))
  )`;

const connectionLimits = `SELECT 'role' AS "of", rolconnlimit AS max, (
    SELECT count(*) FROM pg_stat_activity WHERE usesysid = role.oid AND ${isClient}
  ) AS used WHERE rolconnlimit >= 0 AND NOT rolsuper
  UNION ALL
  SELECT 'database', datconnlimit, (
    SELECT count(*) FROM pg_stat_activity WHERE datid = pg_database.oid AND ${isClient}
  ) FROM pg_database WHERE datname = current_database() AND datconnlimit >= 0 AND NOT rolsuper`;

/** The limit in milliseconds with which a session of the role begins; null if it is written in an unusual way. */
const limitOf = (setting: string) => `(SELECT CASE
    WHEN NOT EXISTS (SELECT FROM pg_settings WHERE name = '${setting}') THEN 0
    WHEN value ~ '^\\s*[0-9.]+\\s*$' THEN ceil(value::numeric)
    WHEN value ~ '^\\s*[0-9.]+\\s*(us|ms|s|min|h|d)\\s*$' THEN ceil(extract(epoch FROM value::interval) * 1000)
  END::bigint FROM (SELECT ${startOfBackend(setting)} AS value) AS begun)`;

/** How many standbys a commit waits for, and how many of those that it may wait for are connected. */
const synchronous = `SELECT
    coalesce(substring(names FROM '(?i)^\\s*(?:(?:first|any)\\s+)?([0-9]+)\\s*[(]')::int, 1) AS needed,
    (SELECT count(*) FROM pg_stat_replication WHERE sync_state IN ('sync', 'quorum')) AS connected,
    (SELECT count(*) FROM pg_stat_replication WHERE sync_state IS NULL) AS hidden
  FROM (SELECT current_setting('synchronous_standby_names') AS names) AS setting WHERE names ~ '\\S'`;

/** Every role sees who holds a snapshot. That of a vacuum, which has no user, keeps no index build waiting. */
const hiddenSnapshot = 'hidden AND backend_xmin IS NOT NULL AND usesysid IS NOT NULL';

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
      backend_xmin IS NOT NULL AS snapshot
    FROM others WHERE NOT hidden AND NOT idle`,
    'one.pid',
  )}) AS sessions,
  (SELECT count(*) FROM others WHERE hidden) AS "hiddenSessions",
  (SELECT count(*) FROM others WHERE ${hiddenSnapshot}) AS "hiddenSnapshots",
  (SELECT max(age(backend_xmin)) FROM others WHERE ${hiddenSnapshot}) AS "oldestHiddenSnapshot"`),
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
      CASE WHEN restart_lsn IS NOT NULL AND NOT pg_is_in_recovery() THEN
        greatest(0, pg_wal_lsn_diff(pg_current_wal_lsn(), restart_lsn))::bigint
      END AS "keptBytes",
      to_jsonb(slot) ->> 'wal_status' AS "walStatus"
    FROM pg_replication_slots AS slot`,
    'one.name',
  )}) AS slots,
  ARRAY(
    SELECT subname::text FROM pg_subscription WHERE subdbid = ${currentDatabaseId} AND subenabled AND subname IN (
      SELECT worker.subname FROM pg_stat_subscription AS worker
      JOIN pg_subscription_rel ON srsubid = subid JOIN pg_class ON pg_class.oid = srrelid
      WHERE relname = 'knex_migrations' AND relnamespace = ${schemaId(schema)}
    ) ORDER BY subname
  ) AS subscriptions,
  (${jsonRow(synchronous)}) AS synchronous`),
  },
  {
    fact: 'archiver',
    // A command that does not name the file, such as `true`, archives nothing.
    select: () =>
      jsonRow(`SELECT
  current_setting('archive_mode') <> 'off' AND (
    current_setting('archive_command') ~ '%[fp]' OR coalesce(current_setting('archive_library', true), '') <> ''
  ) AS enabled,
  ${secondsSince('last_archived_time')} AS "archivedSecondsAgo",
  ${secondsSince('last_failed_time')} AS "failedSecondsAgo"
FROM pg_stat_archiver`),
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
