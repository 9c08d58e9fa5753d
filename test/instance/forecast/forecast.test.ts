import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseVersion } from '../../../src/core/version.js';
import { type ForecastFacts, forecast } from '../../../src/instance/forecast/forecast.js';
import {
  inTurn,
  noTime,
  ratesOf,
  type TimeRange,
  timeOf,
  unbounded,
} from '../../../src/instance/forecast/work-time.js';
import type { ReleaseMigration } from '../../../src/instance/release-line.js';
import { tableFact } from '../../support/facts.js';
import { propertyRuns } from '../../support/property-runs.js';

type Effect = boolean | 'unknown';

function migration(tables: readonly string[], rewrites: Effect, scans: Effect, name = 'x'): ReleaseMigration {
  return {
    name,
    edition: 'core',
    tables: [...tables],
    heaviness: { locksTable: true, rewritesTable: rewrites, scansTable: scans },
    version: parseVersion('2.1.0'),
  };
}

/** 100 MB a second, and half of it at first; 2 µs a row. */
const facts: ForecastFacts = {
  tables: [
    tableFact({ name: 'small' }),
    tableFact({ name: 'large', heapBytes: 1e9, toastBytes: 2e9, estimatedRows: 1_000_000 }),
    tableFact({ name: 'locked', heapBytes: 0, sizedBy: 'statistics' }),
    // In the order of their names, as a server lists them: the part of a part comes first.
    tableFact({ name: 'day', partitionOf: 'month', heapBytes: 1e9, estimatedRows: 1_000_000 }),
    tableFact({ name: 'month', kind: 'partitioned', partitionOf: 'parted' }),
    tableFact({ name: 'parted', kind: 'partitioned' }),
  ],
  indexes: [],
  readRate: {
    table: 'large',
    firstBytes: 1e8,
    firstMicroseconds: 2e6,
    againBytes: 1e8,
    againMicroseconds: 1e6,
  },
  sortRate: { rows: 50_000, microseconds: 100_000 },
};

function rangeOf(told: ReleaseMigration, seen = facts): TimeRange {
  const [one = noTime] = forecast([told], seen);
  const { lowSeconds, highSeconds, because } = one;
  const round = (seconds: number) => Math.round(seconds * 100) / 100;
  return {
    lowSeconds: round(lowSeconds),
    highSeconds: highSeconds === null ? null : round(highSeconds),
    because,
  };
}

const from = (lowSeconds: number, highSeconds: number): TimeRange => ({
  lowSeconds,
  highSeconds,
  because: [],
});

describe('a migration', () => {
  it.each<[string, ReleaseMigration, TimeRange]>([
    ['that rewrites an empty table', migration(['small'], true, false), from(0, 1)],
    // Least: 0.5 of 10 times 3 GB at 100 MB/s and 2 s of sorting. Most: 2.5 of that at 50 MB/s.
    ['that rewrites, TOAST with it', migration(['large'], true, false), from(151, 1506)],
    ['that may rewrite', migration(['large'], 'unknown', false), from(0, 1506)],
    // Least: 0.08 of 10 s and 2 s. Most: as one that rewrites.
    ['that scans or builds', migration(['large'], false, true), from(0.96, 1506)],
    ['that only locks, and may do more', migration(['large'], false, false), from(0, 1506)],
    ['of a table in partitions', migration(['parted'], false, true), from(0.96, 506)],
    ['of two tables', migration(['large', 'small'], false, true), from(0, 1507)],
    ['that changes rows', migration(['large'], true, true), unbounded(2, 'rows-not-told')],
    ['that may change rows', migration(['large'], 'unknown', true), unbounded(0.96, 'rows-not-told')],
    ['that names no table', migration([], false, false), unbounded(0, 'tables-not-told')],
    ['that names the server alone', migration(['pg_class'], false, false), unbounded(0, 'tables-not-told')],
    ['of which nothing is told', migration(['large'], 'unknown', 'unknown'), unbounded(0, 'work-not-told')],
    ['of a table that was locked', migration(['locked'], false, true), unbounded(0, 'size-not-seen')],
    ['of another schema', migration(['elsewhere.large'], false, true), unbounded(0, 'size-not-seen')],
    ['of a table that it creates', migration(['new'], false, false), from(0, 1)],
  ])('%s', (_, told, range) => {
    expect(rangeOf(told)).toEqual(range);
  });

  it('that works on a table which one before may have created and filled has no upper limit', () => {
    const both = [migration(['new'], false, false, 'a'), migration(['new'], false, true, 'b')];
    const seen = migration(['small'], false, true, 'b');
    const notReported = [migration([], false, false, 'a'), seen, migration(['new'], false, true, 'c')];
    expect(forecast(both, facts).map(({ because }) => because)).toEqual([[], ['size-not-seen']]);
    expect(forecast(notReported, facts).at(2)?.because).toEqual(['size-not-seen']);
  });

  it('that may change every row says what that takes at least', () => {
    const [one] = forecast([migration(['large'], true, true)], facts);
    expect(one?.everyRowSeconds).toBeCloseTo(3);
  });

  it('takes wide limits from a read that ended at once', () => {
    const short = { table: 'large', firstBytes: 1e7, firstMicroseconds: 1e5, againBytes: 1e7 };
    const seen = { ...facts, readRate: { ...short, againMicroseconds: 1e5 } };
    expect(rangeOf(migration(['large'], false, true), seen)).toEqual(from(0.36, 3006));
  });
});

describe('one statement', () => {
  const rates = { read: { fast: 1e8, slow: 5e7, again: 1e8 }, sort: 2e-6 };
  const table = {
    heapBytes: 1e9,
    toastBytes: 1e9,
    indexBytes: 1e8,
    rows: 1_000_000,
    deadRows: 0,
    indexes: 1,
  };

  // 20 s of reading, and 2 s of sorting where it sorts; 3 s where there are dead rows.
  it.each([
    ['scan', 0, 31],
    ['validate', 0, 38.4],
    ['index', 0, 38.4],
    ['index', 500_000, 1 + 1.7 * 23],
  ] as const)('takes at most, to %s with %i dead rows: %d s', (work, deadRows, seconds) => {
    expect(timeOf(work, { ...table, deadRows }, rates).highSeconds).toBeCloseTo(seconds);
  });

  const empty = { heapBytes: 0, toastBytes: 0 };
  it.each<[string, object, Parameters<typeof timeOf>[2], readonly string[]]>([
    ['its size', { heapBytes: null }, rates, ['size-not-seen']],
    ['the size of its TOAST', { toastBytes: null }, rates, ['size-not-seen']],
    ['how fast it is read', {}, { ...rates, read: undefined }, ['rate-not-measured']],
    ['how fast it is sorted', {}, { ...rates, sort: undefined }, ['rate-not-measured']],
    ['nothing that matters where it is empty', empty, { read: undefined, sort: undefined }, []],
  ])('has an upper limit but where of a table is not known %s', (_, told, seen, because) => {
    expect(timeOf('rewrite', { ...table, ...told }, seen).because).toEqual(because);
  });
});

describe('rates', () => {
  const read = {
    ...{ table: 'large', firstBytes: 1e8, firstMicroseconds: 2e6 },
    ...{ againBytes: 1e8, againMicroseconds: 1e6 },
  };
  it.each(['firstBytes', 'firstMicroseconds', 'againBytes', 'againMicroseconds'] as const)(
    'are none where the %s are none',
    (key) => {
      expect(ratesOf({ ...read, [key]: 0 }, { rows: 0, microseconds: 1 })).toEqual({});
    },
  );

  /** In MB a second. */
  it.each<[string, Partial<typeof read>, fast: number, slow: number]>([
    ['enough bytes, however short', { firstMicroseconds: 799_999, againMicroseconds: 799_999 }, 125, 125],
    ['a long read, of however little', { firstBytes: 4e7, firstMicroseconds: 8e5 }, 100, 50],
    ['neither', { firstBytes: 99e6, firstMicroseconds: 7.92e5 }, 500, 25],
  ])('are as reliable as their measure: %s', (_, told, ...expected) => {
    const { fast = 0, slow = 0 } = ratesOf({ ...read, ...told }, null).read ?? {};
    expect([fast, slow].map((rate) => Math.round(rate / 1e6))).toEqual(expected);
  });
});

describe('with fewer facts', () => {
  const effect = fc.constantFrom<Effect>(true, false, 'unknown');
  const amount = fc.nat(4_000_000_000);
  const table = fc.record({
    name: fc.constantFrom('a', 'b', 'c'),
    heapBytes: fc.option(amount),
    toastBytes: fc.option(amount),
    estimatedRows: fc.option(fc.nat(1e9)),
    deadRows: fc.nat(1e6),
    partitionOf: fc.constantFrom(null, 'a'),
  });
  const seen = fc.record({
    tables: fc.uniqueArray(table, { selector: ({ name }) => name }),
    firstBytes: amount,
    againBytes: amount,
    firstMicroseconds: fc.nat(2_000_000),
    againMicroseconds: fc.nat(2_000_000),
    rows: fc.nat(50_000),
    microseconds: fc.nat(1e6),
  });
  const migrations = fc.array(
    fc.record({
      tables: fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'pg_class', 's.t')),
      rewrites: effect,
      scans: effect,
    }),
    { minLength: 1, maxLength: 4 },
  );

  it('no range is narrower, and no upper limit lower', () => {
    fc.assert(
      fc.property(seen, migrations, ({ tables, rows, microseconds, ...read }, told) => {
        const all = told.map((one, i) => migration(one.tables, one.rewrites, one.scans, String(i)));
        const whole: ForecastFacts = {
          tables: tables.map(tableFact),
          indexes: [],
          readRate: { table: 'a', ...read },
          sortRate: { rows, microseconds },
        };
        const before = forecast(all, whole);
        expect(inTurn(before).highSeconds).not.toBe(0);
        for (const less of withLess(whole, all)) {
          const after = forecast(less.migrations, less.facts);
          for (const [i, { lowSeconds, highSeconds, because }] of after.entries()) {
            const { lowSeconds: low = 0, highSeconds: high = 0 } = before[i] ?? {};
            expect(lowSeconds).toBeLessThanOrEqual(low);
            expect(highSeconds ?? Infinity).toBeGreaterThanOrEqual(Math.max(high ?? Infinity, lowSeconds));
            expect(because.length > 0).toBe(highSeconds === null);
          }
        }
      }),
      { numRuns: propertyRuns(1000) },
    );
  });

  function withLess(whole: ForecastFacts, all: readonly ReleaseMigration[]) {
    const tables = whole.tables ?? [];
    const unseen = ['tables', 'indexes', 'readRate', 'sortRate'].map((key) => ({ ...whole, [key]: null }));
    const unsized = tables.flatMap((table, i) =>
      ['heapBytes', 'toastBytes', 'estimatedRows'].map((key) => ({
        ...whole,
        tables: tables.with(i, { ...table, [key]: null }),
      })),
    );
    const notReported = all.flatMap((one, i) =>
      [
        { ...one, tables: [] },
        { ...one, heaviness: { ...one.heaviness, rewritesTable: 'unknown' as const } },
        { ...one, heaviness: { ...one.heaviness, scansTable: 'unknown' as const } },
      ].map((less) => all.with(i, less)),
    );
    return [
      ...[...unseen, ...unsized].map((facts) => ({ facts, migrations: all })),
      ...notReported.map((migrations) => ({ facts: whole, migrations })),
    ];
  }
});
