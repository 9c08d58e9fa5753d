import type { Verdict } from '../field-schemas.js';
import type { IndexEntry } from '../index/index-schema.js';
import { type Claims, type ReleaseSafetyIndex, withClaims } from '../index/release-safety-index.js';
import { type ReconciledField, reconciledFields } from '../kinds.js';
import type { ArtifactDisagreement, ArtifactFaultKind, ReconciledSpanResult } from '../results.js';
import { composeVerdicts, evaluateSpan, higherVersion, releasesOfSpan, type Span } from '../span.js';
import { compareVersions, type Version } from '../version.js';
import type { ReleaseArtifact } from './artifact.js';

export type { ArtifactDisagreement, ReconciledField, ReconciledSpanResult };

/** The result of looking for the artifact of one release. */
export type ArtifactOutcome =
  | { readonly kind: 'artifact'; readonly artifact: ReleaseArtifact }
  | ArtifactFault;

/** Why no artifact can be used. `message` says what happened, and to what. */
export interface ArtifactFault {
  readonly kind: ArtifactFaultKind;
  readonly message: string;
}

/** Backfilled releases have no artifact to confirm the index. */
export function releasesToVerify(index: ReleaseSafetyIndex, span: Span): Version[] {
  return releasesOfSpan(index, span)
    .filter(({ backfilled }) => !backfilled)
    .map(({ version }) => version);
}

/** @param outcomes by version; a release that must be verified and is missing here counts as missing */
export function reconcileSpan(
  index: ReleaseSafetyIndex,
  span: Span,
  outcomes: ReadonlyMap<string, ArtifactOutcome>,
): ReconciledSpanResult {
  return evaluateStrictly(joinArtifacts(index, span, outcomes), span);
}

/**
 * The result of a span in which an artifact that was not read counts as a disagreement: `--verify-artifacts` asks for
 * proof.
 */
export function evaluateStrictly(joined: JoinedIndex, span: Span): ReconciledSpanResult {
  const { index, unread, disagreements } = joined;
  const all = [...disagreements, ...unread].sort((a, b) => compareVersions(a.version, b.version));
  return evaluateJoined({ ...joined, index: withoutDisputed(index, unread), disagreements: all }, span);
}

/**
 * The result of a span in which an artifact that was not read takes nothing away. A disagreement takes away that the
 * span rolls. Whether the span may be one step depends on stops and minimum versions alone, and those of index and
 * artifact both count.
 */
export function evaluateJoined(
  { index, disagreements, strategyContradictions }: JoinedIndex,
  span: Span,
): ReconciledSpanResult {
  const result = evaluateSpan(index, span);
  const agreed = disagreements.length === 0;
  const [safe, rolling] = [result.safe && agreed, result.rolling && agreed];
  return { ...result, safe, rolling, disagreements, strategyContradictions };
}

/** An index in which every entry of a span also contains what its artifact says against the release. */
interface JoinedIndex extends Pick<ReconciledSpanResult, 'disagreements' | 'strategyContradictions'> {
  readonly index: ReleaseSafetyIndex;
  /** The releases whose artifact was not read, which says nothing against the index, and nothing for it. */
  readonly unread: readonly ArtifactDisagreement[];
}

/** The verdict of a release whose artifact cannot be trusted, or is of another release, proves nothing. */
export function joinArtifacts(
  index: ReleaseSafetyIndex,
  span: Span,
  outcomes: ReadonlyMap<string, ArtifactOutcome>,
): JoinedIndex {
  const disagreements: ArtifactDisagreement[] = [];
  const unread: ArtifactDisagreement[] = [];
  const strategyContradictions: Version[] = [];
  const claims = new Map<Version, Claims>();
  let before = span.from;
  for (const entry of releasesOfSpan(index, span)) {
    const outcome = outcomes.get(entry.version);
    const found = findDisagreements(entry, outcome);
    const isRead = !found.some(isUnread);
    (isRead ? disagreements : unread).push(...found);
    const artifact = artifactOf(entry, outcome);
    if (artifact !== undefined) {
      claims.set(entry.version, joinArtifact(entry, artifact, before));
      if (strategyContradictsVerdict(artifact)) strategyContradictions.push(entry.version);
    } else if (isRead) {
      claims.set(entry.version, { rollingUpdateSafe: composeVerdicts([entry.rollingUpdateSafe, 'unknown']) });
    }
    before = entry.version;
  }

  const joined = withClaims(index, ({ version }) => claims.get(version));
  return { index: joined, disagreements, unread, strategyContradictions };
}

/**
 * Whether an artifact was not read at all: the source lacks it, or could not be reached. An invalid artifact was read.
 */
export function isUnread({ kind }: ArtifactDisagreement): boolean {
  return kind === 'missing-artifact' || kind === 'unavailable-artifact';
}

/** The index in which the verdict of a release with a disagreement proves nothing. */
export function withoutDisputed(
  index: ReleaseSafetyIndex,
  disagreements: readonly ArtifactDisagreement[],
): ReleaseSafetyIndex {
  const disputed = new Set(disagreements.map(({ version }) => version));
  return withClaims(index, ({ version, rollingUpdateSafe }) =>
    rollingUpdateSafe === true && disputed.has(version) ? { rollingUpdateSafe: 'unknown' } : undefined,
  );
}

/** The artifact, if it describes exactly this release. */
export function artifactOf(
  { version, backfilled }: IndexEntry,
  outcome: ArtifactOutcome | undefined,
): ReleaseArtifact | undefined {
  if (backfilled || outcome?.kind !== 'artifact') return undefined;
  return outcome.artifact.version === version ? outcome.artifact : undefined;
}

/** Whether `recommendedStrategy` contradicts the verdict. It is a convenience for people: the verdict counts. */
export function strategyContradictsVerdict({ compatibility }: ReleaseArtifact): boolean {
  const { recommendedStrategy, rollingUpdateSafe } = compatibility;
  return (
    recommendedStrategy !== undefined &&
    (recommendedStrategy === 'RollingUpdate') !== (rollingUpdateSafe === true)
  );
}

function findDisagreements(entry: IndexEntry, outcome: ArtifactOutcome | undefined): ArtifactDisagreement[] {
  const { version } = entry;
  if (entry.backfilled) return entry.rollingUpdateSafe === true ? [{ kind: 'backfilled-true', version }] : [];
  if (outcome === undefined) return [{ kind: 'missing-artifact', version, message: 'it was not looked for' }];
  if (outcome.kind !== 'artifact') return [{ kind: outcome.kind, version, message: outcome.message }];
  const { artifact } = outcome;
  if (artifact.version !== version) {
    return [{ kind: 'other-release', version, artifactVersion: artifact.version }];
  }
  const ofArtifact: Pick<IndexEntry, ReconciledField> = {
    previousVersion: artifact.previousVersion,
    rollingUpdateSafe: artifact.compatibility.rollingUpdateSafe,
    requiredStops: stopsOf(artifact),
    minPreviousVersion: artifact.upgrade.minPreviousVersion,
  };
  return reconciledFields.flatMap((field) => {
    const [index, artifact] = [entry[field], ofArtifact[field]];
    return comparable(index) === comparable(artifact)
      ? []
      : [{ kind: 'field-differs', version, field, index, artifact }];
  });
}

/** A declared break may make its release a stop, even if the release is not listed as one. */
function stopsOf({ version, upgrade, declaredBreaks = [] }: ReleaseArtifact): readonly Version[] {
  const declared = declaredBreaks.some(({ requiredStop }) => requiredStop === true);
  return declared ? [...new Set([...upgrade.requiredStops, version])] : upgrade.requiredStops;
}

/** Stops are a set: their order in the list does not matter. */
function comparable(value: IndexEntry[ReconciledField]): Verdict | string | null {
  return typeof value === 'object' && value !== null ? JSON.stringify([...new Set(value)].sort()) : value;
}

/** The claims of one entry, with all that index and artifact say against it. */
function joinArtifact(entry: IndexEntry, artifact: ReleaseArtifact, before: Version): Claims {
  const { previousVersion, compatibility, upgrade } = artifact;
  return {
    // If index and artifact name different previous versions, the one that is not the release before opens a gap in the
    // coverage (span rule 7).
    previousVersion: entry.previousVersion === before ? previousVersion : entry.previousVersion,
    rollingUpdateSafe: composeVerdicts([entry.rollingUpdateSafe, compatibility.rollingUpdateSafe]),
    requiredStops: [...new Set([...entry.requiredStops, ...stopsOf(artifact)])],
    minPreviousVersion: higherVersion(entry.minPreviousVersion, upgrade.minPreviousVersion),
  };
}
