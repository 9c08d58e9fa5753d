/**
 * lightspan as a library: the pure core, which reads the release-safety index and evaluates spans of it. It does no
 * I/O and runs in a browser unchanged.
 */
export type {
  ApiSurface,
  ConfigChange,
  DeclaredBreak,
  MigrationFile,
  ReleaseArtifact,
} from './release-safety/artifact-schema.js';
export { type Strategy, strategyFor } from './release-safety/deployment.js';
export { ReleaseSafetyError, type ReleaseSafetyErrorCode } from './release-safety/errors.js';
export type { IndexEntry, ReleaseSafetyIndex, Verdict } from './release-safety/index-schema.js';
export { parseReleaseArtifact, parseReleaseArtifactText } from './release-safety/parse-artifact.js';
export { parseReleaseSafetyIndex, parseReleaseSafetyIndexText } from './release-safety/parse-index.js';
export {
  type ArtifactDisagreement,
  type ArtifactFault,
  type ArtifactOutcome,
  type ReconciledField,
  type ReconciledSpanResult,
  reconcileSpan,
  releasesToVerify,
} from './release-safety/reconcile.js';
export {
  evaluateSpan,
  type MissingRange,
  parseSpan,
  type Reason,
  type ReasonKind,
  type Span,
  type SpanResult,
} from './release-safety/span.js';
export { compareVersions, parseVersion } from './release-safety/version.js';
