import type { Session } from './session.js';

/** A session of a copy, as another one sees it. */
export interface SessionSeen {
  /** What it runs or ran last: the command and its table, never the text. */
  readonly command: string;
  /** The locks that it holds on tables. */
  readonly locks: readonly LockSeen[];
}

export interface LockSeen {
  readonly mode: string;
  /** `public.saved_queries_versions`. */
  readonly table: string;
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
SELECT a.query,
  (SELECT json_agg(json_build_object('mode', l.mode, 'table', n.nspname || '.' || c.relname))
   FROM pg_locks l JOIN pg_class c ON c.oid = l.relation JOIN pg_namespace n ON n.oid = c.relnamespace
   WHERE l.pid = a.pid AND l.granted AND l.database = a.datid AND c.relkind IN ('r', 'p')
     AND n.nspname NOT IN ('pg_catalog', 'information_schema')) AS locks
FROM pg_stat_activity a
WHERE a.datname = current_database() AND a.pid <> pg_backend_pid() AND a.backend_type = 'client backend'`;

/** The sessions of the database besides the watcher's own, which reads the catalogue alone. */
export async function sessionsOf(watcher: Session): Promise<readonly SessionSeen[]> {
  return (await watcher.query(sessions)).map(({ query, locks }) => ({
    command: commandOf(String(query ?? '')),
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
