/**
 * A client of the Lightdash API, `lightspan/client`. Only the methods of a client make requests, with Node's `fetch` or
 * with the one it is given.
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
export { type ClientOptions, type Clock, type RequestDetails, requestOf } from '../api/send.js';
export { type Exact, type ExactNumber, isExactNumber, stringifyExactJson } from '../core/json/exact-json.js';
export { LightspanError } from '../core/lightspan-error.js';
export type { MergeRequest } from '../merge/request.js';
export type { MergeResponse } from '../merge/response.js';
