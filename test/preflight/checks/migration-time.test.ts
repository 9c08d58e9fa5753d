import { describe, expect, it } from 'vitest';
import { migrationTime } from '../../../src/preflight/checks/migration-time.js';
import { migratorFact, tableFact } from '../../support/facts.js';
import { foundBy, type MigrationCase, type Situation, upgradeTo } from '../../support/preflight.js';

const name = '20260901000000_x';
const does = (...effects: ('locks' | 'rewrites' | 'scans')[]): MigrationCase[] => [
  { name, tables: ['projects'], does: effects },
];
const timeout = (statementTimeoutMs: number | null) => ({
  migrator: { ...migratorFact, origin: 'stated' as const, statementTimeoutMs },
});
const large = {
  tables: [tableFact({ name: 'projects', heapBytes: 4e9, toastBytes: 1e9, estimatedRows: 10_000_000 })],
};

describe('the time of migrations', () => {
  it.each<[string, Situation, string[]]>([
    ['is none where nothing is pending', upgradeTo([]), ['ok migration-time']],
    ['is short', upgradeTo(does('scans')), ['ok migration-time']],
    ['stays below the timeout', upgradeTo(does('scans'), timeout(60_000)), ['ok migration-time']],
    [
      'passes the timeout',
      upgradeTo(does('rewrites'), { ...large, ...timeout(60_000) }),
      [`warn passes-statement-timeout ${name}`, 'ok migration-time'],
    ],
    [
      'may pass the timeout, where it has no upper limit',
      upgradeTo([{ name, does: 'unknown' }], timeout(60_000)),
      [`warn passes-statement-timeout ${name}`, 'ok migration-time'],
    ],
    [
      'is long where a large table is rewritten',
      upgradeTo(does('rewrites'), large),
      [`warn takes-long ${name}`, 'ok migration-time'],
    ],
    [
      'may be long where every row of a large table may be changed',
      upgradeTo(does('locks', 'rewrites', 'scans'), {
        tables: [tableFact({ name: 'projects', heapBytes: 1e9, estimatedRows: 10_000_000 })],
      }),
      [`warn takes-long ${name}`, 'ok migration-time'],
    ],
    ['is told without a limit where nothing is known', upgradeTo([{ name }]), ['ok migration-time']],
    [
      'is held against no timeout that cannot be told',
      upgradeTo(does('scans'), timeout(null)),
      ['not-checked facts-not-seen'],
    ],
    [
      'has no upper limit where no table could be read',
      upgradeTo(does('scans'), { readRate: 'absent', ...timeout(60_000) }),
      [`warn passes-statement-timeout ${name}`, 'ok migration-time'],
    ],
    [
      'is not told where the measure was not permitted',
      upgradeTo(does('scans'), { readRate: 'not-permitted' }),
      ['not-checked facts-not-seen'],
    ],
  ])('%s', (_, situation, found) => {
    expect(foundBy(migrationTime, situation)).toEqual(found);
  });
});
