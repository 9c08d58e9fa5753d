import * as z from 'zod/mini';
import { versionSchema } from './release-safety/field-schemas.js';

/** What was asked whether it is ready: `/api/v1/readyz`, or `/api/v1/health` of a release that has no readyz yet. */
export const probeSchema = z
  .enum(['readyz', 'health'])
  .check(z.describe('What was asked: `health` where the release has no `/api/v1/readyz` yet.'));

/** What an instance said of itself at one moment. Types and JSON Schemas come out of this declaration. */
export const instanceStateSchema = z.discriminatedUnion('kind', [
  /** It is ready, and this is the release that it serves. */
  z.strictObject({ kind: z.literal('ready'), version: versionSchema, probe: probeSchema }),
  /** It says that it is not, and why: `schema_pending`, `db_unavailable`, or whatever else it gave as its reason. */
  z.strictObject({
    kind: z.literal('not-ready'),
    status: z.int(),
    reason: z.optional(z.string()),
    probe: probeSchema,
  }),
  /** A migration is parked, ready or not: that does not pass by itself. */
  z.strictObject({ kind: z.literal('parked'), status: z.int() }),
  /** It says that it is ready, and not which release it serves. */
  z.strictObject({ kind: z.literal('unknown-version'), message: z.string() }),
  /** It did not answer. */
  z.strictObject({ kind: z.literal('unreachable'), message: z.string() }),
]);

/** How upgrade-verify ended. */
export const verifyOutcomeSchema = z
  .enum(['verified', 'superseded', 'not-verified'])
  .check(z.describe('`superseded`: a newer release was ready, so many times in a row.'));
