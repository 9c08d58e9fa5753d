/**
 * lightspan as a library: the pure core, which reads the release-safety index and evaluates spans of it, and a client
 * of the Lightdash API. Only the methods of a client make requests.
 */

export { LightspanError } from './errors.js';
export { builtInKnownIssues } from './known-issues/built-in.js';
export { type KnownIssueRequest, withKnownIssues } from './known-issues/library.js';
export { parseKnownIssues } from './known-issues/parse-records.js';
export type { KnownIssue, KnownIssueSet } from './known-issues/record-schema.js';
export {
  buildReport,
  compareVersions,
  evaluateSpan,
  foldConfigChanges,
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
} from './library.js';
export { type ClientOptions, createClient, type LightdashClient } from './lightdash-api/client.js';
export type {
  CompiledQueryResponse,
  OrgUsersResponse,
  SavedChartResponse,
} from './lightdash-api/endpoints.js';
export type {
  CatalogMetric,
  MetricsCatalogRequest,
  MetricsCatalogResponse,
} from './lightdash-api/metrics-catalog.js';
export type {
  Clock,
  FailedQuery,
  QueryPage,
  QueryState,
  ResultCell,
  ResultRow,
} from './lightdash-api/query-results.js';
export type { ParameterValue } from './merge-query/identifiers.js';
export {
  type MergeQueryError,
  type MergeQueryErrorKind,
  mergeQueryErrorKinds,
} from './merge-query/merge-error.js';
export type { AdditionalMetric, MetricQuery, SortField } from './merge-query/metric-query.js';
export { parseErrorPayload, parseMergeRequest, parseMergeResponse } from './merge-query/parse.js';
export type { MetricQueryResults, QueryWarning } from './merge-query/query-results.js';
export type {
  ChartConfig,
  MergeJoinKeyPart,
  MergeQuery,
  MergeQueryChart,
  MergeQueryExecutionMode,
  MergeQuerySource,
  MergeRequest,
  MergeTableCalculation,
  MetricSource,
  QueryExecutionContext,
  ResultSource,
} from './merge-query/request.js';
export type {
  ErrorPayload,
  FieldOrigin,
  MergeResponse,
  RefusedMerge,
  StartedMerge,
} from './merge-query/response.js';
export { type BrokenRule, checkMergeRules, type MergeRule } from './merge-query/rules.js';
export type { ListedChange, SpanApiChanges } from './release-safety/api-changes.js';
export type {
  ApiSurface,
  ConfigChange,
  DeclaredBreak,
  MigrationFile,
  ReleaseArtifact,
} from './release-safety/artifact-schema.js';
export type {
  FoldedConfigChanges,
  NetConfigChange,
  VariableDefault,
} from './release-safety/config-changes.js';
export { type Strategy, strategyFor } from './release-safety/deployment.js';
export { ReleaseSafetyError, type ReleaseSafetyErrorCode } from './release-safety/errors.js';
export {
  auditIndex,
  auditIndexText,
  type IndexAudit,
  type IndexFault,
} from './release-safety/index-faults.js';
export type { IndexEntry, Verdict } from './release-safety/index-schema.js';
export type { GreenSpan, IndexSummary } from './release-safety/index-summary.js';
export {
  type ReleaseStatus,
  type ReleaseStatus as Standing,
  releaseStatuses,
  releaseStatuses as standings,
} from './release-safety/kinds.js';
export { parseReleaseArtifact, parseReleaseArtifactText } from './release-safety/parse-artifact.js';
export type { ReleaseSafetyIndex } from './release-safety/parse-index.js';
export type {
  ArtifactDisagreement,
  ArtifactFault,
  ArtifactOutcome,
  ReconciledField,
  ReconciledSpanResult,
} from './release-safety/reconcile.js';
export type {
  ArtifactStatus,
  ReportedConfig,
  ReportedRelease,
  UpgradeReport,
} from './release-safety/report.js';
export type { LandingReason, Route, RouteBlock, RouteHop } from './release-safety/route.js';
export { parseRouteTarget, type RouteTarget } from './release-safety/route-target.js';
export {
  type MissingRange,
  parseSpan,
  type Reason,
  type ReasonKind,
  type SpanResult,
} from './release-safety/span.js';
export type { MigrationWeight, SpanMigration, SpanMigrations } from './release-safety/span-migrations.js';
export { parseVersion, type Version } from './release-safety/version.js';
export { type Exact, type ExactNumber, isExactNumber, stringifyExactJson } from './shared/exact-json.js';
export type { Parsed } from './shared/parse-with.js';
export { formatPath, type SchemaProblem } from './shared/schema-problem.js';
