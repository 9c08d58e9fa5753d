import { activityQueries } from './activity-queries.js';
import { migrationQueries } from './migration-queries.js';
import { serverQueries } from './server-queries.js';
import { currentDatabaseId, type FactQuery, isoTime, literalOf, setByLooking, setFor } from './sql.js';
import { type ColumnName, tableQueries } from './table-queries.js';

/** Milliseconds after which the server ends a statement, and waiting for a lock. */
const statementLimitMs = 5000;
const lockLimitMs = 1000;

const begin = 'BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY';

/** What a query that fails is rolled back to, so that the next finds the transaction as it was. */
export const savepoint = 'SAVEPOINT facts';

/**
 * Set for this transaction alone, so that nothing of it stays on a connection that a pool gives to others. Row security
 * turned off makes a table that hides its rows an error, where it would be an empty table.
 */
const limits = setLocal({
  statement_timeout: String(statementLimitMs),
  lock_timeout: String(lockLimitMs),
  idle_in_transaction_session_timeout: '60000',
  row_security: 'off',
  standard_conforming_strings: 'on',
  TimeZone: 'UTC',
  client_encoding: 'UTF8',
  application_name: 'lightspan',
  max_parallel_workers_per_gather: '0',
  jit: 'off',
  work_mem: '32MB',
});

/** The search path, and which settings this session did not get from the server or for all, as they are before ours. */
const keepSettings = `SELECT
  pg_catalog.set_config('lightspan.path', pg_catalog.current_setting('search_path'), true),
  pg_catalog.set_config('lightspan.set', (
    SELECT COALESCE(pg_catalog.string_agg(name, ','), '') FROM pg_catalog.pg_settings
    WHERE source OPERATOR(pg_catalog.=) ANY (ARRAY['client', 'user', 'database user', 'session'])
  ), true)`;

/** From here on nothing that another role has made can stand in for what the queries mean. */
const ownNamesOnly = setLocal({ search_path: 'pg_catalog, pg_temp' });

/** What is asked before all else, in this order. */
export const opening = [begin, keepSettings, limits, ownNamesOnly] as const;

export const statementLimit = (milliseconds: number) => setLocal({ statement_timeout: String(milliseconds) });

function setLocal(settings: Readonly<Record<string, string>>): string {
  const calls = Object.entries(settings).map(
    ([name, value]) => `pg_catalog.set_config('${name}', '${value}', true)`,
  );
  return `SELECT ${calls.join(', ')}`;
}

/** What is wanted beside what always is. */
export interface FactsWanted {
  /** The role that migrates, where it is neither the owner of the ledger nor the one that looks. */
  readonly migratingRole?: string;
  /** Of which the share of nulls is told. */
  readonly columns?: readonly ColumnName[];
  /** Whether it is measured how fast the server reads and sorts: at most two seconds, and 256 MiB. */
  readonly measure?: boolean;
}

/**
 * What the queries are told, in one row: the first schema of the search path that exists, whether or not it may be used,
 * and the role that migrates. Unless a path is set for who looks, the path of that role counts, and `$user` in one that is
 * set for all means that role: another instance may have its tables where who looks would find them. A schema that there
 * is not has a name that none has.
 */
export function lookUpNames({ migratingRole }: FactsWanted): string {
  const ofLooking = "current_setting('lightspan.path')";
  const owner = (schema: string) =>
    `(SELECT pg_get_userbyid(relowner) FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
    WHERE nspname = ${schema} AND relname = 'knex_migrations')`;
  const stated = migratingRole === undefined ? undefined : literalOf(migratingRole);
  const own = [currentDatabaseId, '0'].map((database) => setFor('search_path', oidOf('role.name'), database));
  const origin = `CASE WHEN coalesce(${owner('schema')}, ${owner('looked')}) IS NULL THEN 'looking' ELSE 'owner-of-ledger' END`;
  return `WITH looking AS (
  SELECT ${firstSchema(ofLooking, 'current_user')} AS schema
), path AS (
  SELECT looking.schema AS looked, role.name AS role, CASE
    WHEN 'search_path' <> ALL (${setByLooking}) THEN coalesce(${own.join(', ')}, ${ofLooking})
  END AS path
  FROM looking, LATERAL (SELECT ${stated ?? `coalesce(${owner('looking.schema')}, current_user)`} AS name) AS role
), place AS (
  SELECT role, looked, CASE WHEN path IS NULL THEN looked ELSE ${firstSchema('path', 'role')} END AS schema FROM path
)
SELECT
  coalesce(schema, '(none)') AS schema,
  ${stated ?? `coalesce(${owner('schema')}, role)`} AS migrator,
  ${stated === undefined ? origin : "'stated'"} AS migrator_origin,
  current_setting('server_version_num')::int >= 140000 AS ranges,
  ${isoTime('now()')} AS collected_at
FROM place`;
}

/** The first schema of a search path that exists, whether or not the role may use it: read as the server reads it. */
function firstSchema(path: string, role: string): string {
  const name = `CASE WHEN entry[1] LIKE '"%' THEN replace(substr(entry[1], 2, length(entry[1]) - 2), '""', '"')
    ELSE lower(entry[1]) END`;
  return `(SELECT nspname FROM regexp_matches(${path}, '("([^"]|"")*"|[^,"\\s]+)', 'g') WITH ORDINALITY AS part (entry, place),
    LATERAL (SELECT ${name} AS name) AS told
    JOIN pg_namespace ON nspname = CASE WHEN name = '$user' THEN ${role}::text ELSE name END
    WHERE nspname <> 'pg_catalog' ORDER BY place LIMIT 1)`;
}

const oidOf = (role: string) => `(SELECT oid FROM pg_roles WHERE rolname = ${role})`;

/** What is asked, in the order in which `facts.json` has it. How fast the server reads and sorts comes after. */
export function factQueries(columns: readonly ColumnName[]): FactQuery[] {
  return [...serverQueries, ...tableQueries(columns), ...migrationQueries, ...activityQueries];
}

/** Columns of which public incidents tell that the share of nulls decides how long a migration takes. */
export const wantedColumns: readonly ColumnName[] = [{ table: 'saved_queries_versions', column: 'timezone' }];
