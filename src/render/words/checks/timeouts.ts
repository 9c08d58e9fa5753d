import type { TimeoutsEvidence } from '../../../preflight/checks/timeouts.js';
import { sqlName, sqlText } from '../../sql-word.js';
import { listNames } from '../lists.js';
import { describeMilliseconds } from '../measures.js';
import type { CheckWords } from './check-words.js';

export const timeoutsWords: CheckWords<TimeoutsEvidence> = {
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
};

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
