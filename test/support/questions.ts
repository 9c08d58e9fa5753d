import * as fc from 'fast-check';
import type { Acceptance } from '../../src/core/accepted.js';
import { parseReleaseArtifact } from '../../src/core/artifact/artifact.js';
import type { ArtifactOutcome } from '../../src/core/artifact/reconcile.js';
import { parseReleaseSafetyIndex } from '../../src/core/index/parse-index.js';
import type { ReleaseSafetyIndex } from '../../src/core/index/release-safety-index.js';
import type { Evidence } from '../../src/core/judge.js';
import { parseVersion } from '../../src/core/version.js';
import { inventedArtifact } from './artifacts.js';
import { indexWith, someFacts, someRecords } from './known-issues.js';
import { smallIndex } from './naive-routes.js';
import { indexOf } from './real-index.js';

/** What became of the artifact of a release: why there is none, or what it says otherwise than the index. */
const fates = [
  ...(['missing-artifact', 'unavailable-artifact', 'invalid-artifact'] as const),
  ...[{}, { version: '9.9.9' }, { rollingUpdateSafe: false }, { requiredStops: ['1.0.5'] }],
];
type Fate = (typeof fates)[number];

export function outcomeOf(entry: ReleaseSafetyIndex['entries'][number], fate: Fate = {}): ArtifactOutcome {
  if (typeof fate === 'string') return { kind: fate, message: fate };
  return { kind: 'artifact', artifact: parseReleaseArtifact(inventedArtifact({ ...entry, ...fate })) };
}

/** An acceptance without an end. */
export function accepting(kind: Acceptance['kind'], name: string): Acceptance {
  return { kind, name, reason: 'r', by: null, until: null };
}

/** A version of the indexes of `questionsOf`. */
export const version = fc.integer({ min: 0, max: 11 }).map((n) => `1.0.${n}`);
const fate = fc.oneof({ weight: 12, arbitrary: fc.constant<Fate>({}) }, fc.constantFrom(...fates));
const records = fc.oneof(
  { weight: 2, arbitrary: fc.constant([]) },
  someRecords(version, (a, b) => Number(a.slice(4)) - Number(b.slice(4))),
);

/** A question over a small index of such verdicts, and what is known and read of it. */
export function questionsOf(verdict: fc.Arbitrary<boolean | 'unknown'>) {
  // Without holes.
  const soundIndex = fc
    .tuple(fc.array(verdict, { minLength: 6, maxLength: 6 }), fc.nat(3), fc.integer({ min: 1, max: 2 }))
    .map(([verdicts, start, length]) => ({
      index: parseReleaseSafetyIndex(
        indexOf(...verdicts.map((rollingUpdateSafe, i) => ({ version: `1.0.${i}`, rollingUpdateSafe }))),
      ),
      from: `1.0.${start}`,
      to: `1.0.${start + length}`,
    }));
  return fc
    .tuple(
      fc.oneof(smallIndex(verdict), soundIndex),
      records,
      someFacts,
      fc.option(fc.array(fate, { minLength: 12, maxLength: 12 })),
    )
    .map(([small, known, facts, fatesOf]) => {
      const index = indexWith(known, facts, small.index);
      const artifacts =
        fatesOf === null
          ? undefined
          : new Map(index.entries.map((entry, i) => [entry.version, outcomeOf(entry, fatesOf[i])]));
      const evidence: Evidence = { index, artifacts };
      const ends = { from: parseVersion(small.from), to: parseVersion(small.to) };
      return { index, ends, evidence };
    });
}
