import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { evaluateSpan } from '../../src/library.js';
import { parseReleaseSafetyIndex } from '../../src/release-safety/parse-index.js';
import { questionOf, type SpanResult } from '../../src/release-safety/span.js';
import { evaluateNaively } from '../support/naive-evaluator.js';
import type { Plain } from '../support/plain.js';
import { propertyRuns } from '../support/property-runs.js';
import { indexOf, type LooseIndex, realIndex, realIndexJson } from '../support/real-index.js';

const evaluate = (json: LooseIndex, from: string, to: string) =>
  evaluateSpan(parseReleaseSafetyIndex(json), { from, to });

/** What the two evaluators must agree on. */
function comparable({ missingRanges, ...result }: SpanResult) {
  const { safe, verdict, jump, requiredStops, minPreviousVersion, coveredVersions } = result;
  const missing = missingRanges.map((range) => `${range.afterVersion}..${range.beforeVersion}`);
  return { safe, verdict, jump, requiredStops, minPreviousVersion, coveredVersions, missing };
}

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

  const floor = '0.1893.0';
  type Row = [
    name: string,
    from: string,
    to: string,
    expected: Partial<Plain<SpanResult>> & { missing?: string[]; covered?: number },
  ];
  it.each<Row>([
    ['green from end to end', '1.121.0', '1.156.0', { safe: true, verdict: true, jump: true, covered: 60 }],
    [
      'the whole newest green run',
      '2.117.0',
      '2.134.2',
      { safe: true, verdict: true, jump: true, covered: 26 },
    ],
    ['a leading v', 'v1.121.0', 'v1.121.1', { safe: true, fromVersion: '1.121.0', toVersion: '1.121.1' }],
    ['exclusive of from: its own verdict is not asked', '1.120.1', '1.121.0', { safe: true, covered: 1 }],
    ['one false in a green run', '1.157.0', '1.197.0', { safe: false, verdict: false, jump: true }],
    ['an unknown at the end', '1.156.0', '1.157.0', { safe: false, verdict: 'unknown', jump: true }],
    ['an unknown on the way', '1.121.0', '1.158.0', { safe: false, verdict: 'unknown', jump: true }],
    ['below the minimum', '1.3.0', '1.112.0', { safe: false, jump: false, minPreviousVersion: '1.111.0' }],
    ['just at the minimum', '1.111.0', '2.134.2', { safe: false, jump: true, verdict: false, covered: 522 }],
    ['from the floor', floor, '0.1894.0', { safe: false, jump: true, verdict: 'unknown', requiredStops: [] }],
    [
      'to the floor, from below it',
      '0.1892.2',
      floor,
      {
        safe: false,
        jump: false,
        verdict: 'unknown',
        requiredStops: [floor],
        coveredVersions: [floor],
        missing: ['0.1892.2..0.1892.2'],
      },
    ],
    [
      'from below the floor to the newest',
      '0.1050.0',
      '2.134.2',
      {
        safe: false,
        jump: false,
        verdict: 'unknown',
        requiredStops: [floor],
        minPreviousVersion: '1.111.0',
        missing: ['0.1050.0..0.1050.0', `0.1050.0..${floor}`],
        covered: 3598,
      },
    ],
    [
      'both ends below the floor',
      '0.1050.0',
      '0.1051.0',
      {
        safe: false,
        jump: false,
        requiredStops: [],
        coveredVersions: [],
        missing: ['0.1050.0..0.1050.0', '0.1050.0..0.1051.0'],
      },
    ],
    [
      'an absent target, newer than all',
      '2.134.0',
      '2.134.3',
      {
        safe: false,
        jump: 'unknown',
        verdict: 'unknown',
        coveredVersions: ['2.134.1', '2.134.2'],
        missing: ['2.134.2..2.134.3'],
      },
    ],
    [
      'an absent target between two releases',
      '1.121.0',
      '1.121.5',
      {
        safe: false,
        jump: 'unknown',
        missing: ['1.121.1..1.121.5'],
      },
    ],
    [
      'an absent start between two releases',
      '1.121.5',
      '1.122.0',
      {
        safe: false,
        jump: 'unknown',
        coveredVersions: ['1.122.0'],
        missing: ['1.121.5..1.121.5', '1.121.5..1.122.0'],
      },
    ],
    [
      'an absent target, right behind the start',
      '2.134.2',
      '2.135.0',
      {
        jump: 'unknown',
        coveredVersions: [],
        missing: ['2.134.2..2.135.0'],
      },
    ],
    [
      'both ends absent, and releases between them',
      '1.121.5',
      '1.122.7',
      {
        missing: ['1.121.5..1.121.5', '1.121.5..1.122.0', '1.122.0..1.122.7'],
      },
    ],
    [
      'both ends absent, between two releases',
      '1.121.5',
      '1.121.7',
      {
        coveredVersions: [],
        missing: ['1.121.5..1.121.5', '1.121.5..1.121.7'],
      },
    ],
    [
      'same version',
      '1.197.0',
      '1.197.0',
      { safe: true, verdict: true, jump: true, direction: 'same-version', coveredVersions: [] },
    ],
    [
      'same version, absent',
      '9.9.9',
      '9.9.9',
      {
        safe: false,
        verdict: 'unknown',
        direction: 'same-version',
        missing: ['9.9.9..9.9.9'],
      },
    ],
    [
      'two-digit patch numbers',
      '0.2155.9',
      '0.2155.10',
      { safe: false, direction: 'upgrade', coveredVersions: ['0.2155.10'], missing: [] },
    ],
  ])('%s: %s -> %s', (_, from, to, { covered, ...expected }) => {
    const result = evaluateSpan(realIndex(), { from, to });
    expect({ ...result, ...comparable(result) }).toMatchObject(expected);
    if (covered !== undefined) expect(result.coveredVersions).toHaveLength(covered);
    expect(comparable(result)).toEqual(
      evaluateNaively(realIndexJson(), from.replace('v', ''), to.replace('v', '')),
    );
  });

  it('refuses to go back', () => {
    expect(() => evaluateSpan(realIndex(), { from: '1.115.0', to: '1.111.0' })).toThrow(
      expect.objectContaining({
        code: 'downgrade',
        message: expect.stringContaining('1.111.0 is older'),
        hint: 'To go back, restore the database backup that was taken before the upgrade.',
      }),
    );
  });
});

describe('span rules', () => {
  type Row = [name: string, index: LooseIndex, expected: Partial<Plain<SpanResult>> & { missing?: string[] }];
  const a = { version: '1.0.0' };
  const b = { version: '1.1.0' };
  const c = { version: '1.2.0' };
  it.each<Row>([
    ['rule 2: all true', indexOf(a, b, c), { safe: true, reasons: [] }],
    [
      'rule 2: false wins over unknown',
      indexOf(a, { ...b, rollingUpdateSafe: 'unknown' }, { ...c, rollingUpdateSafe: false }),
      { verdict: false, jump: true },
    ],
    [
      'rule 3: a stop on the way',
      indexOf(a, { ...b, requiredStops: ['1.1.0'] }, { ...c, requiredStops: ['1.1.0'] }),
      {
        jump: false,
        rolling: true,
        safe: false,
        verdict: true,
        requiredStops: ['1.1.0'],
        reasons: [{ kind: 'required-stop', rule: 3, stop: '1.1.0', demandedBy: ['1.1.0', '1.2.0'] }],
      },
    ],
    [
      'rule 3: a stop that is the target is listed too',
      indexOf(a, b, { ...c, requiredStops: ['1.2.0'] }),
      { jump: false, requiredStops: ['1.2.0'] },
    ],
    [
      'rule 3: a stop that is the start, or older, is passed already',
      indexOf(a, { ...b, requiredStops: ['1.0.0', '0.9.0'] }, c),
      { safe: true, requiredStops: [] },
    ],
    [
      'rule 3: a stop that the index lacks stands all the same',
      indexOf(a, b, { ...c, requiredStops: ['1.1.7'] }),
      { jump: false, requiredStops: ['1.1.7'] },
    ],
    [
      'rule 3: a stop newer than its own release stands where it is in the span',
      indexOf(a, { ...b, requiredStops: ['1.2.0', '7.0.0'] }, c),
      { jump: false, requiredStops: ['1.2.0'] },
    ],
    [
      'rule 3: stops in first-seen order, each once',
      indexOf(a, { ...b, requiredStops: ['1.2.0', '1.1.0', '1.2.0'] }, { ...c, requiredStops: ['1.1.0'] }),
      { requiredStops: ['1.2.0', '1.1.0'] },
    ],
    [
      'rule 4: the highest minimum counts',
      indexOf(a, { ...b, minPreviousVersion: '1.0.5' }, { ...c, minPreviousVersion: '1.0.0' }),
      {
        jump: false,
        minPreviousVersion: '1.0.5',
        reasons: [{ kind: 'below-minimum-version', rule: 4, minimum: '1.0.5', demandedBy: ['1.1.0'] }],
      },
    ],
    [
      'rule 4: minimums are ordered by number, and only who sets the highest demands it',
      indexOf(a, { ...b, minPreviousVersion: '1.0.10' }, { ...c, minPreviousVersion: '1.0.9' }),
      {
        jump: false,
        minPreviousVersion: '1.0.10',
        reasons: [{ kind: 'below-minimum-version', rule: 4, minimum: '1.0.10', demandedBy: ['1.1.0'] }],
      },
    ],
    [
      'rule 4: met where one is at it',
      indexOf(a, { ...b, minPreviousVersion: '1.0.0' }, c),
      { safe: true, minPreviousVersion: '1.0.0' },
    ],
    [
      'rule 5: below a floor that is not reached either',
      { ...indexOf(a, b, c), backfillFloorVersion: '1.5.0' },
      { jump: false, rolling: true, reasons: [{ kind: 'below-index-floor', rule: 5, floor: '1.5.0' }] },
    ],
    [
      'rule 5: a release marked as a stop is one, also where it is not the floor',
      indexOf(a, { ...b, syntheticRequiredStop: true, requiredStops: ['1.2.0'] }, c),
      {
        jump: false,
        requiredStops: ['1.2.0', '1.1.0'],
        reasons: [
          { kind: 'required-stop', rule: 3, stop: '1.2.0', demandedBy: ['1.1.0'] },
          { kind: 'required-stop', rule: 3, stop: '1.1.0', demandedBy: ['1.1.0'] },
        ],
      },
    ],
    [
      'rule 5: no floor, nothing is below it',
      { ...indexOf(a, b, c), backfillFloorVersion: null },
      { safe: true, requiredStops: [], reasons: [] },
    ],
    [
      'rule 7: without a floor, a start that the index lacks is not covered all the same',
      { ...indexOf(b, c), backfillFloorVersion: null },
      {
        jump: 'unknown',
        requiredStops: [],
        missing: ['1.0.0..1.0.0', '1.0.0..1.1.0'],
      },
    ],
    [
      'rule 7: an absent start that the first release names as the one before it',
      indexOf({ ...b, previousVersion: '1.0.0' }, c),
      { missing: ['1.0.0..1.0.0'] },
    ],
    [
      'rule 6: the true of a backfilled release proves nothing',
      indexOf(a, { ...b, backfilled: true }, c),
      {
        safe: false,
        verdict: 'unknown',
        jump: true,
        rolling: false,
        reasons: [{ kind: 'unknown-release', rule: 6, version: '1.1.0', backfilled: true }],
      },
    ],
    [
      'rule 6: the false of a backfilled release stays one',
      indexOf(a, { ...b, backfilled: true, rollingUpdateSafe: false }, c),
      { verdict: false, reasons: [{ kind: 'unsafe-release', rule: 2, version: '1.1.0' }] },
    ],
    [
      'rule 6: a backfilled release that runs already is not crossed',
      indexOf({ ...a, backfilled: true, syntheticRequiredStop: true }, b, c),
      { safe: true, reasons: [] },
    ],
    [
      'rule 7: a release that names another before it opens a range',
      indexOf(a, b, { ...c, previousVersion: '1.1.9' }),
      {
        verdict: 'unknown',
        jump: 'unknown',
        missing: ['1.1.0..1.2.0'],
        reasons: [
          {
            kind: 'missing-coverage',
            rule: 7,
            range: { afterVersion: '1.1.0', beforeVersion: '1.2.0' },
          },
        ],
      },
    ],
    [
      'rule 7: a gap right behind the start',
      indexOf(a, { ...b, previousVersion: null }, c),
      { verdict: 'unknown', missing: ['1.0.0..1.1.0'] },
    ],
    [
      'a gap hides no false, but the verdict is that nothing is known',
      indexOf(a, { ...b, rollingUpdateSafe: false, previousVersion: null }, c),
      { verdict: 'unknown', rolling: false, jump: 'unknown' },
    ],
    [
      'a rule that forbids the direct upgrade outweighs a gap',
      indexOf(a, { ...b, previousVersion: null }, { ...c, requiredStops: ['1.1.0'] }),
      { verdict: 'unknown', jump: false },
    ],
  ])('%s', (_, index, expected) => {
    const result = evaluate(index, '1.0.0', '1.2.0');
    expect({ ...result, ...comparable(result) }).toMatchObject(expected);
    const questions = result.reasons.map((reason) => questionOf(reason));
    expect(result.jump === true).toBe(!questions.includes('jump'));
    if (result.missingRanges.length === 0) expect(result.rolling).toBe(!questions.includes('rolling'));
    expect(comparable(result)).toEqual(evaluateNaively(index, '1.0.0', '1.2.0'));
  });

  it('reads an index that nobody has read yet before it evaluates it', () => {
    const index = { ...realIndex(), entries: realIndex().entries.map((e) => ({ ...e })) };
    index.entries.reverse();
    // @ts-expect-error it is no index that was parsed
    expect(evaluateSpan(index, { from: '1.111.0', to: '1.115.0' }).coveredVersions).toHaveLength(5);
    Object.assign(index.entries[0] ?? {}, { rollingUpdateSafe: 'true' });
    // @ts-expect-error no more than a copy is
    expect(() => evaluateSpan({ ...index }, { from: '1.111.0', to: '1.115.0' })).toThrow('entries[0]');
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

const versions = realIndexJson().entries.map((e) => String(e.version));
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

/** The real index with one entry replaced or, by `undefined`, removed. */
function withEntry(position: number, change: Record<string, unknown> | undefined): LooseIndex {
  const json = realIndexJson();
  if (change === undefined) json.entries.splice(position, 1);
  else json.entries[position] = { ...json.entries[position], ...change };
  return json;
}

describe('properties over the real index', () => {
  const inside = safeSpan.chain((span) =>
    fc.record({ span: fc.constant(span), at: fc.integer({ min: span.first + 1, max: span.last }) }),
  );

  it('the spans it breaks were safe before', () => {
    fc.assert(
      fc.property(safeSpan, ({ first, last }) => {
        expect(evaluateSpan(realIndex(), { from: versionAt(first), to: versionAt(last) }).safe).toBe(true);
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
    ['raising the floor', (at) => ({ ...realIndexJson(), backfillFloorVersion: versionAt(at) })],
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
