import { describe } from 'vitest';
import { migrationTime } from '../../../src/checks/database/migration-time.js';
import { migratorFact, tableFact } from '../../support/facts.js';
import { itFinds, type MigrationCase, type Situation, upgradeTo } from '../../support/preflight.js';

const name = '20260901000000_x';
const does = (...effects: ('locks' | 'rewrites' | 'scans')[]): MigrationCase[] => [
  { name, tables: ['projects'], does: effects },
];
const timeout = (statementTimeoutMs: number | null) => ({
  migrator: { ...migratorFact, statementTimeoutMs },
});
const changes = does('locks', 'rewrites', 'scans');
const unknown: MigrationCase[] = [{ name, tables: ['projects'], does: 'unknown' }];
const sized = (told: Partial<Parameters<typeof tableFact>[0]>) => ({
  tables: [tableFact({ ...told, name: 'projects' })],
});
const noLimit = `warn has-no-limit ${name}; ok migration-time`;
const large = {
  tables: [tableFact({ name: 'projects', heapBytes: 4e9, toastBytes: 1e9, estimatedRows: 10_000_000 })],
};

describe('the time of migrations', () => {
  itFinds(migrationTime, (situation: Situation) => situation, {
    'ok migration-time': {
      'is none where nothing is pending': upgradeTo([]),
      'is short': upgradeTo(does('scans')),
      'stays below the timeout': upgradeTo(does('scans'), timeout(60_000)),
      'has a limit that is not told, of a table that is small': upgradeTo(
        changes,
        sized({ heapBytes: 999_999_999, estimatedRows: 999_999 }),
      ),
      'is that of an empty table where an earlier migration creates it': upgradeTo(
        [{ ...changes[0], name: '20260831000000_before' }, ...changes].map((one) => ({
          ...one,
          tables: ['new'],
        })),
      ),
      'is told without a limit where nothing is known': upgradeTo([{ name }]),
    },
    [`warn passes-statement-timeout ${name}; ok migration-time`]: {
      'passes the timeout': upgradeTo(does('rewrites'), { ...large, ...timeout(60_000) }),
      'may pass the timeout, where it has no upper limit': upgradeTo(
        [{ name, does: 'unknown' }],
        timeout(60_000),
      ),
      'has no upper limit where no table could be read': upgradeTo(does('scans'), {
        readRate: 'absent',
        ...timeout(60_000),
      }),
    },
    [`warn takes-long ${name}; ok migration-time`]: {
      'is long where a large table is rewritten': upgradeTo(does('rewrites'), large),
    },
    [noLimit]: {
      'has no limit where rows of a large table may be changed': upgradeTo(
        changes,
        sized({ heapBytes: 6 * 1024 ** 3, estimatedRows: 4_100_000 }),
      ),
      'has no limit where nobody knows what is done to a large table': upgradeTo(
        unknown,
        sized({ heapBytes: 6 * 1024 ** 3, estimatedRows: 4_100_000 }),
      ),
      'has no limit where two tables are large, told of the larger': upgradeTo(
        [{ name, tables: ['spaces', 'projects'], does: 'unknown' }],
        { tables: [tableFact({ name: 'spaces', heapBytes: 2e9 }), ...large.tables] },
      ),
      'has no limit where the size of nothing is told': upgradeTo(changes, sized({ heapBytes: null })),
      'has no limit where rows are wide': upgradeTo(changes, sized({ toastBytes: 1e9, estimatedRows: 9 })),
      'has no limit at a million rows': upgradeTo(changes, sized({ estimatedRows: 1_000_000 })),
      'has no limit where the size was not seen': upgradeTo(
        changes,
        sized({ sizedBy: 'statistics', estimatedRows: 5 }),
      ),
      'has no limit where rows were never counted': upgradeTo(changes, sized({ estimatedRows: null })),
    },
    'not-checked facts-not-seen': {
      'is held against no timeout that cannot be told': upgradeTo(does('scans'), timeout(null)),
      'is not told where the measure was not permitted': upgradeTo(does('scans'), {
        readRate: 'not-permitted',
      }),
    },
  });
});
