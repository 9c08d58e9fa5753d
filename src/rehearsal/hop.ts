import { countOf } from '../words/phrase.js';
import type { LogEvent, LoggedError } from './log.js';
import type { MigratorRun } from './migrator.js';
import { messageWithoutValues } from './session.js';
import { type LockSeen, type SessionSeen, strengthOf } from './watch.js';

/** A migration as it ran on the copy. */
interface RehearsedMigration {
  readonly name: string;
  readonly seconds: number;
  /** The strongest lock on each table that was there before, the strongest first. */
  readonly locks: readonly (LockSeen & { readonly heldSeconds: number })[];
}

/** What was seen of one run of a migrator. */
export interface RunSeen {
  readonly hasReachedLedger: boolean;
  readonly applied: readonly RehearsedMigration[];
  /** The first error since the last migration that was applied. */
  readonly error: LoggedError | undefined;
  /** What it did last, as far as it was seen. */
  readonly lastCommand: string | undefined;
}

/** Combines the events of the log with the sessions that were read during a run. */
export function watchRun(): {
  readonly onEvent: (event: LogEvent) => void;
  readonly onLook: (sessions: readonly SessionSeen[], seconds: number) => void;
  readonly seen: () => RunSeen;
} {
  const applied: RehearsedMigration[] = [];
  const locks = new Map<string, { mode: string; heldSeconds: number }>();
  let error: LoggedError | undefined;
  let hasReachedLedger = false;
  let lastCommand: string | undefined;
  // Of the last statement about the ledger, and of the one before it, which begins a migration.
  let [last, begun]: (number | undefined)[] = [];
  const addLock = ({ mode, table }: LockSeen, heldSeconds: number) => {
    const before = locks.get(table);
    const isStronger = before === undefined || strengthOf(mode) > strengthOf(before.mode);
    const isSame = before?.mode === mode;
    if (isStronger) locks.set(table, { mode, heldSeconds });
    else if (isSame) locks.set(table, { mode, heldSeconds: before.heldSeconds + heldSeconds });
  };
  const onApplied = (name: string, at: number) => {
    const strongest = [...locks]
      .filter(([, { mode }]) => strengthOf(mode) > strengthOf('RowShareLock'))
      .map(([table, lock]) => ({ table, ...lock }))
      .sort((a, b) => strengthOf(b.mode) - strengthOf(a.mode) || b.heldSeconds - a.heldSeconds);
    applied.push({ name, seconds: Math.max(0, at - (begun ?? at)), locks: strongest });
    locks.clear();
    error = undefined;
    last = at;
  };
  return {
    onEvent: (event) => {
      if (event.kind === 'applied') onApplied(event.name, event.at);
      else if (event.kind === 'locked') for (const lock of event.locks) addLock(lock, 0);
      else if (event.kind === 'error') {
        if (event.error.sqlState !== '25P02') error ??= event.error;
      } else {
        hasReachedLedger = true;
        begun = last ?? event.at;
        last = event.at;
      }
    },
    onLook: (sessions, seconds) => {
      for (const { locks, command } of sessions) {
        if (command !== '') lastCommand = command;
        for (const lock of locks.filter(
          ({ table }) => !/\.knex_migrations(_lock)?$|\.migration_lease$/.test(table),
        )) {
          addLock(lock, seconds);
        }
      }
    },
    seen: () => ({ hasReachedLedger, applied, error, lastCommand }),
  };
}

/** What became of one hop. */
export type HopOutcome =
  | { readonly kind: 'applied' }
  | {
      readonly kind: 'failed';
      readonly migration: string | undefined;
      readonly message: string;
      readonly sqlState: string | undefined;
      /** Those of the ledger that the image does not have. */
      readonly missingFiles?: readonly string[];
    }
  | { readonly kind: 'not-known'; readonly why: string; readonly lastLines: readonly string[] };

/** One hop, rehearsed. */
export interface HopRun {
  readonly outcome: HopOutcome;
  readonly migrations: readonly RehearsedMigration[];
  /** The digest of the image that migrated. */
  readonly image: string | undefined;
  /** What the ledger holds after it. */
  readonly ledger: readonly string[];
}

/** What decides besides the run itself whether an error is one of the database, or of the copy. */
export interface CopyLimits {
  readonly rightsAreSure: boolean;
  readonly migratesAsSuperuserAtHome: boolean;
  readonly missingExtensions: readonly string[];
  /** Whether `knex_migrations_lock` was held in the dump. */
  readonly wasLocked: boolean;
  readonly serverFailure: string | undefined;
}

/** How the first run of a hop ended; `applied` still has to be proven by a second one. */
export function outcomeOfRun(run: MigratorRun, seen: RunSeen, limits: CopyLimits): HopOutcome {
  const unknown = (why: string): HopOutcome => ({ kind: 'not-known', why, lastLines: run.lastLines });
  const { exitCode, knexWords } = run;
  if (limits.serverFailure !== undefined) return unknown(limits.serverFailure);
  if (run.isOverLimit) {
    const doing = seen.lastCommand === undefined ? '' : `; it was at ${seen.lastCommand}`;
    return unknown(`it was not done within the limit${doing}`);
  }
  if (!seen.hasReachedLedger) {
    return unknown(`the migrator ended ${endOf(run)} and never reached knex_migrations`);
  }
  if (exitCode === 0) return { kind: 'applied' };
  const failed = (message: string, error?: LoggedError): HopOutcome => ({
    ...{ kind: 'failed', migration: knexWords.failedMigration, message, sqlState: error?.sqlState },
  });
  if (knexWords.missingFiles.length > 0) {
    const named = knexWords.missingFiles.slice(0, 3).join(', ');
    const message = `the image lacks migrations that have run here: ${named}`;
    const { missingFiles } = knexWords;
    return {
      kind: 'failed',
      migration: knexWords.failedMigration,
      message,
      sqlState: undefined,
      missingFiles,
    };
  }
  if (knexWords.isLocked && limits.wasLocked)
    return unknown('knex_migrations_lock was held when the dump was made');
  const { error } = seen;
  if (error === undefined) {
    return knexWords.failedMigration === undefined || exitCode === undefined
      ? unknown(`the migrator ended ${endOf(run)} without an error of the database`)
      : failed('it fails, without an error of the database');
  }
  const doubt = doubtOf(error, limits);
  return doubt === undefined ? failed(messageWithoutValues(error), error) : unknown(doubt);
}

function endOf({ exitCode, signal }: Pick<MigratorRun, 'exitCode' | 'signal'>): string {
  return signal === undefined ? `with ${exitCode ?? 'no exit code'}` : `by ${signal}`;
}

/** Why an error may come from the copy and not from the database; undefined if it would happen there too. */
function doubtOf(error: LoggedError, limits: CopyLimits): string | undefined {
  const { sqlState, command } = error;
  const message = messageWithoutValues(error);
  if (sqlState === '42501') {
    if (/extension/.test(error.message)) return `${message}: a hosted database may allow it`;
    if (limits.migratesAsSuperuserAtHome) return `${message}: here, no superuser migrates`;
    if (!limits.rightsAreSure) return `${message}: a dump holds no memberships; --roles gives them`;
  }
  const isOfExtension = /^(?:0A000|58P01)$/.test(sqlState) && /extension/.test(error.message);
  if (isOfExtension) return `${message}: the server of the copy does not have it`;
  if (limits.missingExtensions.length > 0 && /^(?:42704|42883|42P01|3F000)$/.test(sqlState)) {
    return `${message}: the server of the copy lacks ${limits.missingExtensions.join(', ')}`;
  }
  return /^(?:08|53|57|58|XX)/.test(sqlState) ? `${message}${command ? ` in ${command}` : ''}` : undefined;
}

/** What a second run proves: nothing was left to apply, and a restart does no harm. */
export function outcomeOfSecondRun(run: MigratorRun, seen: RunSeen, limits: CopyLimits): HopOutcome {
  const outcome = outcomeOfRun(run, seen, limits);
  const [first] = seen.applied;
  const failed = (message: string, migration?: string): HopOutcome => ({
    ...{ kind: 'failed', migration, message, sqlState: undefined },
  });
  if (outcome.kind === 'failed') return { ...outcome, message: `a second start fails: ${outcome.message}` };
  if (first === undefined || outcome.kind === 'not-known') return outcome;
  return failed(
    `the migrator ended with 0 and left ${countOf(seen.applied.length, 'migration')} to a second start`,
    first.name,
  );
}
