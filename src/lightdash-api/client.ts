import { LightspanError } from '../errors.js';
import type { MergeRequest } from '../merge-query/request.js';
import type { MergeResponse } from '../merge-query/response.js';
import type { Exact } from '../shared/exact-json.js';
import { type AuthScheme, parseBaseUrl, requireHeaderText, requireUuid } from './base-url.js';
import {
  type CompiledQueryResponse,
  compileQuery,
  getChart,
  listAllMetrics,
  listMetrics,
  listUsers,
  type MetricsCatalogRequest,
  type MetricsCatalogResponse,
  type OrgUsersResponse,
  type SavedChartResponse,
  submitMerge,
} from './endpoints.js';
import { type Clock, followQuery, type QueryState } from './query-results.js';
import { createSend } from './send.js';

/** The input of `createClient`. */
export interface ClientOptions {
  /** The address of the instance, an origin such as `https://lightdash.example.com`. */
  readonly url: string | URL;
  /** A personal access token. */
  readonly token: string;
  /** How the token is sent. Default: `ApiKey`. */
  readonly scheme?: AuthScheme | undefined;
  /** UUID of the project; requests that are not about a project do not need it. */
  readonly project?: string | undefined;
  /** The value of the `Proxy-Authorization` header, for a proxy in front of the instance. */
  readonly proxyAuthorization?: string | undefined;
  /** Plain http beyond loopback is refused unless this is true. */
  readonly allowHttp?: boolean | undefined;
  /** The time limit of one request including its retries, in milliseconds. Default: 30,000. */
  readonly timeoutMs?: number | undefined;
  readonly userAgent?: string | undefined;
  /** For `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY`; usually `process.env`. Without it, no proxy is used. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  readonly fetch?: typeof fetch | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly clock?: Clock | undefined;
}

/**
 * The requests to an instance. Every method throws a `LightspanError`: `usage` before anything is sent, `network`,
 * `timeout`, `http-status` or `api-error` if there is no answer, `invalid-response` if the answer does not match the
 * contract, with the path at fault.
 */
export interface LightdashClient {
  /** Both outcomes, `started` and `refused`, are answers. Never retried once it may have been received. */
  readonly submitMerge: (
    request: MergeRequest | Readonly<Record<string, unknown>>,
  ) => Promise<Exact<MergeResponse>>;
  /**
   * Every state of a query until its end, and then its pages; see `followQuery`.
   *
   * @param windowMs the maximum wait for its first page, in milliseconds
   * @param pageSize rows per request; default: 500
   */
  readonly followQuery: (
    queryUuid: string,
    options: { readonly windowMs: number; readonly pageSize?: number | undefined },
  ) => AsyncGenerator<QueryState>;
  readonly getChart: (chartUuid: string) => Promise<SavedChartResponse>;
  /**
   * @param exploreName default: the explore of the query
   * @param text the JSON that the query was read from, to send it byte for byte
   */
  readonly compileQuery: (
    metricQuery: Readonly<Record<string, unknown>>,
    exploreName?: string,
    text?: string,
  ) => Promise<CompiledQueryResponse>;
  readonly listMetrics: (
    request?: Omit<MetricsCatalogRequest, 'projectUuid'>,
  ) => Promise<MetricsCatalogResponse>;
  readonly listAllMetrics: (
    request?: Omit<MetricsCatalogRequest, 'projectUuid' | 'page'>,
  ) => Promise<MetricsCatalogResponse>;
  readonly listUsers: () => Promise<OrgUsersResponse>;
}

/**
 * A client for one instance and, if `project` is given, for one of its projects.
 *
 * @throws {LightspanError} `usage` if an option is malformed
 */
export function createClient(options: ClientOptions): LightdashClient {
  const { allowHttp = false, clock = systemClock } = options;
  const send = createSend({
    url: parseBaseUrl(String(options.url), { allowHttp }),
    token: requireHeaderText(options.token, 'token'),
    scheme: options.scheme ?? 'ApiKey',
    proxyAuthorization:
      options.proxyAuthorization === undefined
        ? undefined
        : requireHeaderText(options.proxyAuthorization, 'proxy authorization'),
    allowHttp,
    timeoutMs: options.timeoutMs ?? 30_000,
    userAgent: options.userAgent ?? 'lightspan',
    env: options.env ?? {},
    fetch: options.fetch,
    signal: options.signal,
  });
  const project = options.project === undefined ? undefined : requireUuid(options.project, 'project');
  const projectUuid = () => {
    if (project !== undefined) return project;
    throw new LightspanError('usage', 'no project is given, but this request needs one');
  };

  return {
    submitMerge: async (body) => submitMerge(send, { projectUuid: projectUuid(), body }),
    followQuery: (queryUuid, { windowMs, pageSize }) =>
      followQuery(send, { projectUuid: projectUuid(), queryUuid, windowMs, pageSize }, clock),
    getChart: async (chartUuid) => getChart(send, chartUuid),
    compileQuery: async (metricQuery, exploreName, text) =>
      compileQuery(send, {
        projectUuid: projectUuid(),
        exploreName: exploreName ?? exploreNameOf(metricQuery),
        metricQuery,
        metricQueryText: text,
      }),
    listMetrics: async (request) => listMetrics(send, { ...request, projectUuid: projectUuid() }),
    listAllMetrics: async (request) => listAllMetrics(send, { ...request, projectUuid: projectUuid() }),
    listUsers: async () => listUsers(send),
  };
}

function exploreNameOf({ exploreName }: Readonly<Record<string, unknown>>): string {
  if (typeof exploreName === 'string') return exploreName;
  throw new LightspanError('usage', 'the metric query names no explore (exploreName)', {
    hint: 'Name one with --explore <name>.',
  });
}

const systemClock: Clock = {
  now: () => performance.now(),
  sleep: (ms) => new Promise((done) => setTimeout(done, ms)),
};
