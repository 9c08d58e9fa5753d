import { describe, expect, it } from 'vitest';
import type { Backfill, RowStep } from '../../../src/instance/backfills/records.js';
import { rowsOf, timeOfBackfill } from '../../../src/instance/forecast/backfill-time.js';
import type { Rates, TableSize } from '../../../src/instance/forecast/work-time.js';

const record = { name: '20260101000000_x' } as Backfill;
const table: TableSize = {
  ...{ heapBytes: 1e8, toastBytes: 0, indexBytes: 2e7 },
  ...{ rows: 1_000_000, deadRows: 0, indexes: 2 },
};
const rates: Rates = { read: { fast: 1e8, slow: 5e7, again: 1e8 }, sort: 2e-6 };
const part = { column: 'part', holds: 'IS NULL' };
const update = (told: object = {}): RowStep =>
  ({ work: 'update', table: 'a', rows: 'all', ...told }) as RowStep;
const expected = (rows: number, modifiedRows = 0) => [
  { migration: record.name, table: 'a', rows, modifiedRows },
];

function timeOf(
  steps: Backfill['steps'],
  size: Partial<TableSize> = {},
  {
    seen = rates,
    rows = null as ReturnType<typeof expected> | null,
    grown = new Map<string, number>(),
    ...more
  } = {},
) {
  const sizes = new Map([['a', { ...table, ...size }]]);
  return timeOfBackfill({ ...record, ...more, steps }, sizes, rows, seen, grown);
}

describe('the rows of a step', () => {
  it.each([
    ['all', 'all', null, { least: 1_000_000, most: 1_000_000 }],
    ['an unknown part', 'some', expected(5), { least: 0, most: 1_000_000 }],
    ['what a repair finds', 'few', expected(5), { least: 0, most: 50_000 }],
    ['a condition that was not asked', part, null, { least: 0, most: 1_000_000 }],
    [
      'a condition, to within the error of a sample',
      part,
      expected(100_000),
      { least: 80_000, most: 120_000 },
    ],
    ['what has changed since', part, expected(100_000, 50_000), { least: 30_000, most: 170_000 }],
    ['no fewer than none', part, expected(10), { least: 0, most: 20_010 }],
    ['no more than all', part, expected(999_000), { least: 979_000, most: 1_000_000 }],
  ] as const)('are %s', (_, rows, seen, range) => {
    expect(rowsOf(record, update({ rows }), table, seen)).toEqual(range);
  });

  it('are of its own migration and table', () => {
    const other = [
      { ...expected(5)[0], migration: 'other' },
      { ...expected(5)[0], table: 'b' },
    ] as never;
    expect(rowsOf(record, update({ rows: part }), table, other)).toEqual({ least: 0, most: 1_000_000 });
  });

  it('are with those that are dead, and not known of a table that was not seen', () => {
    expect(rowsOf(record, update(), { ...table, deadRows: 5 }, null)).toEqual({
      least: 1_000_000,
      most: 1_000_005,
    });
    expect(rowsOf(record, update(), { ...table, heapBytes: null, rows: null }, null)).toEqual({
      least: 0,
      most: null,
    });
  });
});

describe('the time of a backfill', () => {
  // 120 MB: 4.2 to 24 s of writing; one scan is 0.2 to 3 s.
  it.each<[string, Backfill['steps'], number, number]>([
    ['all rows at once', [update()], 4.2 + 0.2, 1 + 24 + 3],
    ['and a scan', [update(), { work: 'scan', table: 'a' }], 4.2 + 0.4, 1 + 24 + 3 + 2 * (1 + 3)],
    ['rows by a key', [update({ batch: { size: 10_000, foundBy: 'key' } })], 4.2, 1 + 24 + 2],
    [
      'rows by a scan of half the table for each batch',
      [update({ batch: { size: 10_000, foundBy: 'scan' } })],
      4.2 + 0.2,
      1 + 24 + 3 + 100 * (1.5 + 0.02),
    ],
    [
      'rows by a sort for each batch',
      [update({ batch: { size: 10_000, foundBy: 'sort' } })],
      4.2 + 0.15 * 3,
      1 + 24 + 1.7 * 4 + 100 * (2 * 3 + 0.02),
    ],
  ])('is of %s', (_, steps, low, high) => {
    const time = timeOf(steps);
    expect(time.because).toEqual([]);
    expect(time.lowSeconds).toBeCloseTo(low);
    expect(time.highSeconds).toBeCloseTo(high);
  });

  it('reads a table again from disk that is too large to be cached', () => {
    const batch = { size: 100_000, foundBy: 'scan' } as const;
    const high = (heapBytes: number) => timeOf([update({ batch })], { heapBytes }).highSeconds ?? 0;
    expect(high(1.02e9) - high(1e9)).toBeGreaterThan(90);
  });

  it('counts only the rows that the planner expects', () => {
    const time = timeOf([update({ rows: part })], {}, { rows: expected(100_000) });
    expect(time.lowSeconds).toBeCloseTo(0.08 * 4.2 + 0.2);
    expect(time.highSeconds).toBeCloseTo(1 + 0.12 * 24 + 3);
  });

  it('counts a server that is slower than any that was measured for as many times slower', () => {
    const writing = (seen: Rates) =>
      (timeOf([update({ batch: { size: 1e6, foundBy: 'key' } })], {}, { seen }).highSeconds ?? 0) - 1.02;
    expect(writing(rates)).toBeCloseTo(24);
    expect(writing({ ...rates, sort: 30e-6 })).toBeCloseTo(48);
    expect(writing({ read: { fast: 1e8, slow: 1e7, again: 1e8 }, sort: 2e-6 })).toBeCloseTo(48);
  });

  it('counts one that sorts faster than any for as many times faster, at least', () => {
    const low = (sort: number) =>
      timeOf([update({ batch: { size: 1e6, foundBy: 'key' } })], {}, { seen: { ...rates, sort } }).lowSeconds;
    expect(low(0.4e-6)).toBeCloseTo(2.1);
    expect(low(9e-6)).toBeCloseTo(4.2);
  });

  it('is longer over what an earlier change has left behind', () => {
    const grown = new Map<string, number>();
    const first = timeOf([update()], {}, { grown });
    const second = timeOf([update()], {}, { grown });
    expect(second.lowSeconds).toBe(first.lowSeconds);
    expect(second.highSeconds).toBe((first.highSeconds ?? 0) * 2);
  });

  it.each<[string, Partial<TableSize>, Rates, readonly string[]]>([
    ['the size was not seen', { heapBytes: null }, rates, ['size-not-seen']],
    ['nothing was read', {}, { ...rates, read: undefined }, ['rate-not-measured']],
    ['nothing was sorted', {}, { ...rates, sort: undefined }, ['rate-not-measured']],
  ])('has no upper limit where %s', (_, size, seen, because) => {
    expect(timeOf([update()], size, { seen })).toMatchObject({ highSeconds: null, because });
  });

  it('has no upper limit for a backfill that may never end', () => {
    const endless = { endlessBefore: '1.120.1' as Backfill['introduced'] };
    expect(timeOf([update()], {}, endless as object)).toMatchObject({
      highSeconds: null,
      because: ['may-not-end'],
    });
  });

  it('is at most a second over an empty table, even without rates of the server', () => {
    const none: Rates = { read: undefined, sort: undefined };
    const time = timeOf([update()], { heapBytes: 0, indexBytes: 0, rows: 0 }, { seen: none });
    expect(time).toEqual({ lowSeconds: 0, highSeconds: 1, because: [] });
  });
});

it('a table with a GIN index takes up to twice as long, and is no slower to find rows in', () => {
  const [plain, gin] = [false, true].map((hasGin) => timeOf([update()], { hasGin }));
  const batched = { batch: { size: 1000, foundBy: 'key' as const } };
  expect(gin?.lowSeconds).toBe(plain?.lowSeconds);
  expect(gin?.highSeconds).toBeGreaterThan(1.6 * (plain?.highSeconds ?? Infinity));
  expect(gin?.highSeconds).toBeLessThan(2 * (plain?.highSeconds ?? 0));
  expect(timeOf([update({ ...batched, rows: 'few' })]).highSeconds).toBeLessThan(
    (timeOf([update({ ...batched, rows: 'some' })]).highSeconds ?? 0) / 10,
  );
});
