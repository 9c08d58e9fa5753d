import type { ArtifactDisagreement, ReconciledField } from '../../release-safety/reconcile.js';
import { describeBy, type Words } from './word.js';

const askAgain =
  'Check again later, when both may agree; until then plan Recreate. If you use a mirror, update it.';

/** How the artifacts do not confirm the index: the artifact is the source of truth, the index is derived from it. */
export const disagreementWords: Words<ArtifactDisagreement> = {
  'field-differs': {
    meaning: 'Index and artifact differ about a release. The worse of the two counts.',
    remedy: askAgain,
    describe: ({ field, index, artifact }) =>
      `${fieldNames[field]} ${show(index)} in the index, ${show(artifact)} in the artifact`,
  },
  'other-release': {
    meaning: 'The published artifact of a release describes another release. It proves nothing.',
    remedy: askAgain,
    describe: ({ artifactVersion }) => `its published artifact describes ${artifactVersion}`,
  },
  'backfilled-true': {
    meaning: 'The index says true for a backfilled release, which has no artifact that could confirm it.',
    rule: 6,
    remedy: 'Plan Recreate for this span.',
    describe: () => 'backfilled, so no artifact confirms the true of the index (span rule 6)',
  },
  'missing-artifact': {
    meaning:
      'A release has no artifact that could confirm the index or contradict it. The index alone counts, unless --verify-artifacts is given.',
    remedy: askAgain,
    describe: ({ message }) => `no artifact, ${message}`,
  },
  'unavailable-artifact': {
    meaning:
      'The artifact of a release is unavailable, and could have confirmed the index or contradicted it. The index alone counts, unless --verify-artifacts is given.',
    remedy: 'Try again; the message says what failed. A mirror (lightspan index mirror) needs no network.',
    describe: ({ message }) => `the artifact is unavailable, ${message}`,
  },
  'invalid-artifact': {
    meaning:
      'The artifact of a release was received, but cannot be trusted. It may say no, so it takes a yes away.',
    remedy: askAgain,
    describe: ({ message }) => `the artifact cannot be trusted, ${message}`,
  },
};

/** A disagreement in words, without a full stop; the same in every format. */
export function describeDisagreement(disagreement: ArtifactDisagreement): string {
  return `${disagreement.version}: ${describeDispute(disagreement)}`;
}

/** The same if the release is already named. */
export function describeDispute(disagreement: ArtifactDisagreement): string {
  return describeBy(disagreementWords, disagreement);
}

/** Why a backfilled release has no artifact. */
export const noneWasPublished = 'backfilled, so none was published';

const fieldNames: Record<ReconciledField, string> = {
  previousVersion: 'the previous version is',
  rollingUpdateSafe: 'rollingUpdateSafe is',
  requiredStops: 'the required stops are',
  minPreviousVersion: 'the minimum previous version is',
};

function show(value: Extract<ArtifactDisagreement, { kind: 'field-differs' }>['index']): string {
  if (value === null) return 'none';
  if (typeof value === 'object') return value.length === 0 ? 'none' : value.join(', ');
  return String(value);
}
