import type { FactOf, Lacking } from '../facts/needs.js';
import { type Effect, may, pendingMigrations } from '../instance/ledger.js';
import { sqlName, sqlText } from '../render/sql-word.js';
import { listNames } from '../render/words/lists.js';
import { describeMilliseconds } from '../render/words/measures.js';
import { type Answers, defineCheck, foundOrOk, type Judgement, warn } from './check.js';

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

export const timeouts = defineCheck<TimeoutsEvidence>()({
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
  words: {
    label: 'Timeouts of the migrating role',
    meaning: 'Whether a limit of role or database would end a migration that takes long or waits for a lock.',
    looksAt:
      'statement_timeout, lock_timeout, idle_in_transaction_session_timeout and transaction_timeout, as a session of the migrating role begins with them, if a pending migration scans or rewrites, and lock_timeout and transaction_timeout if one locks a table. Newer migrations set limits of their own.',
    finds: {
      'timeout-set': {
        meaning:
          'A session of the migrating role begins with a limit, and a pending migration may take long or wait for a lock.',
        remedy:
          'Remove the limit from the role for the upgrade, and restore it afterwards. The change applies only to sessions that begin later.',
        describe: ({ setting, ms, role, migrations }) =>
          `${setting} is ${describeMilliseconds(ms)} for ${role}, and may end ${listNames(migrations)}`,
        pasteIn: 'psql',
        commands: liftLimit,
      },
      'no-timeout-in-the-way': {
        meaning: 'No limit is set, or none that is known to affect a pending migration.',
        describe: ({ role }) => `none ends what ${role} migrates`,
      },
    },
  },
});

/**
 * The limit in force may be that of server, database or role. What was set for the role in this database is restored.
 */
export function liftLimit({
  setting,
  ms,
  role,
  database,
}: Pick<
  Extract<TimeoutsEvidence, { readonly kind: 'timeout-set' }>,
  'setting' | 'ms' | 'role' | 'database'
>) {
  const alter = `ALTER ROLE ${sqlName(role)} IN DATABASE ${sqlName(database)}`;
  return [
    `SELECT setconfig FROM pg_db_role_setting JOIN pg_database ON pg_database.oid = setdatabase WHERE datname = ${sqlText(database)} AND setrole = ${sqlText(sqlName(role))}::regrole;`,
    `${alter} SET ${setting} = 0;`,
    `-- after the upgrade, where the first line had a limit: ${alter} SET ${setting} = ${ms};`,
    `-- where it had none: ${alter} RESET ${setting};`,
  ];
}
