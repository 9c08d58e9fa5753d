import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseReleaseSafetyIndex } from '../../src/core/index/parse-index.js';
import { questionOf, type Reason, type SpanResult, strategyFor } from '../../src/core/span.js';
import { evaluateSpan } from '../../src/library/library.js';
import { evaluateNaively } from '../support/naive-evaluator.js';
import { propertyRuns } from '../support/property-runs.js';
import {
  indexOf,
  type LooseEntry,
  type LooseIndex,
  realIndex,
  realIndexJson,
} from '../support/real-index.js';

const evaluate = (json: LooseIndex, from: string, to: string) =>
  evaluateSpan(parseReleaseSafetyIndex(json), { from, to });

/** What the two evaluators must agree on. */
function comparable({ missingRanges, ...result }: SpanResult) {
  const { safe, verdict, jump, requiredStops, minPreviousVersion, coveredVersions } = result;
  const missing = missingRanges.map((range) => `${range.afterVersion}..${range.beforeVersion}`);
  return { safe, verdict, jump, requiredStops, minPreviousVersion, coveredVersions, missing };
}

const answersOf = ({ jump, rolling, verdict }: SpanResult) => [jump, rolling, verdict].join('/');

const reasonInShort = (reason: Reason) =>
  Object.values(reason)
    .map((value) => (typeof value === 'object' ? Object.values(value).join() : value))
    .join(' ');

describe('spans of the real index', () => {
  it('answers the documented example', () => {
    expect(evaluateSpan(realIndex(), { from: '1.111.0', to: '1.115.0' })).toEqual({
      fromVersion: '1.111.0',
      toVersion: '1.115.0',
      direction: 'upgrade',
      safe: false,
      verdict: false,
      requiredStops: [],
      minPreviousVersion: '1.111.0',
      coveredVersions: ['1.112.0', '1.113.0', '1.113.1', '1.114.0', '1.115.0'],
      missingRanges: [],
      jump: true,
      rolling: false,
      reasons: [
        { kind: 'unsafe-release', rule: 2, version: '1.112.0' },
        { kind: 'unknown-release', rule: 1, version: '1.113.0', backfilled: true },
        { kind: 'unknown-release', rule: 1, version: '1.113.1', backfilled: true },
        { kind: 'unknown-release', rule: 1, version: '1.114.0', backfilled: true },
        { kind: 'unknown-release', rule: 1, version: '1.115.0', backfilled: true },
      ],
    });
  });

  it.each([
    ['green from end to end', '1.121.0', '1.156.0', 60, 'true/true/true'],
    ['a leading v', 'v1.121.0', 'v1.121.1', 1, 'true/true/true'],
    ['exclusive of from: its own verdict is not asked', '1.120.1', '1.121.0', 1, 'true/true/true'],
    ['one false in a green run', '1.157.0', '1.197.0', 84, 'true/false/false'],
    ['an unknown at the end', '1.156.0', '1.157.0', 1, 'true/false/unknown'],
    ['below the minimum', '1.3.0', '1.112.0', 162, 'false/false/false'],
    ['from the floor', '0.1893.0', '0.1894.0', 1, 'true/false/unknown'],
    ['to the floor, from below it', '0.1892.2', '0.1893.0', 1, 'false/false/unknown'],
    ['from below the floor to the newest', '0.1050.0', '2.134.2', 3598, 'false/false/unknown'],
    ['both ends below the floor', '0.1050.0', '0.1051.0', 0, 'false/false/unknown'],
    ['an absent target, newer than all', '2.134.0', '2.134.3', 2, 'unknown/false/unknown'],
    ['an absent target between two releases', '1.121.0', '1.121.5', 1, 'unknown/false/unknown'],
    ['an absent start between two releases', '1.121.5', '1.122.0', 1, 'unknown/false/unknown'],
    ['an absent target, right behind the start', '2.134.2', '2.135.0', 0, 'unknown/false/unknown'],
    ['same version', '1.197.0', '1.197.0', 0, 'true/true/true'],
    ['same version, absent', '9.9.9', '9.9.9', 0, 'unknown/false/unknown'],
    ['two-digit patch numbers', '0.2155.9', '0.2155.10', 1, 'true/false/unknown'],
  ])('%s: %s -> %s crosses %s releases: %s', (_, from, to, crossed, answers) => {
    const result = evaluateSpan(realIndex(), { from, to });
    expect([result.coveredVersions.length, answersOf(result)]).toEqual([crossed, answers]);
    expect(result.direction).toBe(from === to ? 'same-version' : 'upgrade');
    expect(comparable(result)).toEqual(
      evaluateNaively(realIndexJson(), from.replace('v', ''), to.replace('v', '')),
    );
  });

  it('refuses to go back', () => {
    expect(() => evaluateSpan(realIndex(), { from: '1.115.0', to: '1.111.0' })).toThrow(
      expect.objectContaining({
        code: 'downgrade',
        message: expect.stringContaining('1.111.0 is older'),
        hint: 'To go back, restore the database backup taken before the upgrade.',
      }),
    );
  });
});

describe('span rules', () => {
  const stops = (...requiredStops: string[]) => ({ requiredStops });
  const minimum = (minPreviousVersion: string) => ({ minPreviousVersion });
  const after = (previousVersion: string | null) => ({ previousVersion });
  const marked = { syntheticRequiredStop: true };
  const no = { rollingUpdateSafe: false };
  /** 1.0.0, 1.1.0 and 1.2.0, with these fields. */
  const three = (b: LooseEntry, c: LooseEntry = {}, a: LooseEntry = {}) =>
    indexOf(...[a, b, c].map((fields, i) => ({ version: `1.${i}.0`, ...fields })));
  const floor = (backfillFloorVersion: string | null, index = three({})) => ({
    ...index,
    backfillFloorVersion,
  });
  it.each([
    ['rule 2: all true', three({}), ''],
    [
      'rule 2: false wins over unknown',
      three({ rollingUpdateSafe: 'unknown' }, no),
      'unknown-release 1.1.0 1 false; unsafe-release 2 1.2.0',
    ],
    ['rule 3: a stop on the way', three(stops('1.1.0'), stops('1.1.0')), 'required-stop 3 1.1.0 1.1.0,1.2.0'],
    ['rule 3: the target is a stop', three({}, stops('1.2.0')), 'required-stop 3 1.2.0 1.2.0'],
    ['rule 3: stops that are passed already', three(stops('1.0.0', '0.9.0')), ''],
    ['rule 3: a stop that the index lacks stands', three({}, stops('1.1.7')), 'required-stop 3 1.1.7 1.2.0'],
    ['rule 3: newer than its own release', three(stops('1.2.0', '7.0.0')), 'required-stop 3 1.2.0 1.1.0'],
    [
      'rule 3: in first-seen order, once',
      three(stops('1.2.0', '1.1.0', '1.2.0'), stops('1.1.0')),
      'required-stop 3 1.2.0 1.1.0; required-stop 3 1.1.0 1.1.0,1.2.0',
    ],
    ['rule 4: by number', three(minimum('1.0.10'), minimum('1.0.9')), 'below-minimum-version 4 1.0.10 1.1.0'],
    ['rule 4: met where one is at it', three(minimum('1.0.0')), ''],
    ['rule 5: below a floor that is not reached either', floor('1.5.0'), 'below-index-floor 5 1.5.0'],
    [
      'rule 5: a release marked as a stop, also where it is not the floor',
      three({ ...marked, ...stops('1.2.0') }),
      'required-stop 3 1.2.0 1.1.0; required-stop 3 1.1.0 1.1.0',
    ],
    ['rule 5: no floor, nothing is below it', floor(null), ''],
    [
      'rule 7: without a floor, a start that the index lacks',
      floor(null, indexOf({ version: '1.1.0' }, { version: '1.2.0' })),
      'missing-coverage 7 1.0.0,1.0.0; missing-coverage 7 1.0.0,1.1.0',
    ],
    [
      'rule 7: an absent start that the first release names',
      indexOf({ version: '1.1.0', ...after('1.0.0') }, { version: '1.2.0' }),
      'below-index-floor 5 1.1.0; missing-coverage 7 1.0.0,1.0.0; required-stop 3 1.1.0 ',
    ],
    ['rule 6: backfilled, and true', three({ backfilled: true }), 'unknown-release 1.1.0 6 true'],
    ['rule 6: backfilled, and false', three({ backfilled: true, ...no }), 'unsafe-release 2 1.1.0'],
    ['rule 6: backfilled, and running already', three({}, {}, { ...marked, backfilled: true }), ''],
    ['rule 7: another one before it', three({}, after('1.1.9')), 'missing-coverage 7 1.1.0,1.2.0'],
    ['rule 7: a gap right behind the start', three(after(null)), 'missing-coverage 7 1.0.0,1.1.0'],
    [
      'a gap hides no false, but the verdict is that nothing is known',
      three({ ...no, ...after(null) }),
      'missing-coverage 7 1.0.0,1.1.0; unsafe-release 2 1.1.0',
    ],
    [
      'a rule that forbids the direct upgrade outweighs a gap',
      three(after(null), stops('1.1.0')),
      'missing-coverage 7 1.0.0,1.1.0; required-stop 3 1.1.0 1.2.0',
    ],
  ])('%s', (_, index, reasons) => {
    const result = evaluate(index, '1.0.0', '1.2.0');
    expect(result.reasons.map(reasonInShort).join('; ')).toBe(reasons);
    const questions = result.reasons.map((reason) => questionOf(reason));
    expect(result.jump === true).toBe(!questions.includes('jump'));
    expect(result.rolling).toBe(result.verdict === true && !questions.includes('rolling'));
    expect(comparable(result)).toEqual(evaluateNaively(index, '1.0.0', '1.2.0'));
  });
});

/** The long green runs of the real index: any two releases of one make a span that is safe. */
const greenRuns = [
  ['1.121.0', '1.156.0'],
  ['1.157.0', '1.196.1'],
  ['1.198.0', '1.214.0'],
  ['1.258.0', '2.29.0'],
  ['2.30.0', '2.94.0'],
  ['2.117.0', '2.134.2'],
] as const;

const published = realIndexJson();
const versions = published.entries.map((e) => String(e.version));
const positionOf = new Map(versions.map((version, i) => [version, i]));
const versionAt = (i: number) => versions[i] ?? '';

const anySpan = fc
  .tuple(fc.nat({ max: versions.length - 1 }), fc.nat({ max: versions.length - 1 }))
  .map(([i, j]) => ({ first: Math.min(i, j), last: Math.max(i, j) }));

const safeSpan = fc.constantFrom(...greenRuns).chain(([first, last]) => {
  const start = positionOf.get(first) ?? 0;
  const length = (positionOf.get(last) ?? 0) - start;
  return fc
    .tuple(fc.nat({ max: length - 1 }), fc.integer({ min: 1, max: length }))
    .map(([i, j]) => ({ first: start + Math.min(i, j - 1), last: start + Math.max(i + 1, j) }));
});

const places = greenRuns.map((ends) => ends.map((version) => positionOf.get(version) ?? 0));

/** A green run of the real index, alone, with one entry replaced or, by `undefined`, removed. */
function withEntry(position: number, change: Record<string, unknown> | undefined): LooseIndex {
  const [start = 0, end = 0] = places.find(([, last = 0]) => position <= last) ?? [];
  const [run, at] = [published.entries.slice(start, end + 1), position - start];
  const entries = change === undefined ? run.toSpliced(at, 1) : run.with(at, { ...run[at], ...change });
  return { ...published, entries };
}

describe('properties over the real index', () => {
  const inside = safeSpan.chain((span) =>
    fc.record({ span: fc.constant(span), at: fc.integer({ min: span.first + 1, max: span.last }) }),
  );

  it('the spans it breaks were safe before', () => {
    fc.assert(
      fc.property(safeSpan, ({ first, last }) => {
        const [from, to] = [versionAt(first), versionAt(last)];
        expect(evaluateSpan(realIndex(), { from, to }).safe).toBe(true);
        expect(evaluate(withEntry(first, {}), from, to).safe).toBe(true);
      }),
    );
  });

  it.each<[string, (at: number) => LooseIndex]>([
    ['removing any entry', (at) => withEntry(at, undefined)],
    ['turning any verdict to false', (at) => withEntry(at, { rollingUpdateSafe: false })],
    ['turning any verdict to unknown', (at) => withEntry(at, { rollingUpdateSafe: 'unknown' })],
    ['adding any stop', (at) => withEntry(at, { requiredStops: [versionAt(at)] })],
    ['raising any minimum', (at) => withEntry(at, { minPreviousVersion: versionAt(at) })],
    ['breaking any link', (at) => withEntry(at, { previousVersion: '0.0.1' })],
    ['raising the floor', (at) => ({ ...withEntry(at, {}), backfillFloorVersion: versionAt(at) })],
  ])('%s inside a safe span never leaves it safe', (_, mutate) => {
    fc.assert(
      fc.property(inside, ({ span, at }) => {
        expect(evaluate(mutate(at), versionAt(span.first), versionAt(span.last)).safe).toBe(false);
      }),
      { numRuns: propertyRuns(60) },
    );
  });

  it('the order of entries never matters', () => {
    fc.assert(
      fc.property(anySpan, fc.infiniteStream(fc.nat()), ({ first, last }, numbers) => {
        const json = realIndexJson();
        for (let i = json.entries.length - 1; i > 0; i--) {
          const j = (numbers.next().value ?? 0) % (i + 1);
          const [x, y] = [json.entries[i] ?? {}, json.entries[j] ?? {}];
          json.entries[i] = y;
          json.entries[j] = x;
        }
        const span = { from: versionAt(first), to: versionAt(last) };
        expect(evaluate(json, span.from, span.to)).toEqual(evaluateSpan(realIndex(), span));
      }),
      { numRuns: propertyRuns(20) },
    );
  });
});

describe('a few thousand random indexes', () => {
  const verdict = fc.oneof(
    { weight: 8, arbitrary: fc.constant<unknown>(true) },
    { weight: 1, arbitrary: fc.constantFrom<unknown>(false, 'unknown') },
  );
  const smallVersion = fc
    .tuple(fc.nat({ max: 1 }), fc.nat({ max: 3 }), fc.nat({ max: 11 }))
    .map((v) => v.join('.'));
  const rarely = <T>(arbitrary: fc.Arbitrary<T>, usual: T) =>
    fc.oneof({ weight: 12, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary });

  const absentEnds = fc.tuple(rarely(smallVersion, ''), rarely(smallVersion, ''));

  const smallIndex = fc
    .tuple(
      rarely(fc.constantFrom(null, '0.2.0', '1.1.0'), undefined),
      fc.uniqueArray(
        fc.record({
          version: smallVersion,
          rollingUpdateSafe: verdict,
          requiredStops: rarely(fc.array(smallVersion, { maxLength: 2 }), []),
          minPreviousVersion: rarely<string | null>(smallVersion, null),
          previousVersion: rarely<string | null | undefined>(fc.option(smallVersion), undefined),
          backfilled: rarely(fc.constant(true), false),
          syntheticRequiredStop: rarely(fc.constant(true), false),
        }),
        { selector: (row) => row.version, minLength: 1, maxLength: 12 },
      ),
    )
    .map(([floor, rows]) => {
      const ordered = rows.sort((a, b) => a.version.localeCompare(b.version, 'en', { numeric: true }));
      const index = indexOf(
        ...ordered.map(({ previousVersion, ...row }) =>
          previousVersion === undefined ? row : { ...row, previousVersion },
        ),
      );
      return floor === undefined ? index : { ...index, backfillFloorVersion: floor };
    });

  it('the naive evaluator agrees, and safe means what the rules say', () => {
    let safeSpans = 0;
    fc.assert(
      fc.property(smallIndex, fc.nat(), fc.nat(), absentEnds, (json, i, j, [oneEnd, otherEnd]) => {
        const at = (n: number) => String(json.entries[n % json.entries.length]?.version);
        const [from = '', to = ''] = [oneEnd || at(i), otherEnd || at(j)].sort((a, b) =>
          a.localeCompare(b, 'en', { numeric: true }),
        );
        const result = evaluate(json, from, to);
        expect(comparable(result)).toEqual(evaluateNaively(json, from, to));
        expect(result.safe).toBe(result.jump === true && result.rolling);
        expect(result.safe).toBe(result.reasons.length === 0);
        if (!result.safe) return;
        safeSpans++;
        let before = from;
        for (const version of result.coveredVersions) {
          const entry = json.entries.find((e) => e.version === version);
          expect(entry).toMatchObject({
            rollingUpdateSafe: true,
            backfilled: false,
            previousVersion: before,
          });
          before = version;
        }
        expect(before).toBe(to);
        expect(result.requiredStops).toEqual([]);
      }),
      { numRuns: propertyRuns(5000) },
    );
    expect(safeSpans).toBeGreaterThan(propertyRuns(200));
  });

  it('the naive evaluator agrees on spans of the real index', () => {
    const json = realIndexJson();
    fc.assert(
      fc.property(anySpan, ({ first, last }) => {
        const [from, to] = [versionAt(first), versionAt(Math.min(last, first + 300))];
        expect(comparable(evaluateSpan(realIndex(), { from, to }))).toEqual(evaluateNaively(json, from, to));
      }),
      { numRuns: propertyRuns(200) },
    );
  });
});

it.each([
  [true, 'RollingUpdate'],
  [false, 'Recreate'],
  ['unknown', 'Recreate'],
] as const)('span rule 1: a verdict of %s means %s', (verdict, strategy) => {
  expect(strategyFor(verdict)).toBe(strategy);
});
