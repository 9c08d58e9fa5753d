import { currentDatabaseId, type FactQuery, jsonRow, jsonRows, schemaId } from './sql.js';

/** What is asked of the server and of roles. All of it is in catalogs that every role may read. */
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
    select: ({ schema, migrator, migratorOrigin }) =>
      jsonRow(`SELECT
  rolname AS name,
  ${migratorOrigin.literal} AS origin,
  rolsuper AS superuser,
  ${schema.literal} AS schema,
  has_schema_privilege(oid, ${schemaId(schema)}, 'USAGE') AS "schemaUsage",
  has_schema_privilege(oid, ${schemaId(schema)}, 'CREATE') AS "schemaCreate",
  has_database_privilege(oid, current_database(), 'CREATE') AS "databaseCreate",
  ${limitOf('statement_timeout')} AS "statementTimeoutMs",
  ${limitOf('lock_timeout')} AS "lockTimeoutMs",
  ${limitOf('idle_in_transaction_session_timeout')} AS "idleInTransactionSessionTimeoutMs",
  ${limitOf('transaction_timeout')} AS "transactionTimeoutMs"
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
 * The limit in milliseconds that a session of the role begins with. What is set for the role in this database comes
 * first, then for the role, for the database, for all roles, and what the server says. What the server says is known as
 * what this session began with, unless the role that looks has a setting of its own.
 */
function limitOf(setting: string): string {
  const own = (role: string, database: string) => `(
    SELECT substr(entry, ${setting.length + 2}) FROM pg_db_role_setting, unnest(setconfig) AS entry
    WHERE setrole = ${role} AND setdatabase = ${database} AND starts_with(entry, '${setting}=')
  )`;
  const ofDatabase = own('0', currentDatabaseId);
  const me = '(SELECT oid FROM pg_roles WHERE rolname = current_user)';
  const unknown = `role.rolname <> current_user
    AND (${own(me, currentDatabaseId)} IS NOT NULL OR ${own(me, '0')} IS NOT NULL)`;
  const began = `coalesce((SELECT reset_val FROM pg_settings WHERE name = '${setting}'), '0')`;
  return `(SELECT ${milliseconds('value')} FROM (SELECT CASE
    WHEN role.rolname = current_user THEN ${began}
    ELSE coalesce(
      ${own('role.oid', currentDatabaseId)}, ${own('role.oid', '0')}, ${ofDatabase}, ${own('0', '0')},
      CASE WHEN NOT (${unknown}) THEN ${began} END
    )
  END AS value) AS told)`;
}

/** A setting of time, in milliseconds where it names no unit. */
function milliseconds(value: string): string {
  const factors = { us: '0.001', ms: '1', s: '1000', min: '60000', h: '3600000', d: '86400000' };
  const cases = Object.entries(factors).map(([unit, factor]) => `WHEN '${unit}' THEN ${factor}`);
  return `ceil(substring(${value} FROM '^\\s*([0-9.]+)')::numeric
    * CASE coalesce(substring(${value} FROM '([a-z]+)\\s*$'), 'ms') ${cases.join(' ')} END)::bigint`;
}
