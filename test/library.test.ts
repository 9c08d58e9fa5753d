import { describe, expect, it } from 'vitest';
import * as lightspan from '../src/index.js';
import { inventedArtifact } from './support/artifacts.js';
import { indexOf } from './support/real-index.js';

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
    ['is null', null],
    ['is its text', JSON.stringify(indexOf(...rows))],
    ['has no entries', { ...parsed, entries: [] }],
    ['is a copy of one, with another verdict', { ...parsed, entries: [parsed.entries[0], green] }],
    ['inherits from one', Object.create(parsed, { entries: { value: [parsed.entries[0], green] } })],
    [
      'stands before one',
      new Proxy(parsed, { get: (index, key) => (key === 'entries' ? [green] : Reflect.get(index, key)) }),
    ],
    [
      'has a class of its own',
      Object.assign(new (class ReleaseSafetyIndex {})(), parsed, { entries: [green] }),
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
  const askers = {
    reconcileSpan: (artifact: object) =>
      lightspan.reconcileSpan(parsed, ends, new Map([['1.1.0', { kind: 'artifact', artifact } as never]]))
        .safe,
    buildReport: (artifact: object) =>
      lightspan.buildReport(parsed, {
        ...ends,
        outcomes: new Map([['1.1.0', { kind: 'artifact', artifact } as never]]),
      }).safe,
  };

  it.each(Object.entries(askers))(
    'to %s is taken where it was parsed, and refused where what decides is not as documented',
    (_, ask) => {
      expect(ask(own)).toBe(true);
      for (const [field, forged] of [
        ['version', { ...own, version: 1 }],
        ['previousVersion', { ...own, previousVersion: undefined }],
        ['compatibility.rollingUpdateSafe', { ...own, compatibility: { rollingUpdateSafe: 'true' } }],
        ['upgrade.minPreviousVersion', { ...own, upgrade: { ...own.upgrade, minPreviousVersion: 'later' } }],
        ['upgrade.requiredStops[0]', { ...own, upgrade: { ...own.upgrade, requiredStops: ['v1.0.5'] } }],
        ['declaredBreaks', { ...own, declaredBreaks: true }],
      ] as const) {
        expect(() => ask(forged)).toThrow(
          expect.objectContaining({
            code: 'invalid-artifact',
            message: expect.stringContaining(`${field}: expected`),
          }),
        );
      }
    },
  );
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
  ])('to %s is read as an operator writes it, and is one', (_, take) => {
    expect(take(' v1.1.0 ')).toBe('1.1.0');
    expect(() => take('1.1')).toThrow(expect.objectContaining({ code: 'invalid-version' }));
  });
});
