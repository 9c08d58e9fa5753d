import { type Parsed, parseWith } from '../shared/parse-with.js';
import { type MergeRequest, mergeRequestSchema } from './request.js';
import {
  type ErrorPayload,
  errorPayloadSchema,
  type MergeResponse,
  mergeResponseSchema,
} from './response.js';

/**
 * Reads the parsed JSON of a compose merge request, strictly: a key that the contract does not know is a problem.
 * `checkMergeRules` checks the merge itself.
 */
export function parseMergeRequest(json: unknown): Parsed<MergeRequest> {
  return parseWith(mergeRequestSchema, json);
}

/** Reads the parsed JSON of a 200 response to a compose merge query. Unknown additions pass, contradictions do not. */
export function parseMergeResponse(json: unknown): Parsed<MergeResponse> {
  return parseWith(mergeResponseSchema, json);
}

/** Reads the parsed JSON of any response that is not a success. */
export function parseErrorPayload(json: unknown): Parsed<ErrorPayload> {
  return parseWith(errorPayloadSchema, json);
}
