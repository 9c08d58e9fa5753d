/**
 * Merge queries, `lightspan/merge`: their requests and responses, and the rules that need no server. It does no I/O.
 */

export { type Exact, type ExactNumber, isExactNumber, stringifyExactJson } from '../core/json/exact-json.js';
export type { Parsed } from '../core/json/parse-with.js';
export { formatPath, type SchemaProblem } from '../core/json/schema-problem.js';
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
