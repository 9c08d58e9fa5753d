import { type MergeResponse, mergeResponseSchema } from '../merge-query/response.js';
import { parseResponse } from './parse-response.js';
import { requireUuid } from './path.js';
import type { ApiRequest, Send } from './send.js';

export interface ComposeMergeRequest {
  readonly projectUuid: string;
  /** The request body, sent as it is. */
  readonly body: Readonly<Record<string, unknown>>;
}

/**
 * `POST /api/v2/projects/{projectUuid}/query/compose-merge-query`. Both outcomes, `started` and `refused`, are answers.
 */
export async function submitMerge(send: Send, request: ComposeMergeRequest): Promise<MergeResponse> {
  return parseResponse(mergeResponseSchema, await send(composeMergeRequest(request)));
}

/** The request that `submitMerge` sends. */
export function composeMergeRequest({ projectUuid, body }: ComposeMergeRequest) {
  const project = requireUuid(projectUuid, 'project');
  const path = `/api/v2/projects/${project}/query/compose-merge-query`;
  return { method: 'POST', path, body } as const satisfies ApiRequest;
}
