import { describe, expect, it } from 'vitest';
import { summarizeIndex } from '../../src/library.js';
import { findProvenTargets } from '../../src/release-safety/index-summary.js';
import { parseReleaseSafetyIndex } from '../../src/release-safety/parse-index.js';
import { evaluateSpan } from '../../src/release-safety/span.js';
import { compareVersions, parseVersion } from '../../src/release-safety/version.js';
import { indexOf, type LooseEntry, realIndex } from '../support/real-index.js';

type Row = LooseEntry & { readonly version: string };

const summarize = (...rows: readonly Row[]) => summarizeIndex(parseReleaseSafetyIndex(indexOf(...rows)));

it('sums up the real index', () => {
  expect(summarizeIndex(realIndex())).toEqual({
    generatedAt: '2026-09-06T18:08:42.053Z',
    releases: 3598,
    firstVersion: '0.1893.0',
    latestVersion: '2.134.2',
    floorVersion: '0.1893.0',
    verdicts: { true: 498, false: 74, unknown: 3026 },
    backfilled: 3088,
    newestGreenSpan: { fromVersion: '2.117.0', toVersion: '2.134.2', releases: 26 },
  });
  expect(evaluateSpan(realIndex(), { from: parseVersion('2.117.0'), to: parseVersion('2.134.2') }).safe).toBe(
    true,
  );
  expect(evaluateSpan(realIndex(), { from: parseVersion('2.116.0'), to: parseVersion('2.134.2') }).safe).toBe(
    false,
  );
});

it('has no floor where the index has none', () => {
  const index = { ...indexOf({ version: '1.1.0' }), backfillFloorVersion: null };
  expect(summarizeIndex(parseReleaseSafetyIndex(index))).toMatchObject({
    firstVersion: '1.1.0',
    latestVersion: '1.1.0',
    floorVersion: null,
  });
});

it('tells the first release from a floor that the index does not hold', () => {
  const index = { ...indexOf({ version: '1.1.0' }, { version: '1.2.0' }), backfillFloorVersion: '1.0.0' };
  expect(summarizeIndex(parseReleaseSafetyIndex(index))).toMatchObject({
    firstVersion: '1.1.0',
    latestVersion: '1.2.0',
    floorVersion: '1.0.0',
  });
});

describe('the newest green span', () => {
  it.each<[rule: string, rows: readonly Row[], span: unknown]>([
    [
      'is the whole index',
      [{ version: '1.0.0' }, { version: '1.1.0' }, { version: '1.2.0' }],
      ['1.0.0', '1.2.0', 2],
    ],
    [
      'ends before an unknown release',
      [{ version: '1.0.0' }, { version: '1.1.0' }, { version: '1.2.0', rollingUpdateSafe: 'unknown' }],
      ['1.0.0', '1.1.0', 1],
    ],
    [
      'starts at a false release',
      [{ version: '1.0.0' }, { version: '1.1.0', rollingUpdateSafe: false }, { version: '1.2.0' }],
      ['1.1.0', '1.2.0', 1],
    ],
    [
      'starts at a required stop',
      [{ version: '1.0.0' }, { version: '1.1.0', requiredStops: ['1.1.0'] }, { version: '1.2.0' }],
      ['1.1.0', '1.2.0', 1],
    ],
    [
      'starts at the minimum',
      [{ version: '1.0.0' }, { version: '1.1.0' }, { version: '1.2.0', minPreviousVersion: '1.1.0' }],
      ['1.1.0', '1.2.0', 1],
    ],
    [
      'starts behind a gap',
      [{ version: '1.0.0' }, { version: '1.1.0', previousVersion: '1.0.9' }, { version: '1.2.0' }],
      ['1.1.0', '1.2.0', 1],
    ],
    [
      'is none where no step is proven',
      [{ version: '1.0.0' }, { version: '1.1.0', rollingUpdateSafe: false }],
      null,
    ],
    ['is none in an index of one release', [{ version: '1.0.0' }], null],
  ])('%s', (_, rows, expected) => {
    const span = summarize(...rows).newestGreenSpan;
    expect(span && [span.fromVersion, span.toVersion, span.releases]).toEqual(expected);
  });
});

it.each(['0.1893.0', '1.111.0', '1.121.0', '1.123.0', '2.100.0', '2.117.0'])(
  'the proven targets from %s are neither more nor fewer than upgrade-check says yes to',
  (start) => {
    const [index, from] = [realIndex(), parseVersion(start)];
    const safe = index.entries.filter(
      ({ version: to }) => compareVersions(to, from) > 0 && evaluateSpan(index, { from, to }).safe,
    );
    expect(findProvenTargets(index, from)).toEqual(safe);
  },
);
