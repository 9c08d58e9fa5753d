import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseReleaseArtifact } from '../../../src/core/artifact/artifact.js';
import type {
  ArtifactDisagreement,
  ArtifactFault,
  ArtifactOutcome,
} from '../../../src/core/artifact/reconcile.js';
import { parseReleaseSafetyIndex } from '../../../src/core/index/parse-index.js';
import { evaluateSpan, reconcileSpan, releasesToVerify } from '../../../src/library/library.js';
import { inventedArtifact, type LooseArtifact } from '../../support/artifacts.js';
import { indexOf, realIndex } from '../../support/real-index.js';

const span = { from: '1.0.0', to: '1.2.0' };

const bearsOut = {
  previousVersion: '1.0.0',
  rollingUpdateSafe: true,
  requiredStops: [],
  minPreviousVersion: null,
} as const;

const outcome = (artifact: LooseArtifact): ArtifactOutcome => ({
  kind: 'artifact',
  artifact: parseReleaseArtifact(artifact),
});

/** The span over an index of three releases whose artifacts agree, but for what a row changes. */
function reconcile({
  entry = {},
  artifact = {},
  outcomes = {},
}: {
  entry?: LooseArtifact;
  artifact?: Partial<Parameters<typeof inventedArtifact>[0]>;
  outcomes?: Record<string, ArtifactOutcome | undefined>;
}) {
  const index = parseReleaseSafetyIndex(
    indexOf({ version: '1.0.0' }, { version: '1.1.0', ...entry }, { version: '1.2.0' }),
  );
  const found = new Map<string, ArtifactOutcome>([
    ['1.1.0', outcome(inventedArtifact({ version: '1.1.0', ...bearsOut, ...artifact }))],
    ['1.2.0', outcome(inventedArtifact({ version: '1.2.0', ...bearsOut, previousVersion: '1.1.0' }))],
  ]);
  for (const [version, outcome] of Object.entries(outcomes)) {
    if (outcome === undefined) found.delete(version);
    else found.set(version, outcome);
  }
  return reconcileSpan(index, span, found);
}

describe('index and artifacts joined by AND', () => {
  it('is green where both agree on every release', () => {
    expect(reconcile({})).toMatchObject({
      safe: true,
      verdict: true,
      jump: true,
      rolling: true,
      disagreements: [],
    });
  });

  const no = { rollingUpdateSafe: false } as const;
  const notKnown = { rollingUpdateSafe: 'unknown' } as const;
  const stop = (version: string) => ({ requiredStops: [version] });
  const minimum = (minPreviousVersion: string) => ({ minPreviousVersion });
  const after = (previousVersion: string) => ({ previousVersion });
  const found = (one: ArtifactOutcome | undefined) => ({ outcomes: { '1.1.0': one } });
  const declaring = (...stops: readonly boolean[]) =>
    outcome(
      inventedArtifact(
        { version: '1.1.0', ...bearsOut },
        { declaredBreaks: stops.map((requiredStop) => ({ reason: 'a column is gone', requiredStop })) },
      ),
    );
  const inShort = ({ kind, version, ...rest }: ArtifactDisagreement) => {
    const values = Object.values(rest).map((value) => (Array.isArray(value) ? `[${value}]` : String(value)));
    return [version, ...(kind === 'field-differs' ? [] : [kind]), ...values].join(' ');
  };

  const fault = (kind: ArtifactFault['kind']) => found({ kind, message: 'why' });
  it.each<[rule: string, Parameters<typeof reconcile>[0], verdictAndJump: string, disagreement: string]>([
    ['the artifact says false', { artifact: no }, 'false true', 'rollingUpdateSafe true false'],
    ['it says unknown', { artifact: notKnown }, 'unknown true', 'rollingUpdateSafe true unknown'],
    ['it lifts no false of the index', { entry: no }, 'false true', 'rollingUpdateSafe false true'],
    ['it lifts no unknown', { entry: notKnown }, 'unknown true', 'rollingUpdateSafe unknown true'],
    [
      ...(['unknown beside false is false', { entry: notKnown, artifact: no }] as const),
      ...(['false true', 'rollingUpdateSafe unknown false'] as const),
    ],
    ['a stop of the artifact alone', { artifact: stop('1.1.0') }, 'true false', 'requiredStops [] [1.1.0]'],
    ['a stop of the index alone', { entry: stop('1.1.0') }, 'true false', 'requiredStops [1.1.0] []'],
    ['a stop outside the span', { artifact: stop('0.9.0') }, 'true true', 'requiredStops [] [0.9.0]'],
    ['a minimum of its own', { artifact: minimum('1.0.1') }, 'true false', 'minPreviousVersion null 1.0.1'],
    [
      ...([
        'a lower minimum: the higher holds',
        { entry: minimum('1.0.1'), artifact: minimum('0.9.0') },
      ] as const),
      ...(['true false', 'minPreviousVersion 1.0.1 0.9.0'] as const),
    ],
    [
      ...(['a higher minimum', { entry: minimum('0.9.0'), artifact: minimum('1.0.1') }] as const),
      ...(['true false', 'minPreviousVersion 0.9.0 1.0.1'] as const),
    ],
    ['a declared break that is a stop', found(declaring(true)), 'true false', 'requiredStops [] [1.1.0]'],
    ['behind one that is none', found(declaring(false, true)), 'true false', 'requiredStops [] [1.1.0]'],
    ['a range that it opens', { artifact: after('1.0.5') }, 'unknown unknown', 'previousVersion 1.0.0 1.0.5'],
    ['a gap that it has not', { entry: after('1.0.5') }, 'unknown unknown', 'previousVersion 1.0.5 1.0.0'],
    ['that of another release', { artifact: { version: '1.3.0' } }, 'unknown true', 'other-release 1.3.0'],
    ['a missing artifact', fault('missing-artifact'), 'unknown true', 'missing-artifact why'],
    ['an unavailable one', fault('unavailable-artifact'), 'unknown true', 'unavailable-artifact why'],
    ['one that cannot be trusted', fault('invalid-artifact'), 'unknown true', 'invalid-artifact why'],
    ['nobody looked', found(undefined), 'unknown true', 'missing-artifact it was not looked for'],
    ['a false, missing', { entry: no, ...fault('missing-artifact') }, 'false true', 'missing-artifact why'],
    ['backfilled, and true', { entry: { backfilled: true } }, 'unknown true', 'backfilled-true'],
  ])('%s', (_, change, verdictAndJump, disagreement) => {
    const result = reconcile(change);
    expect(result).toMatchObject({ safe: false, rolling: false });
    expect(`${result.verdict} ${result.jump}`).toBe(verdictAndJump);
    expect(result.disagreements.map(inShort)).toEqual([`1.1.0 ${disagreement}`]);
  });

  it('a declared break that is no stop changes no stop', () => {
    expect(reconcile(found(declaring(false)))).toMatchObject({ requiredStops: [], disagreements: [] });
  });

  it('takes stops for a set', () => {
    const result = reconcile({
      entry: { requiredStops: ['0.8.0', '0.9.0'] },
      artifact: { requiredStops: ['0.9.0', '0.8.0', '0.9.0'] },
    });
    expect(result).toMatchObject({ safe: true, disagreements: [] });
  });

  it('reports a recommended strategy that contradicts the verdict, and lets the verdict count', () => {
    const artifact = inventedArtifact(
      { version: '1.1.0', ...bearsOut },
      { compatibility: { rollingUpdateSafe: true, recommendedStrategy: 'Recreate' } },
    );
    expect(reconcile({ outcomes: { '1.1.0': outcome(artifact) } })).toMatchObject({
      safe: true,
      disagreements: [],
      strategyContradictions: ['1.1.0'],
    });
  });
});

it('verifies every release of a span that is not backfilled, and no other', () => {
  expect(releasesToVerify(realIndex(), { from: '1.120.0', to: '1.122.0' })).toEqual(
    realIndex()
      .entries.filter(({ backfilled, version }) => !backfilled && /^1\.12[12]\./.test(version))
      .map(({ version }) => version)
      .filter((version) => version !== '1.122.1'),
  );
});

describe('whatever the artifacts say', () => {
  const version = fc.constantFrom('0.9.0', '1.0.0', '1.1.0', '1.2.0', '1.3.0', '1.4.0');
  const verdict = fc.constantFrom<(boolean | 'unknown')[]>(true, true, true, false, 'unknown');
  const claims = fc.record({
    previousVersion: fc.option(version),
    rollingUpdateSafe: verdict,
    requiredStops: fc.array(version, { maxLength: 1 }),
    minPreviousVersion: fc.option(version),
  });
  const versions = ['1.0.0', '1.1.0', '1.2.0', '1.3.0'];
  const indexes = fc.tuple(...versions.map(() => fc.tuple(claims, fc.boolean(), fc.boolean()))).map((rows) =>
    parseReleaseSafetyIndex(
      indexOf(
        ...rows.map(([claims, plain, backfilled], i) => ({
          version: versions[i] ?? '',
          backfilled,
          ...(plain ? {} : claims),
        })),
      ),
    ),
  );
  const outcomes = fc.tuple(
    ...versions.map((own) =>
      fc.oneof(
        fc
          .tuple(fc.constantFrom(own, own, own, '1.9.0'), claims)
          .map(([version, claims]) => outcome(inventedArtifact({ version, ...claims }))),
        fc.constant<ArtifactOutcome>({ kind: 'missing-artifact', message: '' }),
        fc.constant<'agree'>('agree'),
      ),
    ),
  );

  const spans = fc
    .tuple(fc.nat(3), fc.nat(3))
    .map(([a, b]) => ({ from: versions[Math.min(a, b)] ?? '', to: versions[Math.max(a, b)] ?? '' }));

  it('never makes a span better than the index alone has it, and is green only where both agree', () => {
    const rank = { false: 0, unknown: 1, true: 2 };
    let green = 0;
    fc.assert(
      fc.property(indexes, outcomes, spans, (index, found, span) => {
        const byVersion = new Map(
          index.entries.map((entry, i) => {
            const one = found[i] ?? 'agree';
            return [entry.version, one === 'agree' ? outcome(inventedArtifact(entry)) : one] as const;
          }),
        );
        const alone = evaluateSpan(index, span);
        const result = reconcileSpan(index, span, byVersion);
        if (alone.verdict !== true) expect(result.verdict).not.toBe(true);
        expect(rank[`${result.jump}`]).toBeLessThanOrEqual(rank[`${alone.jump}`]);
        expect(Number(result.rolling)).toBeLessThanOrEqual(Number(alone.rolling));
        expect(result.requiredStops).toEqual(expect.arrayContaining([...alone.requiredStops]));
        expect(result.coveredVersions).toEqual(alone.coveredVersions);
        expect(result.missingRanges).toEqual(expect.arrayContaining([...alone.missingRanges]));
        const agreed = releasesToVerify(index, span).every((version) => {
          const one = byVersion.get(version);
          const entry = index.entries.find((entry) => entry.version === version);
          return (
            one?.kind === 'artifact' &&
            one.artifact.version === version &&
            one.artifact.previousVersion === entry?.previousVersion &&
            one.artifact.compatibility.rollingUpdateSafe === entry.rollingUpdateSafe &&
            `${one.artifact.upgrade.requiredStops}` === `${entry.requiredStops}` &&
            one.artifact.upgrade.minPreviousVersion === entry.minPreviousVersion
          );
        });
        const backfilledTrue = index.entries.some(
          ({ version, backfilled, rollingUpdateSafe }) =>
            backfilled && rollingUpdateSafe === true && alone.coveredVersions.includes(version),
        );
        expect(result.safe).toBe(alone.safe && agreed && !backfilledTrue);
        expect(result.disagreements.length === 0).toBe(agreed && !backfilledTrue);
        if (result.safe && alone.coveredVersions.length > 0) green++;
      }),
      { numRuns: 2000 },
    );
    expect(green).toBeGreaterThan(10);
  });
});
