import * as z from 'zod/mini';
import { echoedMetricQuerySchema } from '../merge-query/query-results.js';
import { okEnvelope, parseResponse } from './parse-response.js';
import { requireUuid } from './path.js';
import type { Send } from './send.js';

/** `results.metricQuery` is what the contract shows of a chart; the rest passes through. */
export const savedChartSchema = okEnvelope(
  z.looseObject({
    metricQuery: echoedMetricQuerySchema,
    name: z.optional(z.unknown()),
    description: z.optional(z.unknown()),
  }),
);

export type SavedChartResponse = z.infer<typeof savedChartSchema>;

/** `GET /api/v1/saved/{chartUuid}`. */
export async function getChart(send: Send, chartUuid: string): Promise<SavedChartResponse> {
  const path = `/api/v1/saved/${requireUuid(chartUuid, 'chart')}`;
  return parseResponse(savedChartSchema, await send({ method: 'GET', path }));
}
