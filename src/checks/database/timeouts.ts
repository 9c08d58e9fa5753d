import { pendingWork } from '../../instance/backfills/pending.js';
import { mayDo } from '../../instance/ledger.js';
import { describeMilliseconds, listNames } from '../../words/phrase.js';
import { defineCheck, lacks, ok, warn } from '../check.js';
import { liftLimit } from '../commands.js';
import { liftLimitOfRole } from '../phrases.js';

/** Milliseconds for which a migration may be idle in its transaction, while it works on rows that it has read. */
const idleMs = 5000;

/**
 * Limits of a session that end what a migration does, and what they end. Any migration may wait for a lock, however
 * short its work is, and that wait counts towards its transaction.
 */
const limits = [
  {
    setting: 'statement_timeout',
    key: 'statementTimeoutMs',
    ends: ['scansTable', 'rewritesTable'],
    below: Infinity,
  },
  { setting: 'lock_timeout', key: 'lockTimeoutMs', ends: ['locksTable'], below: Infinity },
  {
    setting: 'idle_in_transaction_session_timeout',
    key: 'idleInTransactionSessionTimeoutMs',
    ends: ['scansTable', 'rewritesTable'],
    below: idleMs,
  },
  {
    setting: 'transaction_timeout',
    key: 'transactionTimeoutMs',
    ends: ['locksTable', 'scansTable', 'rewritesTable'],
    below: Infinity,
  },
] as const;

export const timeouts = defineCheck({
  id: 'timeouts',
  canStop: false,
  needs: ['ledger', 'migrator', 'database'],
  needsArtifacts: true,
  *judge(input) {
    const { migrator, database } = input.facts;
    const { name: role } = migrator;
    const pending = pendingWork(input);
    for (const limit of limits) {
      const { setting, key, ends, below } = limit;
      const ms = migrator[key];
      if (ms === null) yield lacks('migrator', { why: 'not-permitted' });
      else if (ms > 0 && ms < below) {
        const migrations = pending.filter((migration) => mayDo(migration, ...ends)).map(({ name }) => name);
        const evidence = { setting, ms, role, database: database.name, migrations };
        if (migrations.length > 0) yield warn(setting, { kind: 'timeout-set', ...evidence });
      }
    }
    return ok({ kind: 'no-timeout-in-the-way', role }, role);
  },
})({
  label: 'Timeouts of the migrating role',
  meaning:
    'Whether a limit of the role or database would end a migration that takes long or waits for a lock. What ' +
    'it looks at: If a pending migration scans or rewrites a table, statement_timeout, lock_timeout, ' +
    'idle_in_transaction_session_timeout and transaction_timeout, as a session of the migrating role gets ' +
    'them; if one locks a table, lock_timeout and transaction_timeout. A statement that runs is not idle: ' +
    'idle_in_transaction_session_timeout counts only below 5 s. lock_timeout counts for each lock: a ' +
    'migration of two tables may wait twice as long. Newer migrations set their own limits; some that build an ' +
    'index concurrently set none, and wait as long as they have to.',
  finds: {
    'timeout-set': {
      meaning: 'The role has a time limit, and a pending migration may take long or wait for a lock.',
      remedy: liftLimitOfRole,
      describe: ({ setting, ms, role, migrations }) =>
        `${setting} is ${describeMilliseconds(ms)} for ${role} and may end ${listNames(migrations)}`,
      psql: liftLimit,
    },
    'no-timeout-in-the-way': ({ role }) => `none ends what ${role} migrates`,
  },
});
