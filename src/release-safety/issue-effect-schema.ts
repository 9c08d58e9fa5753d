import * as z from 'zod/mini';
import { versionsSchema } from './field-schemas.js';

/**
 * What a known issue takes away. Every effect takes away the yes of a span. In a route:
 * - `avoid-landing`: the route lands elsewhere if it can;
 * - `required-stops`: each of the releases is installed on its own, in this order; of a step, only those that lie in
 *   it;
 * - `recreate`: no old pod runs next to a new one;
 * - `action-first`: the remedy comes before the hop;
 * - `long`: a downtime of another order of magnitude than for other releases.
 */
export const issueEffectSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('avoid-landing') }),
  z.strictObject({
    kind: z.literal('required-stops'),
    stops: versionsSchema.check(z.minLength(1, { error: 'expected a stop' })),
  }),
  z.strictObject({ kind: z.literal('recreate') }),
  z.strictObject({ kind: z.literal('action-first') }),
  /** What was seen, such as "4 hours for 1.4 million rows, then killed". */
  z.strictObject({
    kind: z.literal('long'),
    seen: z.string({ error: 'expected a text' }).check(z.regex(/\S/, { error: 'expected a text' })),
  }),
]);
