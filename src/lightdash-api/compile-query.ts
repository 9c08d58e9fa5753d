import * as z from 'zod/mini';
import { okEnvelope, parseResponse } from './parse-response.js';
import { pathSegment, requireUuid } from './path.js';
import type { Send } from './send.js';

export const compiledQuerySchema = okEnvelope(z.looseObject({ query: z.string() }));

export type CompiledQueryResponse = z.infer<typeof compiledQuerySchema>;

export interface CompileQueryRequest {
  readonly projectUuid: string;
  readonly exploreName: string;
  /** Sent as it is: the server judges it. */
  readonly metricQuery: Readonly<Record<string, unknown>>;
}

/** `POST /api/v1/projects/{projectUuid}/explores/{exploreName}/compileQuery`: `results.query` is the SQL. */
export async function compileQuery(
  send: Send,
  { projectUuid, exploreName, metricQuery }: CompileQueryRequest,
): Promise<CompiledQueryResponse> {
  const project = requireUuid(projectUuid, 'project');
  const explore = pathSegment(exploreName, 'explore');
  const path = `/api/v1/projects/${project}/explores/${explore}/compileQuery`;
  return parseResponse(compiledQuerySchema, await send({ method: 'POST', path, body: metricQuery }));
}
