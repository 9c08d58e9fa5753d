import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseReleaseSafetyIndex } from '../../../src/core/index/parse-index.js';
import type { ReleaseSafetyIndex } from '../../../src/core/index/release-safety-index.js';
import { type RecommendationRequest, recommend } from '../../../src/core/route/recommended.js';
import { planRoute } from '../../../src/core/route/route.js';
import { compareVersions, parseVersion } from '../../../src/core/version.js';
import { builtInKnownIssues } from '../../../src/known-issues/built-in.js';
import { isIssue } from '../../../src/known-issues/record-forms.js';
import { indexWith, recordOf, someRecords } from '../../support/known-issues.js';
import { smallIndex } from '../../support/naive-routes.js';
import { countedRuns, propertyRuns } from '../../support/property-runs.js';
import { indexOf, type LooseEntry, realIndex } from '../../support/real-index.js';

const hours = 3_600_000;
const now = new Date('2026-09-06T18:00:00Z');
const hoursAgo = (count: number) => new Date(now.getTime() - count * hours).toISOString();

const released = (...rows: readonly (LooseEntry & { readonly version: string; readonly age: number })[]) =>
  parseReleaseSafetyIndex(
    indexOf(...rows.map(({ age, ...row }) => ({ releaseDate: hoursAgo(age), ...row }))),
  );

const ask = (index: ReleaseSafetyIndex, more: Partial<RecommendationRequest> = {}) =>
  recommend(index, {
    from: parseVersion('1.0.0'),
    now,
    minAgeMs: 96 * hours,
    rollingOnly: false,
    isOpenMajor: () => false,
    ...more,
  });

const three = [
  { version: '1.0.0', age: 300 },
  { version: '1.1.0', age: 200 },
  { version: '1.2.0', age: 96 },
  { version: '1.3.0', age: 6 },
] as const;

describe('the recommended release', () => {
  it('is the newest that is old enough, to the millisecond', () => {
    expect(ask(released(...three))).toEqual({
      release: { version: '1.2.0', ageMs: 96 * hours },
      tooYoung: { newest: '1.3.0', ageMs: 6 * hours, count: 1 },
      passedOver: [],
      firstOn: undefined,
    });
    const sooner = new Date(now.getTime() - 1);
    expect(ask(released(...three), { now: sooner }).release?.version).toBe('1.1.0');
  });

  it('none: says on which day there will be one', () => {
    const index = released(...three);
    expect(ask(index, { from: parseVersion('1.2.0') })).toMatchObject({
      release: undefined,
      firstOn: new Date(now.getTime() + 90 * hours),
    });
    expect(ask(index, { from: parseVersion('1.3.0') })).toEqual({
      release: undefined,
      tooYoung: undefined,
      passedOver: [],
      firstOn: undefined,
    });
  });

  it('is dated after the clock: too young, however the clock stands', () => {
    const index = released({ version: '1.0.0', age: 0 }, { version: '1.1.0', age: -1000 });
    expect(ask(index, { minAgeMs: 0 }).release).toBeUndefined();
  });

  it('is not one about which something is known, and says what', () => {
    const record = recordOf({
      id: 'broken',
      affected: [{ introduced: '1.2.0', fixed: '1.3.0' }],
      effect: { kind: 'avoid-landing' },
    });
    const index = indexWith([record], {}, released(...three));
    const { release, passedOver } = ask(index);
    expect(release?.version).toBe('1.1.0');
    expect(passedOver).toMatchObject([
      { version: '1.2.0', why: { kind: 'known-issue', issues: [{ id: 'broken' }] } },
    ]);
  });

  it('is not behind a major of which something is left to do', () => {
    const index = released(...three.slice(0, 2), { version: '2.0.0', age: 150 });
    const isOpenMajor = (major: string) => major === '2.0.0';
    expect(ask(index).release?.version).toBe('2.0.0');
    expect(ask(index, { isOpenMajor })).toMatchObject({
      release: { version: '1.1.0' },
      passedOver: [{ version: '2.0.0', why: { kind: 'open-major', major: '2.0.0' } }],
    });
  });

  it('is not behind a gap, of which one release is named', () => {
    const index = released(
      ...three.slice(0, 2),
      { version: '1.2.0', age: 150, previousVersion: '1.1.9' },
      { version: '1.2.1', age: 140 },
      { version: '1.2.2', age: 130 },
    );
    const { release, passedOver } = ask(index);
    expect(release?.version).toBe('1.1.0');
    expect(passedOver).toMatchObject([{ version: '1.2.2', why: { kind: 'no-certified-route' } }]);
  });
});

/** The same question, asked of every release by itself. */
function asked(index: ReleaseSafetyIndex, { from, now, minAgeMs, isOpenMajor }: RecommendationRequest) {
  return index.entries
    .filter(({ version }) => compareVersions(version, from) > 0)
    .filter(({ releaseDate }) => now.getTime() - Date.parse(releaseDate) >= minAgeMs)
    .filter(({ version }) => {
      const majors = [1, 2, 3].filter(
        (major) => major > Number(from.split('.')[0]) && major <= Number(version.split('.')[0]),
      );
      if (majors.some((major) => isOpenMajor(parseVersion(`${major}.0.0`)))) return false;
      const { certified, hops } = planRoute(index, { from, to: version });
      return certified && !hops.at(-1)?.knownIssues.some((issue) => issue.version === version);
    })
    .at(-1)?.version;
}

it('is what asking every release by itself finds, of small indexes with stops, minimums, gaps and known issues', () => {
  const versionOfRecord = fc.nat(11).map((patch) => `1.0.${patch}`);
  let [blocked, answered] = [0, 0];
  fc.assert(
    fc.property(
      smallIndex(fc.constantFrom(true, false, 'unknown' as const)),
      fc.nat(8),
      someRecords(versionOfRecord, (a, b) => Number(a.slice(4)) - Number(b.slice(4))),
      ({ index, from }, age, records) => {
        const entries = index.entries.map((entry, i) => ({
          ...entry,
          releaseDate: hoursAgo((index.entries.length - i) * 24),
        }));
        const published = parseReleaseSafetyIndex({
          ...indexOf(...entries),
          backfillFloorVersion: index.backfillFloorVersion,
        });
        const dated = indexWith(records, {}, published);
        const request = {
          from: parseVersion(from),
          now,
          minAgeMs: age * 24 * hours,
          rollingOnly: false,
          isOpenMajor: () => false,
        };
        const found = recommend(dated, request);
        expect(found.release?.version).toBe(asked(dated, request));
        if (found.release !== undefined) answered++;
        if (found.passedOver.some(({ why }) => why.kind === 'no-certified-route')) blocked++;
      },
    ),
    countedRuns(1000),
  );
  // Three in ten are blocked, one in twenty has an answer.
  expect(blocked).toBeGreaterThan(propertyRuns(100));
  expect(answered).toBeGreaterThan(propertyRuns(10));
});

it('is what asking every release by itself finds, at moments of the real index', () => {
  const { entries } = realIndex();
  const records = builtInKnownIssues.records.filter(isIssue);
  for (let at = entries.length - 1; at > entries.length - 400; at -= 57) {
    const moment = new Date(entries[at]?.releaseDate ?? now);
    const published = { ...indexOf(...entries.slice(0, at + 1)), backfillFloorVersion: '0.1893.0' };
    const known = indexWith(records, {}, parseReleaseSafetyIndex(published));
    const request = {
      from: parseVersion('2.20.0'),
      now: moment,
      minAgeMs: 96 * hours,
      rollingOnly: false,
      isOpenMajor: () => false,
    };
    expect(recommend(known, request).release?.version).toBe(asked(known, request));
  }
});

it('is found far behind a block without a route to each of the releases beyond it', () => {
  const index = indexWith(builtInKnownIssues.records.filter(isIssue), {}, realIndex());
  const { release, passedOver } = ask(index, { from: parseVersion('0.2000.0'), now: new Date('2026-11-29') });
  expect(release?.version).toBe('0.2247.0');
  // Each was asked for its route: of a block only the newest.
  expect(passedOver.length).toBeLessThan(30);
});
