/**
 * lightspan as a library: the pure core, which reads the release-safety index and evaluates spans of it, and a client
 * of the Lightdash API. Only the methods of a client make requests.
 */

export type {
  CatalogMetric,
  CompiledQueryResponse,
  MetricsCatalogRequest,
  MetricsCatalogResponse,
  OrgUsersResponse,
  SavedChartResponse,
} from '../api/client.js';
export { createClient, type LightdashClient } from '../api/client.js';
export type {
  FailedQuery,
  QueryPage,
  QueryState,
  ResultCell,
  ResultRow,
} from '../api/query-results.js';
export type { ClientOptions, Clock } from '../api/send.js';
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
export { ReleaseSafetyError, type ReleaseSafetyErrorCode } from '../core/errors.js';
export type { Verdict } from '../core/field-schemas.js';
export { auditIndex, auditIndexText, type IndexAudit } from '../core/index/index-faults.js';
export type { IndexEntry } from '../core/index/index-schema.js';
export type { ReleaseSafetyIndex } from '../core/index/release-safety-index.js';
export { type Exact, type ExactNumber, isExactNumber, stringifyExactJson } from '../core/json/exact-json.js';
export type { Parsed } from '../core/json/parse-with.js';
export { formatPath, type SchemaProblem } from '../core/json/schema-problem.js';
export {
  type ReconciledField,
  type ReleaseStatus,
  type ReleaseStatus as Standing,
  releaseStatuses,
  releaseStatuses as standings,
} from '../core/kinds.js';
export { LightspanError } from '../core/lightspan-error.js';
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
export type {
  AdditionalMetric,
  ChartConfig,
  MergeJoinKeyPart,
  MergeQuery,
  MergeQueryChart,
  MergeQueryExecutionMode,
  MergeQuerySource,
  MergeRequest,
  MergeTableCalculation,
  MetricQuery,
  MetricSource,
  ParameterValue,
  QueryExecutionContext,
  ResultSource,
  SortField,
} from '../merge/request.js';
export { parseMergeRequest } from '../merge/request.js';
export type {
  ErrorPayload,
  FieldOrigin,
  MergeQueryError,
  MergeQueryErrorKind,
  MergeResponse,
  MetricQueryResults,
  QueryWarning,
  RefusedMerge,
  StartedMerge,
} from '../merge/response.js';
export {
  mergeQueryErrorKinds,
  parseErrorPayload,
  parseMergeResponse,
} from '../merge/response.js';
export { type BrokenRule, checkMergeRules, type MergeRule } from '../merge/rules.js';
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
