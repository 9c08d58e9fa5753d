import { longSeconds, type MigrationTimeEvidence } from '../../../preflight/checks/migration-time.js';
import { countOf } from '../../phrase.js';
import { describeForecast, describeTime, lockWaits } from '../forecast.js';
import { describeBytes, describeMilliseconds } from '../measures.js';
import type { CheckWords } from './check-words.js';
import { liftLimit } from './timeouts.js';

export const migrationTimeWords: CheckWords<MigrationTimeEvidence> = {
  label: 'How long migrations take',
  meaning: 'How long each pending migration takes at least and at most, and whether it is allowed that long.',
  looksAt:
    'For each pending migration, what its artifact leaves possible, the size of its tables (heap and TOAST apart), and how fast this server reads and sorts. The artifact is trusted about what it says is done, but not about what it says is not done: there is no upper limit if rows are changed, if no table is named, or if its work is not stated. Left out are waits for locks, which last as long as the oldest transaction stays open; a statement that goes over its table more than once; rows that an earlier migration adds; and other load on the server.',
  finds: {
    'passes-statement-timeout': {
      meaning: 'A pending migration may take longer than statement_timeout allows the migrating role.',
      remedy:
        'Remove the limit from the role for the upgrade, and restore it afterwards. The change applies only to sessions that begin later.',
      describe: ({ forecast, timeoutMs, role }) =>
        `${forecast.migration}: ${describeForecast(forecast)}; statement_timeout is ${describeMilliseconds(timeoutMs)} for ${role}`,
      pasteIn: 'psql',
      commands: ({ role, database, timeoutMs: ms }) =>
        liftLimit({ setting: 'statement_timeout', ms, role, database }),
    },
    'has-no-limit': {
      meaning:
        'No upper limit can be given for a pending migration, and a table that it names has a million rows or 1 GB, or its size was not seen.',
      remedy:
        'Try the migration on a copy of the database, and plan the downtime by what it takes there. Give what migrates no time limit that may end it half-way.',
      describe: ({ forecast, table, rows, bytes }) =>
        `${forecast.migration}: ${describeForecast(forecast)}; ${table} has ${
          rows === null ? 'a number of rows that was not seen' : countOf(rows, 'row')
        }, ${bytes === null ? 'and its size was not seen' : describeBytes(bytes)}`,
    },
    'takes-long': {
      meaning: `A pending migration may take longer than ${longSeconds} s.`,
      remedy:
        'Plan the downtime for it. The check startup-time shows whether what migrates is allowed that long, if the deployment was read.',
      describe: ({ forecast }) => `${forecast.migration}: ${describeForecast(forecast)}`,
    },
    'migration-time': {
      meaning: 'No pending migration is known to take longer than it is allowed.',
      describe: ({ total, migrations }) =>
        migrations.length === 0
          ? 'no migration is pending'
          : `${countOf(migrations.length, 'pending migration')}: ${describeTime(total)}; ${lockWaits}`,
    },
  },
};
