import * as z from 'zod/mini';
import type { DeepReadonly } from '../shared/deep-readonly.js';
import { mergeRules } from './rules.js';
import { mergeWarningKinds } from './warnings.js';

/** The findings of a check of a merge file. Types and JSON Schemas are derived from this declaration. */

/** A place in a text; both numbers start at 1. */
const place = {
  path: z.string().check(z.describe('Path to the value at fault; empty for the whole file.')),
  line: z.int().check(z.gte(1)),
  column: z.int().check(z.gte(1)),
};

/** A fault at a place in a merge file. */
export type Fault = DeepReadonly<z.infer<typeof faultSchema>>;
export const faultSchema = z.strictObject({ ...place, message: z.string() });

/** A broken rule in the form of the API, with its place in the file. */
export type RuleFault = DeepReadonly<z.infer<typeof ruleFaultSchema>>;
export const ruleFaultSchema = z.strictObject({
  kind: z.enum(mergeRules),
  message: z.string(),
  fieldIds: z.array(z.string()),
  /** Null for errors about the merge as a whole. */
  sourceId: z.nullable(z.string()),
  ...place,
});

/** Something that a server may refuse, with its place in the file. */
export type PlacedWarning = DeepReadonly<z.infer<typeof placedWarningSchema>>;
export const placedWarningSchema = z.strictObject({
  kind: z.enum(mergeWarningKinds),
  message: z.string(),
  ...place,
});

export type Position = Pick<Fault, 'line' | 'column'>;
