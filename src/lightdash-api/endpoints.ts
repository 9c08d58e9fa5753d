import * as z from 'zod/mini';
import { LightspanError } from '../errors.js';
import { uuidSchema } from '../merge-query/request.js';
import { echoedMetricQuerySchema, type MergeResponse, mergeResponseSchema } from '../merge-query/response.js';
import type { Exact } from '../shared/exact-json.js';
import { isRecord } from '../shared/is-record.js';
import { pathSegment, requireUuid } from './base-url.js';
import { type Page, readAllPages, readPagination, requireConsistentPage } from './pages.js';
import { type ApiRequest, okEnvelope, parseResponse, type Send } from './send.js';

export const compiledQuerySchema = okEnvelope(z.looseObject({ query: z.string() }));

/** The answer of `compileQuery`: `results.query` is the SQL. */
export type CompiledQueryResponse = Exact<z.infer<typeof compiledQuerySchema>>;

export interface CompileQueryRequest {
  readonly projectUuid: string;
  readonly exploreName: string;
  /** Sent unchanged: the server checks it. */
  readonly metricQuery: Readonly<Record<string, unknown>>;
  /** The JSON that it was read from, to send it byte for byte. */
  readonly metricQueryText?: string | undefined;
}

/** `POST /api/v1/projects/{projectUuid}/explores/{exploreName}/compileQuery`: `results.query` is the SQL. */
export async function compileQuery(
  send: Send,
  { projectUuid, exploreName, metricQuery, metricQueryText }: CompileQueryRequest,
): Promise<CompiledQueryResponse> {
  const project = requireUuid(projectUuid, 'project');
  const explore = pathSegment(exploreName, 'explore');
  const path = `/api/v1/projects/${project}/explores/${explore}/compileQuery`;
  return parseResponse(
    compiledQuerySchema,
    await send({ method: 'POST', path, body: metricQuery, bodyText: metricQueryText }),
  );
}

export interface ComposeMergeRequest {
  readonly projectUuid: string;
  /** The request body, sent unchanged. */
  readonly body: Readonly<Record<string, unknown>>;
}

/**
 * `POST /api/v2/projects/{projectUuid}/query/compose-merge-query`. Both outcomes, `started` and `refused`, are answers.
 *
 * @throws {LightspanError} `invalid-response`, whose `response` is `{ queryUuid }` if the answer contains one
 */
export async function submitMerge(send: Send, request: ComposeMergeRequest): Promise<Exact<MergeResponse>> {
  const answer = await send(composeMergeRequest(request));
  try {
    return parseResponse(mergeResponseSchema, answer);
  } catch (error) {
    if (!(error instanceof LightspanError)) throw error;
    const { code, message, hint } = error;
    const named = startedQuerySchema.safeParse(answer.payload);
    const response = named.success ? { queryUuid: named.data.results.query.queryUuid } : undefined;
    throw new LightspanError(code, message, { hint, response, mayHaveArrived: true });
  }
}

/** The minimum that an otherwise invalid answer must contain so that its query can be fetched. */
const startedQuerySchema = z.looseObject({
  results: z.looseObject({ query: z.looseObject({ queryUuid: uuidSchema }) }),
});

/** The request that `submitMerge` sends. */
export function composeMergeRequest({ projectUuid, body }: ComposeMergeRequest) {
  const project = requireUuid(projectUuid, 'project');
  const path = `/api/v2/projects/${project}/query/compose-merge-query`;
  return { method: 'POST', path, body } as const satisfies ApiRequest;
}

/** The contract does not show the shape of a user. */
export const orgUsersSchema = okEnvelope(z.unknown());

/** The answer of `listUsers`. The contract does not show the shape of `results`. */
export type OrgUsersResponse = Exact<z.infer<typeof orgUsersSchema>>;

/**
 * `GET /api/v1/org/users`: all users of the organization. An instance answers with the list, or with a page of it. If
 * it states the page or the total, the other pages are read too, and `results` is `{ data }` with all users.
 */
export async function listUsers(send: Send): Promise<OrgUsersResponse> {
  const read = async (query: ApiRequest['query'] = []) =>
    parseResponse(orgUsersSchema, await send({ method: 'GET', path: '/api/v1/org/users', query }));
  const first = await read();
  const { items, pagination } = usersIn(first);
  if (pagination === undefined || Object.values(pagination).every((told) => told === undefined)) return first;
  const { pageSize = items.length } = pagination;
  const data = await readAllPages('the list of users', async (page) =>
    page === 1
      ? { items, pagination }
      : usersIn(
          await read([
            ['page', String(page)],
            ['pageSize', String(pageSize)],
          ]),
        ),
  );
  return { status: 'ok', results: { data } };
}

function usersIn({ results }: OrgUsersResponse): Page<unknown> {
  const { data, pagination } = isRecord(results) ? results : {};
  return { items: Array.isArray(data) ? data : [], pagination: readPagination(pagination) };
}

/** The contract shows only `results.metricQuery` of a chart; the rest passes through. */
export const savedChartSchema = okEnvelope(
  z.looseObject({
    metricQuery: echoedMetricQuerySchema,
    name: z.optional(z.unknown()),
    description: z.optional(z.unknown()),
  }),
);

/** The answer of `getChart`: `results.metricQuery` is the query of the chart. */
export type SavedChartResponse = Exact<z.infer<typeof savedChartSchema>>;

/** `GET /api/v1/saved/{chartUuid}`. */
export async function getChart(send: Send, chartUuid: string): Promise<SavedChartResponse> {
  const path = `/api/v1/saved/${requireUuid(chartUuid, 'chart')}`;
  return parseResponse(savedChartSchema, await send({ method: 'GET', path }));
}

const catalogMetricSchema = z.looseObject({
  name: z.string(),
  label: z.string(),
  tags: z.array(z.string()),
  categories: z.optional(z.array(z.unknown())),
  tableName: z.string(),
  tableLabel: z.string(),
});

export const metricsCatalogSchema = okEnvelope(z.looseObject({ data: z.array(catalogMetricSchema) }));

/** One metric of the catalog. */
export type CatalogMetric = Exact<z.infer<typeof catalogMetricSchema>>;
/** The answer of `listMetrics`: one page, or with `listAllMetrics` all pages. */
export type MetricsCatalogResponse = Exact<z.infer<typeof metricsCatalogSchema>>;

/** The input of `listMetrics`. */
export interface MetricsCatalogRequest {
  readonly projectUuid: string;
  /** Lists metrics with any of these tags; without tags, all metrics. */
  readonly tags?: readonly string[] | undefined;
  /** The field to sort by, such as `label`. */
  readonly sort?: string | undefined;
  readonly order?: 'asc' | 'desc' | undefined;
  /** Counted from 1. */
  readonly page?: number | undefined;
  readonly pageSize?: number | undefined;
}

/** `GET /api/v2/projects/{projectUuid}/dataCatalog/metrics-with-time-dimensions`: one page. */
export async function listMetrics(
  send: Send,
  { projectUuid, tags = [], sort, order, page, pageSize }: MetricsCatalogRequest,
): Promise<MetricsCatalogResponse> {
  const project = requireUuid(projectUuid, 'project');
  const path = `/api/v2/projects/${project}/dataCatalog/metrics-with-time-dimensions`;
  const query: [string, string][] = [];
  if (page !== undefined) query.push(['page', String(page)]);
  if (pageSize !== undefined) query.push(['pageSize', String(pageSize)]);
  if (sort !== undefined) query.push(['sort', sort]);
  if (order !== undefined) query.push(['order', order]);
  for (const tag of tags) query.push(['tags', tag]);
  const response = parseResponse(metricsCatalogSchema, await send({ method: 'GET', path, query }));
  requireConsistentPage(catalog, page ?? 1, pageOf(response));
  return response;
}

const catalog = 'the metrics catalog';

function pageOf({ results }: MetricsCatalogResponse): Page<CatalogMetric> {
  return { items: results.data, pagination: readPagination(results.pagination) };
}

const pageSizeOfAll = 100;

/** Every page, as one answer; see `readAllPages`. */
export async function listAllMetrics(
  send: Send,
  request: Omit<MetricsCatalogRequest, 'page'>,
): Promise<MetricsCatalogResponse> {
  const { pageSize = pageSizeOfAll } = request;
  const data = await readAllPages(catalog, async (page) =>
    pageOf(await listMetrics(send, { ...request, pageSize, page })),
  );
  return { status: 'ok', results: { data } };
}
