import * as z from 'zod/mini';
import type { Exact } from '../shared/exact-json.js';
import { requireUuid } from './base-url.js';
import { type Page, readAllPages, readPagination, requireConsistentPage } from './pages.js';
import { okEnvelope, parseResponse } from './parse-response.js';
import type { Send } from './send.js';

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
