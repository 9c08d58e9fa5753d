import type { Row } from './session.js';

/** What a look needs: a connection that answers one statement. */
export interface Asked {
  readonly query: (sql: string) => Promise<readonly Row[]>;
}

/** A session of the database, as another one sees it. */
export interface SessionSeen {
  readonly pid: number;
  readonly user: string;
  /** `active`, `idle in transaction`, …; undefined if it is hidden from whoever looks. */
  readonly state: string | undefined;
  /** What it runs or ran last: the command and its table, never the text. */
  readonly command: string | undefined;
  /** Since its statement or its state began. */
  readonly seconds: number | undefined;
  readonly waitsForLock: boolean;
  /** The processes that it waits for; 0 is a prepared transaction. */
  readonly blockedBy: readonly number[];
  /** The locks that it holds on tables. */
  readonly locks: readonly LockSeen[];
}

export interface LockSeen {
  readonly mode: string;
  /** `public.saved_queries_versions`. */
  readonly table: string;
}

/** The row of `migration_lease`, without what may hold a secret. */
export interface LeaseSeen {
  readonly isHeld: boolean;
  readonly appVersion: string | undefined;
  /** The one at work, or the one that parked it. */
  readonly migration: string | undefined;
  /** Since its last heartbeat; it expires after 75. */
  readonly heartbeatSeconds: number | undefined;
  readonly parkedSeconds: number | undefined;
}

/** The modes of locks on tables, the weakest first. */
const lockModes: readonly string[] = [
  'AccessShareLock',
  'RowShareLock',
  'RowExclusiveLock',
  'ShareUpdateExclusiveLock',
  'ShareLock',
  'ShareRowExclusiveLock',
  'ExclusiveLock',
  'AccessExclusiveLock',
];

/** How strong a mode is, from 0; one that is not known is stronger than any other. */
export function strengthOf(mode: string): number {
  const at = lockModes.indexOf(mode);
  return at === -1 ? lockModes.length : at;
}

const sessions = `
SELECT a.pid, a.usename AS role, a.state, a.query,
  extract(epoch FROM clock_timestamp() - CASE a.state WHEN 'active' THEN a.query_start ELSE a.state_change END)::float8 AS seconds,
  a.wait_event_type = 'Lock' AS waits,
  CASE WHEN a.wait_event_type = 'Lock' THEN pg_blocking_pids(a.pid) ELSE '{}' END AS blockers,
  (SELECT json_agg(json_build_object('mode', l.mode, 'table', n.nspname || '.' || c.relname))
   FROM pg_locks l JOIN pg_class c ON c.oid = l.relation JOIN pg_namespace n ON n.oid = c.relnamespace
   WHERE l.pid = a.pid AND l.granted AND l.database = a.datid AND c.relkind IN ('r', 'p')
     AND n.nspname NOT IN ('pg_catalog', 'information_schema')) AS locks
FROM pg_stat_activity a
WHERE a.datname = current_database() AND a.pid <> pg_backend_pid() AND a.backend_type = 'client backend'`;

/** The sessions of the database besides the one that looks. It reads the catalogue alone. */
export async function sessionsOf(asked: Asked): Promise<readonly SessionSeen[]> {
  const rows = await asked.query(sessions);
  return rows.map(({ pid, role, state, query, seconds, waits, blockers, locks }) => ({
    pid: Number(pid),
    user: String(role ?? ''),
    state: typeof state === 'string' ? state : undefined,
    command: typeof state === 'string' ? commandOf(String(query ?? '')) : undefined,
    seconds: typeof seconds === 'number' ? seconds : undefined,
    waitsForLock: waits === true,
    blockedBy: Array.isArray(blockers) ? blockers.map(Number) : [],
    locks: Array.isArray(locks) ? locks.filter(isLock) : [],
  }));
}

function isLock(value: unknown): value is LockSeen {
  return typeof value === 'object' && value !== null && 'mode' in value && 'table' in value;
}

const table = String.raw`((?:"[^"]{1,63}"|[\w$]{1,63})(?:\.(?:"[^"]{1,63}"|[\w$]{1,63}))?)`;
const commands: readonly RegExp[] = [
  new RegExp(`^(update|delete from|insert into|truncate(?: table)?|lock table|copy)(?: only)? ${table}`, 'i'),
  new RegExp(
    `^((?:alter|drop|create) (?:table|view|materialized view|type|sequence|index|schema))(?: if (?:not )?exists)?(?: only)? ${table}`,
    'i',
  ),
  new RegExp(`^(create (?:unique )?index(?: concurrently)?) [^;(]{0,160}?\\bon (?:only )?${table}`, 'i'),
  new RegExp(`^((?:drop index|reindex \\w+)(?: concurrently)?)(?: if exists)? ${table}`, 'i'),
];

/**
 * What a statement does, and to which table: `UPDATE saved_queries_versions`. Its text is never shown, since it may
 * hold values.
 */
export function commandOf(statement: string): string {
  const text = statement.slice(0, 1000).replaceAll(/\s+/g, ' ').trim();
  for (const pattern of commands) {
    const [, command, name] = pattern.exec(text) ?? [];
    if (command !== undefined && name !== undefined) {
      return `${command.toUpperCase()} ${name.replaceAll('"', '')}`;
    }
  }
  return /^[a-z]+/i.exec(text)?.[0].toUpperCase() ?? '';
}

/**
 * The lease of the migrator, where the database has one.
 *
 * @param schema that of `migration_lease`, as SQL writes it
 */
export async function leaseOf(asked: Asked, schema: string): Promise<LeaseSeen | undefined> {
  const [row] = await asked.query(
    `SELECT claim_token IS NOT NULL AS held, app_version,
       coalesce(current_migration, to_jsonb(l) ->> 'parked_migration') AS migration,
       extract(epoch FROM clock_timestamp() - last_heartbeat)::float8 AS heartbeat,
       extract(epoch FROM clock_timestamp() - (to_jsonb(l) ->> 'parked_at')::timestamptz)::float8 AS parked
     FROM ${schema}.migration_lease l LIMIT 1`,
  );
  if (row === undefined) return undefined;
  const text = (value: unknown) => (typeof value === 'string' ? value : undefined);
  const number = (value: unknown) => (typeof value === 'number' ? value : undefined);
  return {
    isHeld: row.held === true,
    appVersion: text(row.app_version),
    migration: text(row.migration),
    heartbeatSeconds: number(row.heartbeat),
    parkedSeconds: number(row.parked),
  };
}
