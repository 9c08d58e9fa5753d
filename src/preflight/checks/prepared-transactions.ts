import { type Answers, defineCheck, foundOrOk, type Judgement, stop, warn } from '../check.js';
import { pendingLocks, tablesOf } from '../pending.js';
import { keepsMigratorsOut } from './table-locks.js';

export type PreparedTransactionsEvidence =
  | {
      readonly kind: 'prepared-transaction-locks';
      readonly name: string;
      readonly table: string;
      /** Null for a table that every migrator writes. */
      readonly migration: string | null;
    }
  | {
      readonly kind: 'prepared-transaction';
      readonly name: string;
      readonly owner: string;
      readonly seconds: number;
    }
  | { readonly kind: 'no-prepared-transaction' };

/** Whether a transaction was prepared and never ended: no session holds its locks, so none will release them. */
export const preparedTransactions = defineCheck({
  id: 'prepared-transactions',
  group: 'database',
  canStop: true,
  needs: ['ledger', 'locks', 'preparedTransactions'],
  needsArtifacts: true,
  judge(given): Answers<PreparedTransactionsEvidence> {
    const pending = pendingLocks(given);
    const named = tablesOf(pending);
    const { locks, preparedTransactions: prepared } = given.facts;
    const findings = prepared.map(({ name, owner, ageSeconds }): Judgement<PreparedTransactionsEvidence> => {
      for (const lock of locks) {
        const { table, preparedTransaction, granted } = lock;
        const migration = named.get(table)?.name ?? null;
        if (!granted || preparedTransaction !== name) continue;
        if (migration === null && !keepsMigratorsOut(lock)) continue;
        return stop(name, { kind: 'prepared-transaction-locks', name, table, migration });
      }
      return warn(name, { kind: 'prepared-transaction', name, owner, seconds: ageSeconds });
    });
    return foundOrOk(findings, { kind: 'no-prepared-transaction' });
  },
});
