import type { LockSeen } from './watch.js';
import { commandOf } from './watch.js';

/** What the log of a copy tells. Times are seconds since 1970, by the clock of the server. */
export type LogEvent =
  | { readonly kind: 'ledger'; readonly at: number }
  | { readonly kind: 'applied'; readonly at: number; readonly name: string }
  | { readonly kind: 'locked'; readonly at: number; readonly locks: readonly LockSeen[] }
  | { readonly kind: 'error'; readonly at: number; readonly error: LoggedError };

/** An error of a statement, by what cannot hold a row: the detail and the text of the statement are left out. */
export interface LoggedError {
  readonly sqlState: string;
  readonly message: string;
  readonly command: string | undefined;
}

interface Entry {
  readonly sqlState: string;
  readonly pid: number;
  readonly at: number;
  readonly severity: string;
  readonly text: string;
}

const head = /^(\w{5}) (\d+) (\d+\.\d+)\|(\w+): {2}(.*)$/;

/** The longest entry that is read whole: what tells is shorter, and a statement may be of any length. */
const longest = 200_000;

/**
 * Reads the log line by line: a line that begins with a tab continues the one before, so that no text of a statement
 * looks like an entry.
 *
 * @param mark begins what the triggers of the copy write
 * @param isOurs whether a process is one of our own
 */
export function readLog(
  { mark, isOurs }: { readonly mark: string; readonly isOurs: (pid: number) => boolean },
  tell: (event: LogEvent) => void,
): (line: string) => void {
  let entry: Entry | undefined;
  let failed: { readonly pid: number; readonly at: number; readonly error: LoggedError } | undefined;
  const tellFailed = () => {
    if (failed !== undefined) tell({ kind: 'error', at: failed.at, error: failed.error });
    failed = undefined;
  };
  const end = (ended: Entry) => {
    const { severity, pid, at, text, sqlState } = ended;
    if (isOurs(pid)) return tellFailed();
    if (severity === 'STATEMENT' && failed?.pid === pid) {
      failed = { ...failed, error: { ...failed.error, command: commandOf(text) } };
      return tellFailed();
    }
    if (severity === 'ERROR' || severity === 'FATAL' || severity === 'PANIC') {
      tellFailed();
      failed = { pid, at, error: { sqlState, message: text.split('\n', 1)[0] ?? '', command: undefined } };
    } else if (severity === 'LOG') {
      tellFailed();
      const event = eventOf(text, at, mark);
      if (event !== undefined) tell(event);
    }
  };
  return (line) => {
    const [, sqlState, pid, at, severity, text] = head.exec(line) ?? [];
    if (sqlState === undefined || severity === undefined || text === undefined) {
      // Only the beginning of a long entry is needed.
      if (entry !== undefined && entry.text.length < longest) {
        entry = { ...entry, text: `${entry.text}\n${line.replace(/^\t/, '')}` };
      }
      return;
    }
    if (entry !== undefined) end(entry);
    entry = { sqlState, pid: Number(pid), at: Number(at), severity, text };
    // What tells is one line: nothing has to follow before it counts.
    if (severity === 'LOG' && text.startsWith(mark)) {
      end(entry);
      entry = undefined;
    }
  };
}

function eventOf(text: string, at: number, mark: string): LogEvent | undefined {
  const [, word, json] = text.startsWith(`${mark} `) ? (/^\S+ (applied|locked) (.*)$/.exec(text) ?? []) : [];
  if (word !== undefined && json !== undefined) {
    const value: unknown = json === '<NULL>' ? null : JSON.parse(json);
    if (word === 'applied') return { kind: 'applied', at, name: String(value) };
    return { kind: 'locked', at, locks: Array.isArray(value) ? value.map(lockOf) : [] };
  }
  return /^(?:statement|execute \S+): /.test(text) && text.includes('knex_migrations')
    ? { kind: 'ledger', at }
    : undefined;
}

function lockOf(pair: unknown): LockSeen {
  const [mode, table] = Array.isArray(pair) ? pair : [];
  return { mode: String(mode), table: String(table) };
}
