import * as z from 'zod/mini';
import { LightspanError } from '../errors.js';
import type { Exact } from '../shared/exact-json.js';
import { okEnvelope, parseResponse } from './parse-response.js';
import { requireUuid } from './path.js';
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

export type CatalogMetric = Exact<z.infer<typeof catalogMetricSchema>>;
export type MetricsCatalogResponse = Exact<z.infer<typeof metricsCatalogSchema>>;

export interface MetricsCatalogRequest {
  readonly projectUuid: string;
  /** A metric that has any of them is listed; none lists all. */
  readonly tags?: readonly string[] | undefined;
  /** The field to sort by, such as `label`. */
  readonly sort?: string | undefined;
  readonly order?: 'asc' | 'desc' | undefined;
  /** Counted from 1. */
  readonly page?: number | undefined;
  readonly pageSize?: number | undefined;
}

/** `GET /api/v2/projects/{projectUuid}/dataCatalog/metrics-with-time-dimensions`: one page of it. */
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
  return parseResponse(metricsCatalogSchema, await send({ method: 'GET', path, query }));
}

/** More pages than any catalog has: a server that never ends its list is not followed for ever. */
const mostPages = 1000;
const pageSizeOfAll = 100;

/**
 * Every page, as one answer. How many there are is not shown in the contract, so a page ends the list that is empty,
 * that is shorter than the first, or that is the first again (a server that does not page). A first page shorter than
 * was asked for does not: the server may allow no longer one.
 */
export async function listAllMetrics(
  send: Send,
  request: Omit<MetricsCatalogRequest, 'page'>,
): Promise<MetricsCatalogResponse> {
  const readPage = (page: number) =>
    listMetrics(send, { ...request, pageSize: request.pageSize ?? pageSizeOfAll, page });
  const first = await readPage(1);
  const firstPage = first.results.data;
  const data = [...firstPage];
  for (let page = 2; firstPage.length > 0; page += 1) {
    if (page > mostPages) {
      throw new LightspanError('invalid-response', `the metrics catalog has more than ${mostPages} pages`);
    }
    const { results } = await readPage(page);
    if (results.data.length === 0 || JSON.stringify(results.data) === JSON.stringify(firstPage)) break;
    data.push(...results.data);
    if (results.data.length < firstPage.length) break;
  }
  return { ...first, results: { data } };
}
