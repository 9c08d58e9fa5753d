import * as z from 'zod/mini';
import { versionSchema } from '../../core/field-schemas.js';

/**
 * Backfills on record: migrations that change rows that are already there, as steps whose time can be forecast. A
 * migration that is not on record may be as heavy as any.
 */

const text = z.string().check(z.regex(/\S/, { error: 'expected a text' }));
const name = z.string().check(z.regex(/^[a-z_]+$/, { error: 'expected a plain name in SQL' }));
/**
 * The part of a condition behind the column. It becomes part of a query that the server only plans, so it must not be a
 * statement of its own.
 */
const predicate = z
  .string()
  .check(z.regex(/^(?:IS NULL|= (?:false|true|'[\w:]+'))$/, { error: 'expected IS NULL, or = and a value' }));

const conditionSchema = z.strictObject({ column: name, holds: predicate });

const rowsSchema = z.union([
  z.literal('all'),
  /** How many is not known beforehand. */
  z.literal('some'),
  /** The rows that a repair looks for, which break a rule that the application keeps; how many is not known either. */
  z.literal('few'),
  conditionSchema,
]);

const batchSchema = z.strictObject({
  size: z.int().check(z.positive()),
  /** How the rows of each batch are found: `key`, where the last one ended; by reading, or sorting, the whole table. */
  foundBy: z.enum(['key', 'scan', 'sort']),
});

const stepSchema = z.discriminatedUnion('work', [
  z.strictObject({
    /** `insert` adds a row for each of these. */
    work: z.enum(['update', 'insert', 'delete']),
    table: name,
    rows: rowsSchema,
    /** Each is committed; without it, all rows are changed at once. */
    batch: z.optional(batchSchema),
  }),
  z.strictObject({ work: z.enum(['scan', 'validate', 'index']), table: name }),
]);

/** From the weakest on. */
export const lockModes = [
  'AccessShareLock',
  'RowExclusiveLock',
  'ShareUpdateExclusiveLock',
  'ShareRowExclusiveLock',
  'AccessExclusiveLock',
] as const;

const backfillSchema = z.strictObject({
  /** The whole name of its file, without extension: two files may share a date. */
  name: z.string().check(z.regex(/^\d{14}_[\w-]+$/, { error: 'expected the name of a file' })),
  introduced: versionSchema,
  transaction: z.boolean(),
  /** Whether a run that was ended may be begun again, and continues. */
  resumable: z.boolean(),
  /** For each lock; without it, it waits as long as the role may. */
  lockTimeoutSeconds: z.optional(z.int().check(z.positive())),
  /** The release with which it was mended: before, it may never end. */
  endlessBefore: z.optional(versionSchema),
  /** Which rows, in words. */
  changes: text,
  /** The known issue that tells how it went on another instance. */
  knownIssue: z.optional(z.string()),
  note: z.optional(text),
  locks: z.record(name, z.array(z.enum(lockModes)).check(z.minLength(1))),
  /**
   * The columns, by table, that it drops or gives another type, if they were there before; empty for a table that it
   * drops.
   */
  alters: z.optional(z.record(name, z.array(name))),
  steps: z.array(stepSchema).check(z.minLength(1)),
  /** An index that finds the rows of each batch without a scan of the table. */
  index: z.optional(z.strictObject({ table: name, columns: name, where: text })),
});

export const backfillsSchema = z.strictObject({
  schemaVersion: z.literal('1'),
  source: text,
  read: text,
  records: z.array(backfillSchema).check(z.minLength(1)),
});

export type Backfills = Readonly<z.infer<typeof backfillsSchema>>;
export type Backfill = Readonly<z.infer<typeof backfillSchema>>;
export type Condition = z.infer<typeof conditionSchema>;
export type RowStep = Extract<z.infer<typeof stepSchema>, { readonly rows: unknown }>;
