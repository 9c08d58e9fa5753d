import {
  currentDatabaseId,
  type FactQuery,
  jsonRow,
  jsonRows,
  type Names,
  schemaId,
  setByLooking,
  setFor,
} from './sql.js';

/** A session whose `backend_type` this role may not see counts as a client too. */
const isClient = "coalesce(backend_type, 'client backend') = 'client backend'";

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
  (SELECT sum(numbackends) FROM pg_stat_database)::int AS "usedConnections",
  pg_size_bytes(current_setting('shared_buffers')) AS "sharedBuffersBytes",
  pg_size_bytes(current_setting('maintenance_work_mem')) AS "maintenanceWorkMemBytes",
  current_setting('autovacuum')::boolean AS autovacuum`),
  },
  {
    fact: 'role',
    select: () =>
      jsonRow(`SELECT
  rolname AS name,
  rolsuper AS superuser,
  ARRAY(
    SELECT other.rolname::text FROM pg_roles AS other
    WHERE other.oid <> me.oid AND NOT me.rolsuper AND pg_has_role(me.oid, other.oid, 'USAGE')
    ORDER BY other.rolname
  ) AS "memberOf",
  pg_has_role(me.oid, 'pg_read_all_stats', 'USAGE') AS "readsAllStats"
FROM pg_roles AS me WHERE rolname = current_user`),
  },
  {
    fact: 'migrator',
    doubt: otherWriters,
    select: ({ schema, migrator, migratorOrigin }) =>
      jsonRow(`SELECT
  rolname AS name,
  ${migratorOrigin.literal} AS origin,
  rolsuper AS superuser,
  ARRAY(
    SELECT other.rolname::text FROM pg_roles AS other
    WHERE other.oid <> role.oid AND other.rolcanlogin AND NOT other.rolsuper AND pg_has_role(other.oid, role.oid, 'MEMBER')
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
  ${readOnly} AS "readOnly",
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
 * The role that migrates writes the ledger, but need not own it: if a superuser has restored the tables, it is a role
 * to which rights were granted. A member of the owner that does not inherit its rights can alter tables only after SET
 * ROLE, and whether it does that is not visible.
 */
function otherWriters({ schema, migrator, migratorOrigin }: Names): string {
  return `SELECT format(
    '%s owns knex_migrations, and %s, which does not inherit its rights, may write it',
    ${migrator.literal}, string_agg(rolname, ', ' ORDER BY rolname)
  )
  FROM pg_roles AS role JOIN pg_class ON relname = 'knex_migrations' AND relnamespace = ${schemaId(schema)}
  WHERE ${migratorOrigin.literal} = 'owner-of-ledger' AND rolcanlogin AND NOT rolsuper
    AND has_table_privilege(role.oid, pg_class.oid, 'INSERT') AND NOT pg_has_role(role.oid, relowner, 'USAGE')
  HAVING count(*) > 0`;
}

/** Settings of the role in this database come first, then of the role, of the database, of all roles. */
const settingsOf = (setting: string) =>
  [
    setFor(setting, 'role.oid', currentDatabaseId),
    setFor(setting, 'role.oid', '0'),
    setFor(setting, '0', currentDatabaseId),
    setFor(setting, '0', '0'),
  ].join(', ');

/**
 * The value with which a session of the role begins: what is set, else the server's, if this session began with that.
 */
const beginning = (setting: string) => `coalesce(
    ${settingsOf(setting)},
    (SELECT reset_val FROM pg_settings WHERE name = '${setting}' AND name <> ALL (${setByLooking}))
  )`;

const readOnly = `coalesce(${beginning('default_transaction_read_only')}, 'off')::boolean`;

const connectionLimits = `SELECT 'role' AS "of", rolconnlimit AS max, (
    SELECT count(*) FROM pg_stat_activity WHERE usesysid = role.oid AND ${isClient}
  ) AS used WHERE rolconnlimit >= 0 AND NOT rolsuper
  UNION ALL
  SELECT 'database', datconnlimit, (
    SELECT count(*) FROM pg_stat_activity WHERE datid = pg_database.oid AND ${isClient}
  ) FROM pg_database WHERE datname = current_database() AND datconnlimit >= 0 AND NOT rolsuper`;

/** The limit in milliseconds with which a session of the role begins; null if not known. */
function limitOf(setting: string): string {
  const there = `EXISTS (SELECT FROM pg_settings WHERE name = '${setting}')`;
  return `(SELECT CASE WHEN ${there} THEN ${milliseconds('value')} ELSE 0 END FROM (SELECT ${beginning(setting)} AS value) AS told)`;
}

/** A time setting, in milliseconds if it has no unit. Null if it is written in another way. */
function milliseconds(value: string): string {
  const factors = { us: '0.001', ms: '1', s: '1000', min: '60000', h: '3600000', d: '86400000' };
  const cases = Object.entries(factors).map(([unit, factor]) => `WHEN '${unit}' THEN ${factor}`);
  const pattern = `^\\s*([0-9]+[.]?[0-9]*|[.][0-9]+)\\s*(${Object.keys(factors).join('|')})?\\s*$`;
  return `(SELECT ceil(part[1]::numeric * CASE coalesce(part[2], 'ms') ${cases.join(' ')} END)::bigint
    FROM regexp_matches(${value}, '${pattern}') AS part)`;
}
