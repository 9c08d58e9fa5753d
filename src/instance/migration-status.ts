import * as z from 'zod/mini';
import { countSchema } from '../core/field-schemas.js';
import { printable } from '../core/text/printable.js';

/** What one look at a database shows of its migrations. Times are seconds, by the clock of the server. */
export interface MigrationLook {
  /** Why the tables of the migrator could not be read; then nothing else counts. */
  readonly notSeen?: string | undefined;
  /** Undefined where there is no lease: before 1.123.0. */
  readonly lease: LeaseLook | undefined;
  /** Undefined where there is no run ledger: before 1.124.0. */
  readonly newestRun: RunLook | undefined;
  /** Rows of `knex_migrations_lock` that are locked. */
  readonly lockedRows: number;
  /** Since a migration was last recorded. */
  readonly lastMigrationSeconds: number | undefined;
  /** Those that hold or want a lock as only a migration does. */
  readonly migrators: readonly SessionLook[];
  /** Sessions that wait for one of these. */
  readonly waiting: number;
}

interface LeaseLook {
  readonly isHeld: boolean;
  readonly appVersion: string | undefined;
  readonly migration: string | undefined;
  /** Since the holder began. */
  readonly seconds: number | undefined;
  readonly heartbeatSeconds: number | undefined;
  readonly parkedSeconds: number | undefined;
  readonly parkedMigration: string | undefined;
  readonly parkedVersion: string | undefined;
}

interface RunLook {
  readonly appVersion: string;
  readonly outcome: string;
  /** When it began, ISO 8601. */
  readonly startedAt: string;
}

export interface SessionLook {
  readonly pid: number;
  readonly user: string | undefined;
  /** The command and its table; undefined if it is hidden from whoever looks. */
  readonly command: string | undefined;
  /** Since it waits for a lock; undefined if it waits for none. */
  readonly waitsSeconds: number | undefined;
  /** Of those that it waits for, the first. */
  readonly blocker: BlockerLook | undefined;
  /** How far an index is built, in percent. */
  readonly indexPercent: number | undefined;
}

export interface BlockerLook {
  /** 0 is a prepared transaction. */
  readonly pid: number;
  readonly user: string | undefined;
  /** `idle in transaction`, `active`; undefined if it is hidden. */
  readonly state: string | undefined;
  readonly seconds: number | undefined;
}

/** Another migrator may take a lease whose heartbeat is older. */
const leaseSeconds = 75;

/** A migration that waits for a lock longer than this is stuck, unless somebody says otherwise. */
export const stuckAfterMs = 300_000;

const states = ['at-rest', 'done', 'migrating', 'waiting', 'parked', 'dead', 'not-seen'] as const;

export const upgradeStatusSchema = z.strictObject({
  schemaVersion: z.literal('1'),
  safe: z.boolean().check(z.describe('Nothing migrates, and nothing is left to end: the exit code is 0.')),
  state: z.enum(states),
  summary: z.string().check(z.describe('One line, for people.')),
  migration: z.nullable(z.string()),
  version: z.nullable(z.string()).check(z.describe('The release that migrates, or migrated last.')),
  seconds: z.nullable(countSchema).check(z.describe('Since this migration, the wait or the state began.')),
  heartbeatSeconds: z.nullable(countSchema),
  waitingSessions: countSchema,
});

export type UpgradeStatus = z.infer<typeof upgradeStatusSchema>;
type State = (typeof states)[number];

/** How a state ends the command; a wait that is not long yet is like any migration. */
export type StatusOutcome = 'at-rest' | 'unfinished' | 'stuck';

/**
 * @param stuckSeconds how long a migration may wait for a lock before somebody has to look
 */
export function statusOf(
  look: MigrationLook,
  stuckSeconds: number,
): { readonly status: Omit<UpgradeStatus, 'schemaVersion'>; readonly outcome: StatusOutcome } {
  const { state, outcome, summary, ...fields } = judge(look, stuckSeconds);
  const status = {
    safe: outcome === 'at-rest',
    state,
    summary,
    migration: fields.migration ?? null,
    version: fields.version ?? null,
    seconds: wholeSeconds(fields.seconds),
    heartbeatSeconds: wholeSeconds(look.lease?.heartbeatSeconds),
    waitingSessions: look.waiting,
  };
  return { status, outcome };
}

interface StateJudgement {
  readonly state: State;
  readonly outcome: StatusOutcome;
  readonly summary: string;
  readonly migration?: string | undefined;
  readonly version?: string | undefined;
  readonly seconds?: number | undefined;
}

function judge(look: MigrationLook, stuckSeconds: number): StateJudgement {
  const { notSeen, lease, newestRun, lockedRows, migrators } = look;
  if (notSeen !== undefined)
    return { state: 'not-seen', outcome: 'unfinished', summary: `not seen: ${notSeen}` };
  if (lease?.isHeld === true) {
    const { heartbeatSeconds: beat } = lease;
    if (beat === undefined || beat >= leaseSeconds) return dead(lease);
    return atWork(look, lease, stuckSeconds);
  }
  if (lease?.parkedSeconds !== undefined) return parked(lease);
  if (migrators.length > 0) return atWork(look, undefined, stuckSeconds);
  if (lockedRows > 0) {
    const summary = 'dead: the lock of Knex is held, and no session migrates';
    return { state: 'dead', outcome: 'stuck', summary };
  }
  if (newestRun === undefined) {
    return { state: 'at-rest', outcome: 'at-rest', summary: 'at rest: no migrator is at work' };
  }
  const { appVersion: version, outcome, startedAt } = newestRun;
  if (outcome === 'succeeded') {
    return { state: 'done', outcome: 'at-rest', summary: `done: ${version}, run of ${startedAt}`, version };
  }
  // Between two attempts the lease is held. A run that neither ended nor holds it was cut off, or unlocked.
  const summary = `not seen: the newest run, of ${version}, is ${outcome}, and nobody holds the lease`;
  return { state: 'not-seen', outcome: 'unfinished', summary, version };
}

function dead({ appVersion, migration, heartbeatSeconds }: LeaseLook): StateJudgement {
  const age = heartbeatSeconds === undefined ? 'no heartbeat' : `heartbeat ${duration(heartbeatSeconds)} old`;
  const where = migration === undefined ? '' : `, in ${migration}`;
  return {
    ...{ state: 'dead', outcome: 'stuck', summary: `dead: ${age}, the lease can be taken${where}` },
    ...{ migration, version: appVersion, seconds: heartbeatSeconds },
  };
}

function parked({ parkedMigration, parkedVersion, parkedSeconds = 0 }: LeaseLook): StateJudgement {
  const where = parkedMigration === undefined ? '' : ` in ${parkedMigration}`;
  const by = parkedVersion === undefined ? '' : ` (${parkedVersion})`;
  return {
    ...{ state: 'parked', outcome: 'stuck', seconds: parkedSeconds },
    summary: `parked${where}${by} for ${duration(parkedSeconds)}; the same release does not try again by itself`,
    ...{ migration: parkedMigration, version: parkedVersion },
  };
}

function atWork(look: MigrationLook, lease: LeaseLook | undefined, stuckSeconds: number): StateJudgement {
  const { migrators, waiting, lastMigrationSeconds } = look;
  const session = migrators.find(({ waitsSeconds }) => waitsSeconds !== undefined) ?? migrators[0];
  // The one at work began when the holder did, or when the one before it was recorded.
  const began = [lease?.seconds, lastMigrationSeconds].filter((seconds) => seconds !== undefined);
  const seconds = lease === undefined || began.length === 0 ? undefined : Math.min(...began);
  const name = lease?.migration === undefined ? 'migrating' : `migrating ${lease.migration}`;
  const lasts = seconds === undefined ? '' : ` for ${duration(seconds)}`;
  const beat =
    lease?.heartbeatSeconds === undefined ? '' : `, heartbeat ${duration(lease.heartbeatSeconds)} ago`;
  const { waitsSeconds, blocker } = session ?? {};
  const isStuck = waitsSeconds !== undefined && waitsSeconds >= stuckSeconds;
  const what =
    waitsSeconds === undefined
      ? describeWork(session, waiting)
      : `waits for a lock held by ${describeBlocker(blocker)}`;
  return {
    state: waitsSeconds === undefined ? 'migrating' : 'waiting',
    outcome: isStuck ? 'stuck' : 'unfinished',
    summary: `${name}${lasts}${beat}: ${what}`,
    migration: lease?.migration,
    version: lease?.appVersion,
    seconds: waitsSeconds ?? seconds,
  };
}

function describeWork(session: SessionLook | undefined, waiting: number): string {
  const others =
    waiting === 0
      ? 'nobody waits'
      : `${waiting === 1 ? '1 session waits' : `${waiting} sessions wait`} for it`;
  if (session?.indexPercent !== undefined) return `index build ${session.indexPercent} %; ${others}`;
  const command =
    session === undefined
      ? 'no lock of it is seen'
      : (session.command ?? `pid ${session.pid}, whose statement is hidden from you`);
  return `${printable(command)}; ${others}`;
}

function describeBlocker(blocker: BlockerLook | undefined): string {
  if (blocker === undefined) return 'a session that is gone by now';
  if (blocker.pid === 0) return 'a prepared transaction';
  const { pid, user, state, seconds } = blocker;
  const who = user === undefined ? '' : printable(user);
  if (state === undefined) return `pid ${pid} (${who}); its state is hidden from you`;
  return `pid ${pid} (${who}, ${printable(state)}${seconds === undefined ? '' : ` for ${duration(seconds)}`})`;
}

/** `8 s`, `4 min 10 s`, `2 h 5 min`, `3 d 4 h`. */
function duration(seconds: number): string {
  const units = [
    ['d', 86_400],
    ['h', 3600],
    ['min', 60],
    ['s', 1],
  ] as const;
  const rest = Math.max(0, Math.floor(seconds));
  const first = units.findIndex(([, size]) => rest >= size);
  if (first === -1) return '0 s';
  const parts = units.slice(first, first + 2).map(([unit, size], i) => {
    const count = i === 0 ? Math.floor(rest / size) : Math.floor((rest % (units[first]?.[1] ?? 1)) / size);
    return count === 0 ? '' : `${count} ${unit}`;
  });
  return parts.filter((part) => part !== '').join(' ');
}

function wholeSeconds(seconds: number | undefined): number | null {
  return seconds === undefined ? null : Math.max(0, Math.floor(seconds));
}
