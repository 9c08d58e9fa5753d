import * as z from 'zod/mini';
import { dateTimeSchema } from '../../core/field-schemas.js';
import { rehearsalSchema } from '../rehearsal.js';
import { databaseFacts } from './database-facts.js';
import { deploymentFacts } from './deployment-facts.js';
import { observed } from './observed.js';

/**
 * `facts.json`: what was seen of one instance, with place and time, or why it was not seen. Collectors write it; checks
 * read nothing else. Undeclared keys are refused: what a newer lightspan saw must not be ignored.
 */
export const factsFileSchema = z.strictObject({
  schemaVersion: z.literal('1'),
  /** When the collection began, ISO 8601, by the clock of the source. */
  collectedAt: dateTimeSchema,
  facts: z.strictObject({
    /** What a person states, by the names of `--fact`. */
    stated: observed(z.record(z.string(), z.union([z.string(), z.int().check(z.nonnegative())]))),
    ...databaseFacts,
    ...deploymentFacts,
    /** What `upgrade-rehearse --out` has written. */
    rehearsal: observed(rehearsalSchema),
  }),
});

export type FactsFile = z.infer<typeof factsFileSchema>;
export type ObservedFacts = FactsFile['facts'];

/** Which facts an answer used, and how old they were. */
export interface UsedFacts {
  /** A file, or the database, without a password. */
  readonly source: string;
  /** ISO 8601. */
  readonly collectedAt: string;
  readonly ageMs: number;
}
