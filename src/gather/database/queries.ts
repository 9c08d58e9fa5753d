import { backfillLookup, backfillRows } from './backfill-queries.js';
import { dependentQueries } from './dependent-queries.js';
import { migrationQueries, tableLookup } from './migration-queries.js';
import { probeLookup, readLimitMs, readRate, sortLimitMs, sortRate } from './rate-queries.js';
import { activityQueries, serverQueries, writerLookup } from './server-queries.js';
import {
  currentDatabaseId,
  escapeLiteral,
  type FactQuery,
  isoTime,
  type Lookup,
  ownNames,
  rollback,
  settingOfRole,
  settingsOfSession,
} from './sql.js';
import { tableQueries } from './table-queries.js';

/** Milliseconds after which the server ends a statement, or a wait for a lock. */
const statementLimitMs = 5000;
const lockLimitMs = 1000;

const begin = 'BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY';

/** The state to which a failed query is rolled back, so that the next one can run in the transaction. */
const savepoint = 'SAVEPOINT facts';

/**
 * Set for this transaction only, so that nothing stays on a connection that a pool gives to others. With row security
 * off, a table that hides rows is an error, and not an empty table.
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

/** The search path, and the settings that are this session's own, before ours are set. */
const keepSettings = `SELECT
  pg_catalog.set_config('lightspan.path', pg_catalog.current_setting('search_path'), true),
  pg_catalog.set_config('lightspan.set', (
    SELECT COALESCE(pg_catalog.string_agg(name, ','), '') FROM pg_catalog.pg_settings
    WHERE source OPERATOR(pg_catalog.=) ANY (ARRAY['client', 'user', 'database user', 'session'])
  ), true)`;

const ownNamesOnly = setLocal({ search_path: ownNames });

/** Where the server knows the setting, it refuses what takes the place of a table after we have looked at the table. */
const plainTablesOnly = `SELECT max(set_config(name, 'view, foreign-table', true))
  FROM pg_settings WHERE name = 'restrict_nonsystem_relation_kind'`;

export const opening = [begin, keepSettings, limits, ownNamesOnly, plainTablesOnly] as const;

function setLocal(settings: Readonly<Record<string, string>>): string {
  const calls = Object.entries(settings).map(
    ([name, value]) => `pg_catalog.set_config('${name}', '${value}', true)`,
  );
  return `SELECT ${calls.join(', ')}`;
}

export interface FactsWanted {
  /** The role that migrates, if it is neither the owner of the ledger nor the collector's role. */
  readonly migratingRole?: string | undefined;
  /** Whether to measure how fast the server reads and sorts: at most two seconds, and 256 MiB. */
  readonly measure?: boolean | undefined;
}

/**
 * The names for the queries, in one row: the first existing schema of the search path, usable or not, and the role that
 * migrates. Unless a path is set for the collector's role, the path of the migrating role counts, and `$user` in a path
 * that is set for all means that role: the collector's own path may lead to the tables of another instance. If there is
 * no such schema, the name is one that no schema has.
 */
export function lookUpNames({ migratingRole }: FactsWanted): string {
  const ofLooking = "current_setting('lightspan.path')";
  const owner = (schema: string) =>
    `(SELECT pg_get_userbyid(relowner) FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
    WHERE nspname = ${schema} AND relname = 'knex_migrations')`;
  const stated = migratingRole === undefined ? undefined : escapeLiteral(migratingRole);
  const searchPaths = [currentDatabaseId, '0'].map((database) =>
    settingOfRole('search_path', oidOf('role.name'), database),
  );
  return `WITH looking AS (
  SELECT ${firstSchema(ofLooking, 'current_user')} AS schema
), path AS (
  SELECT looking.schema AS looked, role.name AS role, CASE
    WHEN 'search_path' <> ALL (${settingsOfSession}) THEN coalesce(${searchPaths.join(', ')}, ${ofLooking})
  END AS path
  FROM looking, LATERAL (SELECT ${stated ?? `coalesce(${owner('looking.schema')}, current_user)`} AS name) AS role
), place AS (
  SELECT role, looked, CASE WHEN path IS NULL THEN looked ELSE ${firstSchema('path', 'role')} END AS schema FROM path
)
SELECT
  coalesce(schema, '(none)') AS schema,
  ${stated ?? `coalesce(${owner('schema')}, role)`} AS migrator,
  (
    SELECT coalesce(min(relname::text COLLATE "C"), 'jobs') FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
    WHERE nspname = 'graphile_worker' AND relname IN ('_private_jobs', 'jobs')
  ) AS jobs,
  ${isoTime('now()')} AS collected_at
FROM place`;
}

/**
 * The first existing schema of a search path, whether or not the role may use it; the path is parsed as the server
 * does.
 */
function firstSchema(path: string, role: string): string {
  const name = `CASE WHEN entry[1] LIKE '"%' THEN replace(substr(entry[1], 2, length(entry[1]) - 2), '""', '"')
    ELSE lower(entry[1]) END`;
  return `(SELECT nspname FROM regexp_matches(${path}, '("([^"]|"")*"|[^,"\\s]+)', 'g') WITH ORDINALITY AS part (entry, place),
    LATERAL (SELECT ${name} AS name) AS named
    JOIN pg_namespace ON nspname = CASE WHEN name = '$user' THEN ${role}::text ELSE name END
    WHERE nspname <> 'pg_catalog' ORDER BY place LIMIT 1)`;
}

const oidOf = (role: string) => `(SELECT oid FROM pg_roles WHERE rolname = ${role})`;

/** The statements that follow the look-up of names, the same for a connection and for the script. */
export type Statement =
  /** It is run, and answers nothing. */
  | { readonly kind: 'order'; readonly run: string }
  | ({ readonly kind: 'lookup' } & Lookup)
  | ({ readonly kind: 'fact' } & FactQuery);

const order = (run: string) => ({ kind: 'order', run }) as const;
const lookups = (all: readonly Lookup[]) => all.map((lookup) => ({ kind: 'lookup', ...lookup }) as const);
const queries = (all: readonly FactQuery[]) => all.map((query) => ({ kind: 'fact', ...query }) as const);

/** The statements, with the facts in the order of `facts.json`. */
export function statements({ migratingRole, measure = true }: FactsWanted): Statement[] {
  const withinMs = (limit: number) => order(setLocal({ statement_timeout: String(limit) }));
  return [
    order(savepoint),
    ...lookups(migratingRole === undefined ? [writerLookup] : []),
    ...queries([...serverQueries, ...tableQueries, ...dependentQueries]),
    ...lookups(backfillLookup),
    ...queries([backfillRows]),
    // Reading a table blocks whoever would alter it until its lock is released.
    ...[...lookups([tableLookup]), ...queries(migrationQueries), order(rollback)],
    ...queries(activityQueries),
    ...(measure
      ? [
          ...[...lookups([probeLookup]), withinMs(readLimitMs), ...queries([readRate]), order(rollback)],
          ...[withinMs(sortLimitMs), ...queries([sortRate])],
        ]
      : []),
    order('COMMIT'),
  ];
}
