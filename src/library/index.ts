/**
 * lightspan as a library: the pure core, which reads the release-safety index and evaluates spans of it, and what the
 * entries `lightspan/client` and `lightspan/merge` export. Only the methods of a client make requests.
 */

export type {
  ApiSurface,
  ConfigChange,
  DeclaredBreak,
  MigrationFile,
  ReleaseArtifact,
} from '../core/artifact/artifact.js';
export { parseReleaseArtifact, parseReleaseArtifactText } from '../core/artifact/artifact.js';
export type { MigrationWeight } from '../core/artifact/changes.js';
export type { ArtifactFault, ArtifactOutcome } from '../core/artifact/reconcile.js';
export type { Verdict } from '../core/field-schemas.js';
export { auditIndex, auditIndexText, type IndexAudit } from '../core/index/index-faults.js';
export type { IndexEntry } from '../core/index/index-schema.js';
export type { ReleaseSafetyIndex } from '../core/index/release-safety-index.js';
export {
  type ReconciledField,
  type ReleaseStatus,
  type ReleaseStatus as Standing,
  releaseStatuses,
  releaseStatuses as standings,
} from '../core/kinds.js';
export {
  type InputErrorCode as ReleaseSafetyErrorCode,
  LightspanError as ReleaseSafetyError,
} from '../core/lightspan-error.js';
export type {
  ArtifactDisagreement,
  ArtifactStatus,
  FoldedConfigChanges,
  GreenSpan,
  IndexFault,
  IndexSummary,
  LandingReason,
  ListedChange,
  MissingRange,
  NetConfigChange,
  Reason,
  ReconciledSpanResult,
  ReportedConfig,
  ReportedRelease,
  Route,
  RouteBlock,
  RouteHop,
  SpanApiChanges,
  SpanMigration,
  SpanMigrations,
  SpanResult,
  Strategy,
  UpgradeReport,
  VariableDefault,
} from '../core/results.js';
export { parseSpan, type ReasonKind, strategyFor } from '../core/span.js';
export { parseRouteTarget, parseVersion, type RouteTarget, type Version } from '../core/version.js';
export { builtInKnownIssues } from '../known-issues/built-in.js';
export type { KnownIssue, KnownIssueSet } from '../known-issues/records.js';
export { parseKnownIssues } from '../known-issues/records.js';
export * from './client.js';
export * from './judge.js';
export {
  buildReport,
  compareVersions,
  evaluateSpan,
  foldConfigChanges,
  type KnownIssueRequest,
  parseReleaseSafetyIndex,
  parseReleaseSafetyIndexText,
  planRoute,
  type ReleasedConfigChange,
  type ReportRequest,
  type RouteRequest,
  reconcileSpan,
  releasesToVerify,
  type Span,
  summarizeIndex,
  withKnownIssues,
} from './library.js';
export * from './merge.js';
