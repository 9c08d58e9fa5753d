import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseReleaseSafetyIndex } from '../../src/core/index/parse-index.js';
import { withKnownIssues } from '../../src/core/index/release-safety-index.js';
import { issuesOf } from '../../src/core/span.js';
import { parseVersion } from '../../src/core/version.js';
import type { FactName, Facts, FactValue } from '../../src/instance/facts/fact-names.js';
import {
  isAboutRelease,
  isAboutReleases,
  isMet,
  knownIssuesOf,
} from '../../src/known-issues/known-issues.js';
import type { Condition, KnownIssue } from '../../src/known-issues/records.js';
import { compareVersions } from '../../src/library/library.js';
import { afterRecords, recordOf, someFacts, someRecords } from '../support/known-issues.js';
import { issuesNaively, type NaiveFacts } from '../support/naive-known-issues.js';
import { propertyRuns } from '../support/property-runs.js';
import { indexOf } from '../support/real-index.js';

const factsFrom = (facts: NaiveFacts) => new Map(Object.entries(facts)) as Map<FactName, string | number>;
const index = parseReleaseSafetyIndex(
  indexOf(...['1.0.0', '1.1.0', '1.2.0', '1.3.0', '1.4.0'].map((version) => ({ version }))),
);
const issuesOfStep = (
  records: readonly KnownIssue[],
  facts: Facts,
  [from, to]: readonly [string, string],
  of = index,
) =>
  issuesOf(withKnownIssues(of, knownIssuesOf(records, facts, afterRecords)), {
    from: parseVersion(from),
    to: parseVersion(to),
  });

describe('knownIssuesOf', () => {
  const affected = [{ introduced: '1.2.0', fixed: '1.3.0' }];

  it.each([
    ['landing', '1.0.0', '1.2.0', '1.2.0'],
    ['landing', '1.0.0', '1.2.9', '1.2.9'],
    ['landing', '1.0.0', '1.3.0', undefined],
    ['landing', '1.2.0', '1.2.0', undefined],
    ['crossing', '1.0.0', '1.4.0', '1.2.0'],
    ['crossing', '1.2.0', '1.4.0', undefined],
    ['crossing', '1.0.0', '1.1.0', undefined],
    ['overlap', '1.2.0', '1.4.0', '1.2.0'],
    ['overlap', '1.3.0', '1.4.0', undefined],
  ] as const)('%s, from %s to %s: %s', (when, from, to, version) => {
    const issues = issuesOfStep([recordOf({ affected, when })], new Map(), [from, to]);
    expect(issues.map((issue) => issue.version)).toEqual(version === undefined ? [] : [version]);
  });

  it('crosses a release that the record names and the index lacks', () => {
    const record = recordOf({ affected: [{ introduced: '1.2.5', fixed: '1.2.6' }], when: 'crossing' });
    const issues = issuesOfStep([record], new Map(), ['1.2.0', '1.3.0']);
    expect(issues.map(({ version }) => version)).toEqual(['1.2.5']);
  });

  it('overlaps with the release that runs, where the index lacks that one', () => {
    const record = recordOf({ affected, when: 'overlap' });
    const issues = issuesOfStep([record], new Map(), ['1.2.5', '1.4.0']);
    expect(issues.map(({ version }) => version)).toEqual(['1.2.5']);
  });

  it('is about the newest of the affected releases where two ranges join', () => {
    const joined = [
      { introduced: '1.1.0', fixed: '1.2.0' },
      { introduced: '1.2.0', fixed: '1.3.0' },
    ];
    for (const when of ['crossing', 'overlap'] as const) {
      const issues = issuesOfStep([recordOf({ affected: joined, when })], new Map(), ['1.0.0', '1.2.0']);
      expect(issues.map(({ version }) => version)).toEqual(['1.2.0']);
    }
  });

  it('is about the newest that it names, where an older range is fixed later and the index lacks both', () => {
    const nested = [
      { introduced: '1.1.0', fixed: '1.9.0' },
      { introduced: '1.6.0', fixed: '1.7.0' },
    ];
    for (const when of ['crossing', 'overlap'] as const) {
      const issues = issuesOfStep([recordOf({ affected: nested, when })], new Map(), ['1.0.0', '1.9.0']);
      expect(issues.map(({ version }) => version)).toEqual(['1.6.0']);
    }
  });

  it('says which facts are not known, and keeps quiet of those that are', () => {
    const record = recordOf({
      affected,
      conditions: [
        { fact: 'edition', is: 'community' },
        { fact: 'rows.a', atLeast: 5 },
        { fact: 'rows.a', below: 9 },
      ],
    });
    const notKnown = (facts: NaiveFacts) =>
      issuesOfStep([record], factsFrom(facts), ['1.0.0', '1.2.0']).map((issue) => issue.notKnown);
    expect(notKnown({})).toEqual([['edition', 'rows.a']]);
    expect(notKnown({ edition: 'community' })).toEqual([['rows.a']]);
    expect(notKnown({ edition: 'community', 'rows.a': 5 })).toEqual([[]]);
    expect(notKnown({ 'rows.a': 9 })).toEqual([]);
    expect(notKnown({ edition: 'enterprise' })).toEqual([]);
  });

  it.each([
    ['2026-11-30T23:59:59Z', 1],
    ['2026-12-01T00:00:00Z', 0],
  ])('counts a record that is withdrawn from 2026-12-01 on, at %s: %s', (now, count) => {
    const record = recordOf({ affected, withdrawn: '2026-12-01T00:00:00Z' });
    const known = knownIssuesOf([record], new Map(), new Date(now));
    const span = { from: parseVersion('1.0.0'), to: parseVersion('1.2.0') };
    expect(issuesOf(withKnownIssues(index, known), span)).toHaveLength(count);
  });
});

describe('any records', () => {
  const version = fc.integer({ min: 0, max: 9 }).map((n) => `1.${n}.0`);
  const ends = fc.tuple(version, version).map((pair) => pair.sort(compareVersions));
  const releases = fc
    .uniqueArray(version, { minLength: 1, maxLength: 8 })
    .map((versions) => versions.sort(compareVersions));
  const runs = { numRuns: propertyRuns(3000) };

  it('hold of a step as the naive reading says', () => {
    let held = 0;
    fc.assert(
      fc.property(
        someRecords(version, compareVersions),
        someFacts,
        ends,
        releases,
        (records, facts, [from = '', to = ''], known) => {
          const whole = parseReleaseSafetyIndex(indexOf(...known.map((version) => ({ version }))));
          const issues = issuesOfStep(records, factsFrom(facts), [from, to], whole);
          expect(issues.map(({ id, effect, version }) => ({ id, effect, version }))).toEqual(
            issuesNaively(records, facts, { from, to, releases: known, now: afterRecords }),
          );
          if (issues.length > 0) held++;
        },
      ),
      runs,
    );
    expect(held).toBeGreaterThan(propertyRuns(300));
  });

  it('never hold of a later start where they do not of an earlier one', () => {
    fc.assert(
      fc.property(someRecords(version, compareVersions), someFacts, releases, (records, facts, known) => {
        const whole = parseReleaseSafetyIndex(indexOf(...known.map((version) => ({ version }))));
        const to = known.at(-1) ?? '';
        let before: ReadonlySet<string> | undefined;
        for (const from of known.slice(0, -1)) {
          const ids = new Set(issuesOfStep(records, factsFrom(facts), [from, to], whole).map(({ id }) => id));
          for (const id of ids) expect(before?.has(id) ?? true).toBe(true);
          before = ids;
        }
      }),
      runs,
    );
  });

  it('take away more, never less, where fewer facts are known', () => {
    fc.assert(
      fc.property(
        someRecords(version, compareVersions),
        someFacts,
        fc.nat(3),
        ends,
        (records, facts, leftOut, [from = '', to = '']) => {
          const ids = (known: NaiveFacts) =>
            issuesOfStep(records, factsFrom(known), [from, to]).map(({ id }) => id);
          const fewer = Object.fromEntries(Object.entries(facts).filter((_, i) => i !== leftOut));
          expect(ids(fewer)).toEqual(expect.arrayContaining(ids(facts)));
        },
      ),
      runs,
    );
  });
});

const chart = (value: string) => ['chart-version', value] as const;
const rows = (value: number) => ['rows.sessions', value] as const;

it.each<[readonly [FactName, FactValue], object, boolean]>([
  [['edition', 'community'], { is: 'community' }, true],
  [['edition', 'enterprise'], { is: 'community' }, false],
  [rows(9), { atLeast: 10 }, false],
  [rows(10), { atLeast: 10 }, true],
  [rows(9), { below: 10 }, true],
  [rows(10), { below: 10 }, false],
  [rows(10), { atLeast: 9, below: 11 }, true],
  [rows(11), { atLeast: 9, below: 11 }, false],
  [chart('2.9.10'), { atLeast: '2.9.9' }, true],
  [chart('2.9.10'), { below: '2.10.0' }, true],
  [chart('2.10.0'), { below: '2.10.0' }, false],
  [chart('2.10.0'), { atLeast: '2.10.0' }, true],
  [chart('3.0.0'), { below: '2.10.0' }, false],
  // A pre-release comes before the bound that it leads to.
  [chart('2.10.0-rc.1'), { below: '2.10.0' }, true],
  [chart('2.10.0-rc.1'), { atLeast: '2.10.0' }, false],
  [chart('2.10.1-rc.1'), { atLeast: '2.10.0' }, true],
])('%j, of which %j is asked, meets it: %s', ([fact, value], asked, met) => {
  const condition = { fact, ...asked } as Condition;
  expect(isMet(condition, new Map([[fact, value]]))).toBe(met);
  expect(isMet(condition, new Map())).toBeUndefined();
});

const record = recordOf({ affected: [{ introduced: '1.1.0', fixed: '1.2.0' }, { introduced: '1.5.0' }] });
const fixed = recordOf({ affected: [{ introduced: '1.1.0', fixed: '1.2.0' }] });

describe('what a record is about', () => {
  it.each([
    ['1.0.0', '1.1.0', true],
    ['1.0.0', '1.0.9', false],
    ['1.1.9', '1.3.0', true],
    ['1.2.0', '1.4.0', false],
    ['1.0.0', undefined, true],
    ['1.2.0', undefined, false],
    [undefined, '1.1.0', true],
    [undefined, '1.0.9', false],
    [undefined, undefined, true],
  ])('of releases after %s and up to %s: %s', (from, to, isAbout) => {
    const ends = {
      ...(from === undefined ? {} : { from: parseVersion(from) }),
      ...(to === undefined ? {} : { to: parseVersion(to) }),
    };
    expect(isAboutReleases(fixed, ends)).toBe(isAbout);
  });

  it('of releases with any of its ranges, also one that nothing fixes', () => {
    const from = parseVersion('1.2.0');
    expect(isAboutReleases(record, { from })).toBe(true);
    expect(isAboutReleases(record, { from, to: parseVersion('1.4.0') })).toBe(false);
  });

  it.each([
    ['1.0.9', false],
    ['1.1.0', true],
    ['1.2.0', false],
    ['1.5.0', true],
  ])('of %s: %s', (version, isAbout) => {
    expect(isAboutRelease(record, parseVersion(version), afterRecords)).toBe(isAbout);
    const withdrawn = { ...record, withdrawn: record.published };
    expect(isAboutRelease(withdrawn, parseVersion(version), afterRecords)).toBe(false);
  });
});
