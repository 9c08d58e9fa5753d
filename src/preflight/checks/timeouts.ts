import { type Answers, defineCheck, type FactOf, foundOrOk, type Judgement, type Lacking } from '../check.js';
import { may, pendingMigrations } from '../pending.js';

/** Limits of a session that can end a migration, by the names of the server's settings. */
const limits = {
  statement_timeout: 'statementTimeoutMs',
  lock_timeout: 'lockTimeoutMs',
  idle_in_transaction_session_timeout: 'idleInTransactionSessionTimeoutMs',
  transaction_timeout: 'transactionTimeoutMs',
} as const satisfies Record<string, keyof FactOf<'migrator'>>;

export type TimeoutsEvidence =
  | {
      readonly kind: 'timeout-set';
      readonly setting: keyof typeof limits;
      readonly ms: number;
      readonly role: string;
      readonly database: string;
      /** The pending migrations that may take long or, if the setting limits that, wait for a lock. */
      readonly migrations: readonly string[];
    }
  | { readonly kind: 'no-timeout-in-the-way'; readonly role: string };

/** Whether a limit of the migrating role or of the database would end a migration that takes long, or waits. */
export const timeouts = defineCheck({
  id: 'timeouts',
  group: 'database',
  canStop: false,
  needs: ['ledger', 'migrator', 'database'],
  needsArtifacts: true,
  judge(given): Answers<TimeoutsEvidence> {
    const { migrator, database } = given.facts;
    const { name: role } = migrator;
    const pending = pendingMigrations(given);
    // Any migration may wait for a lock, however short its work is.
    const ended = (setting: string) =>
      pending
        .filter((one) =>
          setting === 'lock_timeout' ? may(one, 'locksTable') : may(one, 'scansTable', 'rewritesTable'),
        )
        .map(({ name }) => name);
    const findings = Object.entries(limits).flatMap(
      ([setting, key]): (Judgement<TimeoutsEvidence> | Lacking)[] => {
        const ms = migrator[key];
        if (ms === null) return [{ lacks: 'migrator', why: 'not-permitted' }];
        const migrations = ms === 0 ? [] : ended(setting);
        if (migrations.length === 0) return [];
        const evidence = { setting: setting as keyof typeof limits, ms, role, database: database.name };
        return [
          {
            status: 'warn',
            subject: setting,
            evidence: { kind: 'timeout-set', ...evidence, migrations },
          },
        ];
      },
    );
    return foundOrOk(findings, { kind: 'no-timeout-in-the-way', role }, role);
  },
});
