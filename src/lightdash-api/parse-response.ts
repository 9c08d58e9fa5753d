import * as z from 'zod/mini';
import { LightspanError } from '../errors.js';
import type { Exact } from '../shared/exact-json.js';
import { parseExactly } from '../shared/parse-with.js';
import { formatPath } from '../shared/schema-problem.js';
import type { Answer } from './send.js';

/** The success envelope of the contract. Unknown additions are ignored. */
export function okEnvelope<T extends z.ZodMiniType>(results: T) {
  return z.looseObject({ status: z.literal('ok'), results });
}

/**
 * The payload of a 200 by its schema, every number as the server wrote it.
 *
 * @param answer the result of `Send`
 * @throws {LightspanError} `invalid-response`, with the path at fault
 */
export function parseResponse<T>(schema: z.ZodMiniType<T>, { request, payload }: Answer): Exact<T> {
  const parsed = parseExactly(schema, payload);
  if (parsed.ok) return parsed.value;
  const [first, ...others] = parsed.problems.map(
    ({ path, message }) => `${formatPath(path) || 'the whole of it'}: ${message}`,
  );
  const more = others.length === 0 ? '' : ` (and ${others.length} more)`;
  throw new LightspanError(
    'invalid-response',
    `${request}: the answer does not match the contract: ${first}${more}`,
    {
      hint: 'The instance may speak an API newer or older than the one lightspan knows (2.202.0).',
    },
  );
}
