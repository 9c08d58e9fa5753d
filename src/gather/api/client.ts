import * as z from 'zod/mini';
import type { Exact } from '../../core/json/exact-json.js';
import { isRecord } from '../../core/json/is-record.js';
import { LightspanError } from '../../core/lightspan-error.js';
import { type MergeRequest, uuidSchema } from '../../merge/request.js';
import { echoedMetricQuerySchema, type MergeResponse, mergeResponseSchema } from '../../merge/response.js';
import { requestDetails } from '../http/request-details.js';
import { pathSegment, requireUuid } from './base-url.js';
import { readAllPages } from './pages.js';
import { followQuery } from './query-results.js';
import {
  type ApiRequest,
  type ClientOptions,
  type Clock,
  createSend,
  okEnvelope,
  parseResponse,
  type Send,
} from './send.js';

export const compiledQuerySchema = okEnvelope(z.looseObject({ query: z.string() }));

/** The answer of `compileQuery`: `results.query` is the SQL. */
export type CompiledQueryResponse = Exact<z.infer<typeof compiledQuerySchema>>;

export const orgUsersSchema = okEnvelope(z.unknown());

/** The answer of `listUsers`. The contract does not show the shape of `results`. */
export type OrgUsersResponse = Exact<z.infer<typeof orgUsersSchema>>;

/** The contract shows only `results.metricQuery` of a chart; the rest passes through. */
export const savedChartSchema = okEnvelope(
  z.looseObject({
    metricQuery: echoedMetricQuerySchema,
    name: z.optional(z.unknown()),
    description: z.optional(z.unknown()),
  }),
);

/** The answer of `getChart`: `results.metricQuery` is what can be merged (contract, saved charts). */
export type SavedChartResponse = Exact<z.infer<typeof savedChartSchema>>;

/** A chart's query that was started: as much of the answer as following it needs. */
const startedChartSchema = okEnvelope(
  z.looseObject({
    queryUuid: uuidSchema,
    cacheMetadata: z.optional(z.looseObject({ cacheHit: z.optional(z.boolean()) })),
  }),
);

const catalogMetricSchema = z.looseObject({
  name: z.string(),
  label: z.string(),
  tags: z.array(z.string()),
  categories: z.optional(z.array(z.unknown())),
  tableName: z.string(),
  tableLabel: z.string(),
});

export const metricsCatalogSchema = okEnvelope(z.looseObject({ data: z.array(catalogMetricSchema) }));

/** One metric of the catalog: its name, its table and its tags. */
export type CatalogMetric = Exact<z.infer<typeof catalogMetricSchema>>;
/** The answer of `listMetrics`: one page, or with `listAllMetrics` all pages. */
export type MetricsCatalogResponse = Exact<z.infer<typeof metricsCatalogSchema>>;

/** What `listMetrics` and `listAllMetrics` ask the catalog for. */
export interface MetricsCatalogRequest {
  /** Lists metrics with any of these tags; without tags, all metrics. */
  readonly tags?: readonly string[] | undefined;
  readonly sort?: string | undefined;
  readonly order?: 'asc' | 'desc' | undefined;
  /** Counted from 1. */
  readonly page?: number | undefined;
  readonly pageSize?: number | undefined;
}

/**
 * The requests to an instance. Every method throws a `LightspanError`: `usage` before anything is sent, `network`,
 * `timeout`, `http-status` or `api-error` if there is no answer, `invalid-response` if the answer does not match the
 * contract, with the path at fault.
 */
export type LightdashClient = ReturnType<typeof createClient>;

/**
 * A client for one instance and, if `project` is given, for one of its projects.
 *
 * @throws {LightspanError} `usage` if an option is malformed
 */
export function createClient(options: ClientOptions) {
  const send = createSend(options);
  const project = options.project === undefined ? undefined : requireUuid(options.project, 'project');
  const connection: Connection = {
    send,
    clock: options.clock ?? systemClock,
    ofProject: () => {
      if (project !== undefined) return project;
      throw new LightspanError('usage', 'no project is given, but this request needs one');
    },
    ask: async (schema, request) => parseResponse(schema, await send(request)),
  };
  return {
    ...mergeRequests(connection),
    ...queryRequests(connection),
    ...catalogRequests(connection),
    ...organizationRequests(connection),
  };
}

/** What every request is made with. */
interface Connection {
  readonly send: Send;
  readonly clock: Clock;
  /** The UUID of the project, of a client that has one. */
  readonly ofProject: () => string;
  /** Sends a request and reads its answer by a schema. */
  readonly ask: <T>(schema: z.ZodMiniType<T>, request: ApiRequest) => Promise<Exact<T>>;
}

function mergeRequests({ send, ofProject }: Connection) {
  return {
    /** Both outcomes, `started` and `refused`, are answers. Never retried once it may have been received. */
    submitMerge: async (
      body: MergeRequest | Readonly<Record<string, unknown>>,
    ): Promise<Exact<MergeResponse>> => {
      const answer = await send(composeMergeRequest(ofProject(), body));
      try {
        return parseResponse(mergeResponseSchema, answer);
      } catch (error) {
        if (!(error instanceof LightspanError)) throw error;
        const { code, message, hint } = error;
        const named = startedQuerySchema.safeParse(answer.payload);
        const response = named.success ? { queryUuid: named.data.results.query.queryUuid } : undefined;
        const details = requestDetails({ mayHaveArrived: true });
        throw new LightspanError(code, message, { hint, response, details });
      }
    },
  };
}

function queryRequests({ send, clock, ofProject, ask }: Connection) {
  return {
    /**
     * Every state of a query until its end, and then its pages; see `followQuery`.
     *
     * @param windowMs the maximum wait for its first page, in milliseconds
     * @param pageSize rows per request; default: 500
     */
    followQuery: (
      queryUuid: string,
      { windowMs, pageSize }: { readonly windowMs: number; readonly pageSize?: number | undefined },
    ) => followQuery(send, { projectUuid: ofProject(), queryUuid, windowMs, pageSize }, clock),

    /** A saved chart, with the query that it runs. */
    getChart: async (chartUuid: string): Promise<SavedChartResponse> =>
      ask(savedChartSchema, { method: 'GET', path: `/api/v1/saved/${requireUuid(chartUuid, 'chart')}` }),

    /**
     * Runs a saved chart as it is saved. Cached results are bypassed.
     *
     * @returns the query, for `followQuery`, and whether its rows come from the cache all the same, if the answer
     *   says so
     */
    runChart: async (chartUuid: string) => {
      const body = { chartUuid: requireUuid(chartUuid, 'chart'), invalidateCache: true, context: 'cli' };
      const path = `/api/v2/projects/${ofProject()}/query/chart`;
      const { queryUuid, cacheMetadata } = (await ask(startedChartSchema, { method: 'POST', path, body }))
        .results;
      return { queryUuid, cacheHit: cacheMetadata?.cacheHit };
    },

    /**
     * The SQL of a metric query.
     *
     * @param metricQuery sent unchanged: the server checks it
     * @param exploreName default: the explore of the query
     */
    compileQuery: async (
      metricQuery: Readonly<Record<string, unknown>>,
      exploreName?: string,
    ): Promise<CompiledQueryResponse> => {
      const explore = exploreName ?? metricQuery.exploreName;
      if (typeof explore !== 'string') {
        throw new LightspanError('usage', 'the metric query names no explore (exploreName)', {
          hint: 'Name one with --explore <name>.',
        });
      }
      const path = `/api/v1/projects/${ofProject()}/explores/${pathSegment(explore, 'explore')}/compileQuery`;
      return ask(compiledQuerySchema, { method: 'POST', path, body: metricQuery });
    },
  };
}

function catalogRequests({ ofProject, ask }: Connection) {
  /** One page of the metrics of a project. */
  const listMetrics = async ({
    tags = [],
    page,
    pageSize,
    sort,
    order,
  }: MetricsCatalogRequest = {}): Promise<MetricsCatalogResponse> => {
    const path = `/api/v2/projects/${ofProject()}/dataCatalog/metrics-with-time-dimensions`;
    const query = Object.entries({ page, pageSize, sort, order })
      .concat(tags.map((tag) => ['tags', tag]))
      .flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)] as const]));
    return ask(metricsCatalogSchema, { method: 'GET', path, query });
  };

  return {
    listMetrics,

    /** Every page, as one answer. */
    listAllMetrics: async ({
      pageSize = 100,
      ...request
    }: Omit<MetricsCatalogRequest, 'page'> = {}): Promise<MetricsCatalogResponse> => {
      const data = await readAllPages('the metrics catalog', async (page) => {
        return (await listMetrics({ ...request, pageSize, page })).results.data;
      });
      return { status: 'ok', results: { data } };
    },
  };
}

function organizationRequests({ ask }: Connection) {
  return {
    /**
     * All users of the organization. An instance answers with the list, or with a page of it. If it says that it is a
     * page, the others are read too, and `results` is `{ data }` with all users.
     */
    listUsers: async (): Promise<OrgUsersResponse> => {
      const read = (query: ApiRequest['query'] = []) =>
        ask(orgUsersSchema, { method: 'GET', path: '/api/v1/org/users', query });
      const response = await read();
      if (!isRecord(response.results) || !isRecord(response.results.pagination)) return response;
      const data = await readAllPages('the list of users', async (page) => {
        const { results } = page === 1 ? response : await read([['page', String(page)]]);
        return isRecord(results) && Array.isArray(results.data) ? results.data : [];
      });
      return { status: 'ok', results: { data } };
    },
  };
}

/** The request that `submitMerge` sends; the body is sent unchanged. */
export function composeMergeRequest(projectUuid: string, body: Readonly<Record<string, unknown>>) {
  const path = `/api/v2/projects/${projectUuid}/query/compose-merge-query`;
  return { method: 'POST', path, body } as const satisfies ApiRequest;
}

/** The minimum that an otherwise invalid answer must contain so that its query can be fetched. */
const startedQuerySchema = z.looseObject({
  results: z.looseObject({ query: z.looseObject({ queryUuid: uuidSchema }) }),
});

const systemClock: Clock = {
  now: () => performance.now(),
  sleep: (ms) => new Promise((done) => setTimeout(done, ms)),
};
