import * as z from 'zod/mini';
import { dateTimeSchema } from '../../core/field-schemas.js';

/**
 * Who saw it: a person who stated it, the database, the manifests or compose files, the instance over HTTP, a rehearsal on
 * a copy.
 */
const source = z.enum(['stated', 'database', 'deployment', 'instance', 'rehearsal']);
export type FactSource = z.infer<typeof source>;

/**
 * Why a fact was not seen. `absent`: its source does not exist, such as the ledger of an empty database. `failed`: the
 * source answered with an error that is none of the others. `unsafe`: to read it would be to run code that is not
 * PostgreSQL's own, such as that of a view, with the rights of whoever looks.
 */
export const unseenStatuses = [
  'not-permitted',
  'absent',
  'timeout',
  'not-asked',
  'failed',
  'unsafe',
] as const;

/** A fact, or why there is none; absent in files that were collected without it. */
export const observed = <T extends z.core.$ZodType>(value: T) =>
  z.optional(
    z.discriminatedUnion('status', [
      z.strictObject({ status: z.literal('seen'), value, seenAt: dateTimeSchema, source }),
      z.strictObject({
        status: z.enum(unseenStatuses),
        source,
        /** The message of the source, without secrets. */
        detail: z.optional(z.string()),
      }),
    ]),
  );

export const fact = <T extends z.core.$ZodShape>(shape: T) => observed(z.strictObject(shape));

export const facts = <T extends z.core.$ZodShape>(shape: T) => observed(z.array(z.strictObject(shape)));

export type SeenIn<Fact> = Extract<Fact, { readonly status: 'seen'; readonly value: unknown }>['value'];
