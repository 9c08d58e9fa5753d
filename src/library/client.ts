/**
 * A client of the Lightdash API, `lightspan/client`. Only the methods of a client make requests, with Node's `fetch` or
 * with the one it is given.
 */

import { createClient as createClientIn, type LightdashClient } from '../gather/api/client.js';
import type { ClientOptions } from '../gather/api/send.js';

export { type Exact, type ExactNumber, isExactNumber, stringifyExactJson } from '../core/json/exact-json.js';
export { LightspanError } from '../core/lightspan-error.js';
export type {
  CatalogMetric,
  CompiledQueryResponse,
  LightdashClient,
  MetricsCatalogRequest,
  MetricsCatalogResponse,
  OrgUsersResponse,
  SavedChartResponse,
} from '../gather/api/client.js';
export type {
  FailedQuery,
  QueryPage,
  QueryState,
  ResultCell,
  ResultRow,
} from '../gather/api/query-results.js';
export { type ClientOptions, type Clock, type RequestDetails, requestOf } from '../gather/api/send.js';
export type { MergeRequest } from '../merge/request.js';
export type { MergeResponse } from '../merge/response.js';

/**
 * A client for one instance and, if `project` is given, for one of its projects.
 *
 * @throws {LightspanError} `usage` if an option is malformed
 */
export function createClient(options: ClientOptions): LightdashClient {
  // Node reads this one from its own process, whatever environment was received.
  const { NODE_TLS_REJECT_UNAUTHORIZED = options.env?.NODE_TLS_REJECT_UNAUTHORIZED } = process.env;
  return createClientIn({ ...options, env: { ...options.env, NODE_TLS_REJECT_UNAUTHORIZED } });
}
