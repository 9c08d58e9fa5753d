import { expect, it } from 'vitest';
import { findProvenTargets } from '../../../src/core/index/index-summary.js';
import { parseReleaseSafetyIndex } from '../../../src/core/index/parse-index.js';
import { evaluateSpan } from '../../../src/core/span.js';
import { compareVersions, parseVersion } from '../../../src/core/version.js';
import { summarizeIndex } from '../../../src/library/library.js';
import { indexOf, realIndex } from '../../support/real-index.js';

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
  const isSafe = (from: string) =>
    evaluateSpan(realIndex(), { from: parseVersion(from), to: parseVersion('2.134.2') }).safe;
  expect([isSafe('2.117.0'), isSafe('2.116.0')]).toEqual([true, false]);
});

it.each([null, '1.0.0', '1.1.0'])('tells the first release from the floor, which is %s', (floorVersion) => {
  const index = {
    ...indexOf({ version: '1.1.0' }, { version: '1.2.0' }),
    backfillFloorVersion: floorVersion,
  };
  expect(summarizeIndex(parseReleaseSafetyIndex(index))).toMatchObject({
    ...{ firstVersion: '1.1.0', latestVersion: '1.2.0', floorVersion },
  });
});

it.each([
  ['is the whole index', {}, {}, '1.0.0 -> 1.2.0: 2'],
  ['ends before an unknown release', {}, { rollingUpdateSafe: 'unknown' }, '1.0.0 -> 1.1.0: 1'],
  ['starts at a false release', { rollingUpdateSafe: false }, {}, '1.1.0 -> 1.2.0: 1'],
  ['starts at a required stop', { requiredStops: ['1.1.0'] }, {}, '1.1.0 -> 1.2.0: 1'],
  ['starts at the minimum', {}, { minPreviousVersion: '1.1.0' }, '1.1.0 -> 1.2.0: 1'],
  ['starts behind a gap', { previousVersion: '1.0.9' }, {}, '1.1.0 -> 1.2.0: 1'],
  ['is none where no step is proven', { rollingUpdateSafe: false }, { rollingUpdateSafe: false }, null],
])('the newest green span %s', (_, second, third, expected) => {
  const rows = [{}, second, third].map((fields, i) => ({ version: `1.${i}.0`, ...fields }));
  const span = summarizeIndex(parseReleaseSafetyIndex(indexOf(...rows))).newestGreenSpan;
  expect(span && `${span.fromVersion} -> ${span.toVersion}: ${span.releases}`).toBe(expected);
});

it('there is no green span in an index of one release', () => {
  expect(summarizeIndex(parseReleaseSafetyIndex(indexOf({ version: '1.0.0' }))).newestGreenSpan).toBeNull();
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
