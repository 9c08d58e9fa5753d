import {
  type Answers,
  defineCheck,
  type FactOf,
  foundOrOk,
  type Judgement,
  type Lacking,
  warn,
} from '../check.js';
import { type Effect, may, pendingMigrations } from '../pending.js';

/**
 * Limits of a session that end what a migration does, by their names on the server, and what they end. Any migration may
 * wait for a lock, however short its work is, and that wait counts towards its transaction.
 */
const limits = {
  statement_timeout: { key: 'statementTimeoutMs', ends: ['scansTable', 'rewritesTable'] },
  lock_timeout: { key: 'lockTimeoutMs', ends: ['locksTable'] },
  idle_in_transaction_session_timeout: {
    key: 'idleInTransactionSessionTimeoutMs',
    ends: ['scansTable', 'rewritesTable'],
  },
  transaction_timeout: { key: 'transactionTimeoutMs', ends: ['locksTable', 'scansTable', 'rewritesTable'] },
} as const satisfies Record<
  string,
  { readonly key: keyof FactOf<'migrator'>; readonly ends: readonly Effect[] }
>;

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
    const findings = Object.entries(limits).flatMap(
      ([setting, { key, ends }]): (Judgement<TimeoutsEvidence> | Lacking)[] => {
        const ms = migrator[key];
        if (ms === null) return [{ lacks: 'migrator', why: 'not-permitted' }];
        const migrations = pending.filter((one) => ms > 0 && may(one, ...ends)).map(({ name }) => name);
        if (migrations.length === 0) return [];
        const evidence = { setting: setting as keyof typeof limits, ms, role, database: database.name };
        return [warn(setting, { kind: 'timeout-set', ...evidence, migrations })];
      },
    );
    return foundOrOk(findings, { kind: 'no-timeout-in-the-way', role }, role);
  },
});
