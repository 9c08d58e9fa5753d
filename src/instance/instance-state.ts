import * as z from 'zod/mini';
import type { DeepReadonly } from '../core/common/deep-readonly.js';
import { versionSchema } from '../core/field-schemas.js';

export type Probe = z.infer<typeof probeSchema>;
const probeSchema = z
  .enum(['readyz', 'health'])
  .check(z.describe('The endpoint that was requested: `health` if the release has no `/api/v1/readyz` yet.'));

/** What an instance reported at one moment. The program imports only the types from here. */
export type InstanceState = DeepReadonly<z.infer<typeof instanceStateSchema>>;
export const instanceStateSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('ready'), version: versionSchema, probe: probeSchema }),
  /** It reports that it is not ready, and why: `schema_pending`, `db_unavailable`, or any other reason. */
  z.strictObject({
    kind: z.literal('not-ready'),
    status: z.int(),
    reason: z.optional(z.string()),
    probe: probeSchema,
  }),
  /** A migration is parked, whether or not the instance is ready: that does not end by itself. */
  z.strictObject({ kind: z.literal('parked'), status: z.int() }),
  z.strictObject({ kind: z.literal('unknown-version'), message: z.string() }),
  z.strictObject({
    kind: z.literal('unreachable'),
    message: z.string(),
    isUnknownHost: z.boolean().check(z.describe('Whether the name of the host could not be resolved.')),
  }),
]);

export type VerifyOutcome = z.infer<typeof verifyOutcomeSchema>;
export const verifyOutcomeSchema = z
  .enum(['verified', 'superseded', 'not-verified'])
  .check(z.describe('`superseded`: a newer release was ready, as many times in a row as required.'));
