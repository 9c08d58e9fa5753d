import * as z from 'zod/mini';
import { dateTimeSchema } from '../release-safety/field-schemas.js';

/**
 * `facts.json`: what was seen of one instance, with where and when, or why it was not. What collects facts writes it;
 * judgement reads nothing else. Keys that are not declared are refused: what a newer lightspan saw is not read past.
 */

const count = z.int().check(z.nonnegative());
const text = z.string();

/** Who saw it: a person who stated it, the database, the manifests or compose files, the instance over HTTP. */
export const factSourceSchema = z.enum(['stated', 'database', 'deployment', 'instance']);

/** Why a fact was not seen. `absent`: what would tell it is not there, such as the ledger of an empty database. */
export const unseenStatuses = ['not-permitted', 'absent', 'timeout', 'not-asked'] as const;

const unseenSchema = z.strictObject({
  status: z.enum(unseenStatuses),
  source: factSourceSchema,
  /** What the source said, without secrets. */
  detail: z.optional(text),
});

function observed<T extends z.core.$ZodType>(value: T) {
  return z.optional(
    z.discriminatedUnion('status', [
      z.strictObject({ status: z.literal('seen'), value, seenAt: dateTimeSchema, source: factSourceSchema }),
      unseenSchema,
    ]),
  );
}

/** A table of the schema that Lightdash uses. Sizes in bytes. */
export const tableFactSchema = z.strictObject({
  name: text,
  /** By the statistics of the server; null where the table was never analysed. */
  estimatedRows: z.nullable(count),
  heapBytes: count,
  toastBytes: count,
  indexBytes: count,
  owner: text,
  /** Whether the role that looks belongs to the owner, as one that migrates must. */
  owned: z.boolean(),
});

export const factsFileSchema = z.strictObject({
  schemaVersion: z.literal('1'),
  /** When the collecting began, ISO 8601. */
  collectedAt: dateTimeSchema,
  facts: z.strictObject({
    /** What a person states, by the names of `--fact`. */
    stated: observed(z.record(text, z.union([text, count]))),
    server: observed(z.strictObject({ versionNum: count })),
    /** All tables of the schema: one that is not listed is absent. */
    tables: observed(z.array(tableFactSchema)),
    /** Rows of `knex_migrations`, oldest first. */
    ledger: observed(
      z.array(z.strictObject({ name: text, batch: z.int(), migratedAt: z.nullable(dateTimeSchema) })),
    ),
  }),
});

export type FactsFile = z.infer<typeof factsFileSchema>;
export type TableFact = z.infer<typeof tableFactSchema>;
