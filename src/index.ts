/**
 * lightspan as a library: the pure core, which reads the release-safety index and evaluates spans of it, and a client
 * of the Lightdash API. Only the methods of a client make requests.
 */

export { LightspanError } from './errors.js';
export { builtInKnownIssues } from './known-issues/built-in.js';
export type { KnownIssue, KnownIssueSet } from './known-issues/records.js';
export { parseKnownIssues } from './known-issues/records.js';
export * from './library.js';
export type {
  CatalogMetric,
  CompiledQueryResponse,
  MetricsCatalogRequest,
  MetricsCatalogResponse,
  OrgUsersResponse,
  SavedChartResponse,
} from './lightdash-api/client.js';
export { createClient, type LightdashClient } from './lightdash-api/client.js';
export type {
  FailedQuery,
  QueryPage,
  QueryState,
  ResultCell,
  ResultRow,
} from './lightdash-api/query-results.js';
export type { ClientOptions, Clock } from './lightdash-api/send.js';
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
} from './merge-query/request.js';
export { parseMergeRequest } from './merge-query/request.js';
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
} from './merge-query/response.js';
export {
  mergeQueryErrorKinds,
  parseErrorPayload,
  parseMergeResponse,
} from './merge-query/response.js';
export { type BrokenRule, checkMergeRules, type MergeRule } from './merge-query/rules.js';
export type {
  ApiSurface,
  ConfigChange,
  DeclaredBreak,
  MigrationFile,
  ReleaseArtifact,
} from './release-safety/artifact.js';
export { parseReleaseArtifact, parseReleaseArtifactText } from './release-safety/artifact.js';
export type { MigrationWeight } from './release-safety/changes.js';
export { ReleaseSafetyError, type ReleaseSafetyErrorCode } from './release-safety/errors.js';
export type { Verdict } from './release-safety/field-schemas.js';
export { auditIndex, auditIndexText, type IndexAudit } from './release-safety/index-faults.js';
export type { IndexEntry } from './release-safety/index-schema.js';
export {
  type ReconciledField,
  type ReleaseStatus,
  type ReleaseStatus as Standing,
  releaseStatuses,
  releaseStatuses as standings,
} from './release-safety/kinds.js';
export type { ArtifactFault, ArtifactOutcome } from './release-safety/reconcile.js';
export type { ReleaseSafetyIndex } from './release-safety/release-safety-index.js';
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
} from './release-safety/results.js';
export { parseSpan, type ReasonKind, strategyFor } from './release-safety/span.js';
export { parseRouteTarget, parseVersion, type RouteTarget, type Version } from './release-safety/version.js';
export { type Exact, type ExactNumber, isExactNumber, stringifyExactJson } from './shared/exact-json.js';
export type { Parsed } from './shared/parse-with.js';
export { formatPath, type SchemaProblem } from './shared/schema-problem.js';
