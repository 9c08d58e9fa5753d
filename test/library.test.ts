import { describe, expect, it, onTestFinished, vi } from 'vitest';
import * as lightspan from '../src/library/index.js';
import { inventedArtifact } from './support/artifacts.js';
import { recordOf } from './support/known-issues.js';
import { indexOf, realIndex, realIndexJson } from './support/real-index.js';

/** What a program in JavaScript may hand over, which no type keeps out. */

const rows = [{ version: '1.0.0' }, { version: '1.1.0' }];
const parsed = lightspan.parseReleaseSafetyIndex(indexOf(...rows));
const ends = { from: '1.0.0', to: '1.1.0' };
const outcomes = new Map<string, lightspan.ArtifactOutcome>();

/** Everything that is given an index. */
const takers: Record<string, (index: never) => unknown> = {
  evaluateSpan: (index) => lightspan.evaluateSpan(index, ends),
  planRoute: (index) => lightspan.planRoute(index, { from: '1.0.0', to: 'latest' }),
  summarizeIndex: (index) => lightspan.summarizeIndex(index),
  releasesToVerify: (index) => lightspan.releasesToVerify(index, ends),
  reconcileSpan: (index) => lightspan.reconcileSpan(index, ends, outcomes),
  buildReport: (index) => lightspan.buildReport(index, { ...ends, outcomes }),
};

describe.each(Object.entries(takers))('an index handed to %s', (_, take) => {
  const green = { ...parsed.entries[1], rollingUpdateSafe: 'true' };

  it.each<[string, unknown]>([
    ['is none', undefined],
    ['is its text', JSON.stringify(indexOf(...rows))],
    ['is a copy of one, with another verdict', { ...parsed, entries: [parsed.entries[0], green] }],
    ['inherits from one', Object.create(parsed, { entries: { value: [parsed.entries[0], green] } })],
    [
      'stands before one',
      new Proxy(parsed, { get: (index, key) => (key === 'entries' ? [green] : Reflect.get(index, key)) }),
    ],
  ])('is refused where it %s', (_, index) => {
    expect(() => take(index as never)).toThrow(lightspan.ReleaseSafetyError);
  });

  it('is read where nobody has read it yet', () => {
    const turned = { ...indexOf(...rows), entries: indexOf(...rows).entries.toReversed() };
    expect(take(turned as never)).toEqual(take(parsed as never));
  });
});

describe('an artifact handed over', () => {
  const own = lightspan.parseReleaseArtifact(
    inventedArtifact({
      version: '1.1.0',
      previousVersion: '1.0.0',
      rollingUpdateSafe: true,
      requiredStops: [],
      minPreviousVersion: null,
    }),
  );
  const asksWithAll = {
    reconcileSpan: (all: typeof outcomes) => lightspan.reconcileSpan(parsed, ends, all).safe,
    buildReport: (all: typeof outcomes) => lightspan.buildReport(parsed, { ...ends, outcomes: all }).safe,
  };

  it.each(Object.entries(asksWithAll))(
    'to %s is taken where it was parsed, and refused where what decides is not as documented',
    (_, askWithAll) => {
      const ask = (artifact: object) =>
        askWithAll(new Map([['1.1.0', { kind: 'artifact', artifact } as never]]));
      expect(ask(own)).toBe(true);
      for (const [start, forged] of [
        ['version: expected', { ...own, version: 1 }],
        ['previousVersion: missing; expected', { ...own, previousVersion: undefined }],
        ['compatibility.rollingUpdateSafe: ', { ...own, compatibility: { rollingUpdateSafe: 'true' } }],
        ['upgrade.minPrevious', { ...own, upgrade: { ...own.upgrade, minPreviousVersion: 'later' } }],
        ['upgrade.requiredStops[0]: ', { ...own, upgrade: { ...own.upgrade, requiredStops: ['v1.0.5'] } }],
        ['declaredBreaks: expected', { ...own, declaredBreaks: true }],
      ] as const) {
        expect(() => ask(forged)).toThrow(
          expect.objectContaining({ code: 'invalid-artifact', message: expect.stringContaining(start) }),
        );
      }
    },
  );

  it.each(Object.entries(asksWithAll))('to %s is refused wherever it stands among others', (_, ask) => {
    const artifact = { ...own, declaredBreaks: true };
    const of = (kind: string, more: object = {}) => ({ kind, ...more }) as never;
    for (const outcomes of [
      [of('artifact', { artifact }), of('artifact', { artifact: own })],
      [of('artifact', { artifact: own }), of('artifact', { artifact })],
      [of('missing-artifact', { message: '' }), of('artifact', { artifact })],
    ]) {
      expect(() => ask(new Map(outcomes.map((outcome, i) => [`1.${i}.0`, outcome])))).toThrow(
        expect.objectContaining({ code: 'invalid-artifact' }),
      );
    }
  });
});

describe('a version handed over', () => {
  it.each<[string, (version: string) => unknown]>([
    ['evaluateSpan', (version) => lightspan.evaluateSpan(parsed, { from: '1.0.0', to: version }).toVersion],
    ['planRoute', (version) => lightspan.planRoute(parsed, { from: '1.0.0', to: version }).toVersion],
    [
      'releasesToVerify',
      (version) => lightspan.releasesToVerify(parsed, { from: '1.0.0', to: version }).at(-1),
    ],
    [
      'buildReport',
      (version) => lightspan.buildReport(parsed, { from: '1.0.0', to: version, outcomes }).toVersion,
    ],
    [
      'foldConfigChanges',
      (version) =>
        lightspan.foldConfigChanges([
          { version, change: { type: 'removed', name: 'A', previousDefault: undefined } },
        ]).changes[0]?.versions[0],
    ],
    ['evaluateSpan, from', (from) => lightspan.evaluateSpan(parsed, { from, to: '1.1.0' }).fromVersion],
    ['planRoute, from', (from) => lightspan.planRoute(parsed, { from, to: 'latest' }).fromVersion],
    ['reconcileSpan', (to) => lightspan.reconcileSpan(parsed, { from: '1.0.0', to }, outcomes).toVersion],
    [
      'reconcile, from',
      (from) => lightspan.reconcileSpan(parsed, { from, to: '1.1.0' }, outcomes).fromVersion,
    ],
    [
      'buildReport from',
      (from) => lightspan.buildReport(parsed, { from, to: 'latest', outcomes }).fromVersion,
    ],
  ])('to %s is read as an operator writes it, and is one', (_, take) => {
    expect(take(' v1.1.0 ')).toBe('1.1.0');
    for (const none of ['1.1', '', 1.1, undefined, null, ['1.1.0']]) {
      expect(() => take(none as string)).toThrow(expect.objectContaining({ code: 'invalid-version' }));
    }
  });
});

it.each([
  ['1.0.0', '1.0'],
  ['v1.0.0', '1.0.0'],
  ['1.0.0', undefined],
])('versions that are compared are versions, both of them: %s, %s', (a, b) => {
  expect(() => lightspan.compareVersions(a, b as string)).toThrow(
    expect.objectContaining({ code: 'invalid-version' }),
  );
});

const span = { from: '2.125.0', to: '2.127.0' };
const { records } = lightspan.builtInKnownIssues;

describe('an index with known issues', () => {
  it.each<[what: string, request: lightspan.KnownIssueRequest | undefined, safe: boolean]>([
    ['those built in, of an instance of which nothing is known', undefined, false],
    ['of a community instance', { facts: { edition: 'community' } }, false],
    ['of an enterprise instance', { facts: { edition: 'enterprise' } }, true],
    ['none', { records: [] }, true],
    ['one of the caller', { records: [recordOf({ affected: [{ introduced: '2.127.0' }] })] }, false],
  ])('%s', (_, request, safe) => {
    const index = lightspan.withKnownIssues(realIndex(), request);
    expect(lightspan.evaluateSpan(index, span).safe).toBe(safe);
    const { hops } = lightspan.planRoute(index, span);
    expect(hops.every(({ knownIssues }) => knownIssues.length === 0)).toBe(safe);
  });

  it('counts a record until it is withdrawn, by the time of the index unless another is given', () => {
    const record = recordOf({ affected: [{ introduced: '2.127.0' }], withdrawn: '2027-01-01T00:00:00Z' });
    const safe = (request: lightspan.KnownIssueRequest) =>
      lightspan.evaluateSpan(lightspan.withKnownIssues(realIndex(), request), span).safe;
    vi.setSystemTime('2028-01-01T00:00:00Z');
    onTestFinished(() => void vi.useRealTimers());
    expect(safe({ records: [record] })).toBe(false);
    expect(safe({ records: [record], now: new Date('2026-12-31T23:59:59Z') })).toBe(false);
    expect(safe({ records: [record], now: new Date('2027-01-01T00:00:00Z') })).toBe(true);
  });

  it.each([
    ['read from JSON', () => lightspan.parseReleaseSafetyIndex(realIndexJson())],
    ['read from a text', () => lightspan.parseReleaseSafetyIndexText(JSON.stringify(realIndexJson()))],
    ['copied', () => ({ ...lightspan.parseReleaseSafetyIndex(realIndexJson()) })],
    ['not read yet', () => realIndexJson()],
  ])('has those built in where it is %s', (_, make) => {
    expect(lightspan.evaluateSpan(make() as never, span).safe).toBe(false);
  });

  it('is read where nobody has read it yet', () => {
    const index = lightspan.withKnownIssues(realIndexJson() as never);
    expect(lightspan.evaluateSpan(index, span).safe).toBe(false);
  });

  it('is refused at once for an invalid entry, even one that no answer reads', () => {
    const index = realIndexJson();
    const broken = { ...index, entries: [...index.entries, { version: '99.0.0' }] };
    expect(() => lightspan.withKnownIssues(broken as never)).toThrow(
      expect.objectContaining({ code: 'invalid-index' }),
    );
  });

  it.each<[what: string, request: unknown, code: string, message: string]>([
    ['no fact', { facts: { editoin: 'community' } }, 'invalid-facts', 'there is no fact "editoin"'],
    [
      'a value that is none',
      { facts: { edition: 'free' } },
      'invalid-facts',
      'edition is community or enterprise, not "free"',
    ],
    ['half a number', { facts: { 'rows.a': 1.5 } }, 'invalid-facts', 'rows.a is a whole number'],
    [
      'no record',
      { records: [...records, { ...records[0], when: 'always' }] },
      'invalid-known-issue',
      'when: expected',
    ],
  ])('is refused with %s', (_, request, code, message) => {
    expect(() => lightspan.withKnownIssues(realIndex(), request as never)).toThrow(
      expect.objectContaining({ code, message: expect.stringContaining(message) }),
    );
  });
});
