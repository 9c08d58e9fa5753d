import { type Answers, defineCheck, type FactOf, foundOrOk, type Judgement, stop, warn } from '../check.js';
import { firstWith, isOlder } from '../runtime-eras.js';

/** Another migrator may claim a lease whose heartbeat is older than this. */
const leaseSeconds = 75;

interface Holder {
  readonly host: string | null;
  readonly version: string | null;
  readonly migration: string | null;
  readonly heartbeatSeconds: number | null;
}

/** Whether a session may be that of a migrator: `hidden` if this role may not see what sessions do. */
type Migrator = 'maybe' | 'none' | 'hidden';

export type LockAndLeaseEvidence =
  | {
      readonly kind: 'knex-lock-held';
      readonly to: string;
      readonly migrator: Migrator;
      readonly schema: string;
      readonly role: string;
      readonly pids: readonly number[];
    }
  | {
      readonly kind: 'knex-lock-rows';
      readonly to: string;
      readonly schema: string;
      readonly role: string;
      readonly rows: number;
    }
  | {
      readonly kind: 'knex-lock-freed-by-target';
      readonly to: string;
      readonly migrator: Migrator;
      readonly pids: readonly number[];
    }
  | ({ readonly kind: 'lease-migrating' } & Holder)
  | ({ readonly kind: 'lease-stale'; readonly migrator: Migrator; readonly pids: readonly number[] } & Holder)
  | {
      readonly kind: 'lease-parked-for-target';
      readonly version: string | null;
      readonly migration: string | null;
    }
  | {
      readonly kind: 'lease-parked';
      readonly version: string | null;
      readonly migration: string | null;
      readonly transient: boolean;
    }
  | { readonly kind: 'lease-rows'; readonly rows: number }
  | { readonly kind: 'nobody-migrates'; readonly era: 'lock' | 'lease' };

/**
 * Whether a migrator is running, or died while migrating: the lock of Knex, and the lease of releases since 1.123.0.
 */
export const lockAndLease = defineCheck({
  id: 'lock-and-lease',
  group: 'database',
  canStop: true,
  needs: ['activity', 'migrator'],
  needsOrAbsent: ['ledgerLock', 'lease'],
  needsArtifacts: false,
  judge({ to, facts: { activity, migrator, ledgerLock, lease } }): Answers<LockAndLeaseEvidence> {
    const sessions = migratingSessions(activity, [migrator.name, ...migrator.actedAsBy]);
    const [row] = lease ?? [];
    const findings: Judgement<LockAndLeaseEvidence>[] = [];
    if (ledgerLock !== null && ledgerLock.lockedRows > 0 && row?.claimed !== true) {
      findings.push(
        isOlder(to, firstWith.lease)
          ? stop('knex_migrations_lock', {
              kind: 'knex-lock-held',
              to,
              schema: migrator.schema,
              role: migrator.name,
              ...sessions,
            })
          : {
              status: sessions.migrator === 'none' ? 'warn' : 'stop',
              subject: 'knex_migrations_lock',
              evidence: { kind: 'knex-lock-freed-by-target', to, ...sessions },
            },
      );
    }
    // Knex takes the lock if it changes exactly one row. From the lease on, the lock table is recreated first.
    if (ledgerLock !== null && ledgerLock.rows > 1 && isOlder(to, firstWith.lease)) {
      const { rows } = ledgerLock;
      const { schema, name: role } = migrator;
      findings.push(stop('knex_migrations_lock', { kind: 'knex-lock-rows', to, schema, role, rows }));
    }
    if (lease !== null && lease.length !== 1)
      findings.push(stop('migration_lease', { kind: 'lease-rows', rows: lease.length }));
    if (row?.claimed === true) {
      const holder = {
        host: row.holderPodName ?? row.holderHostname,
        version: row.appVersion,
        migration: row.currentMigration,
        heartbeatSeconds: row.heartbeatAgeSeconds,
      };
      const expired = row.heartbeatAgeSeconds === null || row.heartbeatAgeSeconds >= leaseSeconds;
      findings.push(
        expired
          ? {
              status: sessions.migrator === 'none' ? 'warn' : 'stop',
              subject: 'migration_lease',
              evidence: { kind: 'lease-stale', ...holder, ...sessions },
            }
          : stop('migration_lease', { kind: 'lease-migrating', ...holder }),
      );
    } else if (row !== undefined && row.parkedAt !== null) {
      const { parkedAppVersion: version, parkedMigration: migration } = row;
      const transient = row.parkedErrorClass === 'transient';
      // A park names a release; another release may claim the lease. A park without a name may be of any release.
      findings.push(
        !transient && (version === null || version === to)
          ? stop('migration_lease', { kind: 'lease-parked-for-target', version, migration })
          : warn('migration_lease', { kind: 'lease-parked', version, migration, transient }),
      );
    }
    return foundOrOk(findings, { kind: 'nobody-migrates', era: lease === null ? 'lock' : 'lease' });
  },
});

/** Sessions of roles that may migrate, if they are not idle: any of them may be a migrator. */
function migratingSessions(
  { sessions, hiddenSessions }: FactOf<'activity'>,
  roles: readonly string[],
): { readonly migrator: Migrator; readonly pids: readonly number[] } {
  const pids = sessions
    .filter(({ role: of, backend }) => backend === 'client backend' && (of === null || roles.includes(of)))
    .map(({ pid }) => pid);
  if (pids.length > 0) return { migrator: 'maybe', pids };
  return { migrator: hiddenSessions > 0 ? 'hidden' : 'none', pids };
}
