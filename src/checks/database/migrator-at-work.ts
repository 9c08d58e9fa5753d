import type { FactOf } from '../../instance/facts/needs.js';
import { endSession, showSession } from '../commands.js';
import { waitUntilItEnds } from '../phrases.js';

/**
 * The sessions that migrate with Knex. It changes its lock in the transaction in which it runs all migrations, if none of
 * them opts out: until that ends, others read the lock as free (`findings/knex-lock-looks-free.sh`).
 */
export function knexMigrators(locks: FactOf<'locks'>): ReadonlySet<number> {
  const isOfMigrator = ({ table, mode, granted }: FactOf<'locks'>[number]) =>
    granted && table === 'knex_migrations_lock' && mode === 'RowExclusiveLock';
  return new Set(locks.flatMap((lock) => (lock.pid !== null && isOfMigrator(lock) ? lock.pid : [])));
}

/** Another migrator may claim a lease whose heartbeat is older than this. */
const leaseSeconds = 75;

export function isStale({
  heartbeatAgeSeconds: seconds,
}: Pick<FactOf<'lease'>[number], 'heartbeatAgeSeconds'>): boolean {
  return seconds === null || seconds >= leaseSeconds;
}

/** Whether a migrator may be at work that no session shows: lock and lease name no process. */
export function mayBeAtWork({ ledgerLock, lease }: MayHold): boolean {
  if (ledgerLock === undefined || lease === undefined) return true;
  const [row] = lease ?? [];
  return row?.claimed === true ? !isStale(row) : ledgerLock !== null && ledgerLock.lockedRows > 0;
}

interface MayHold {
  readonly ledgerLock?: FactOf<'ledgerLock'> | null | undefined;
  readonly lease?: FactOf<'lease'> | null | undefined;
}

/** What to do about a session; `endUnlessMigrating` is what to paste for that. */
export const endIfYouMay =
  'Find out whose it is, and end it if you are allowed to. Never end a migrator: as long as this may be one ' +
  '(lightspan upgrade-preflight --only lock-and-lease shows that), no command to end it is printed.';

export function endUnlessMigrating({ pid, migrates }: { readonly pid: number; readonly migrates: boolean }) {
  return migrates ? [showSession(pid)] : endSession(pid);
}

export const waitForKnex =
  `${waitUntilItEnds}. If nobody migrates, somebody has changed the lock by hand, and has to end that with COMMIT ` +
  'or ROLLBACK.';
