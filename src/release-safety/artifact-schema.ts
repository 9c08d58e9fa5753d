import * as z from 'zod/mini';
import type { DeepReadonly } from '../shared/deep-readonly.js';
import { isRecord } from '../shared/is-record.js';
import {
  booleanSchema,
  dateTimeSchema,
  nullableVersionSchema,
  verdictSchema,
  versionSchema,
  versionsSchema,
} from './field-schemas.js';

/**
 * The artifact of one release, schemaVersion "2" ("Release artifact" in the contract). Types and JSON Schemas are
 * derived from this declaration; `parse-artifact.ts` reads it.
 *
 * The format is in beta. The fields that decide must be present and exact. A section that does not decide may be
 * missing, and unknown fields are ignored. But a section that is present must have the documented shape: a document
 * that breaks its own format cannot be trusted in the rest either.
 */

const text = z.string({ error: 'expected a string' });
const texts = z.array(text, { error: 'expected a list of strings' });
const count = z.int({ error: 'expected a count, 0 or more' }).check(z.nonnegative());
const section = { error: 'expected an object' };

/** What a migration does to the tables it touches. A missing answer is unknown, never "does not". */
const heaviness = { locksTable: 'unknown', rewritesTable: 'unknown', scansTable: 'unknown' } as const;
const heavinessSchema = z.object(
  {
    locksTable: z._default(verdictSchema, heaviness.locksTable),
    rewritesTable: z._default(verdictSchema, heaviness.rewritesTable),
    scansTable: z._default(verdictSchema, heaviness.scansTable),
  },
  section,
);

export const migrationFileSchema = z.object(
  {
    name: text,
    edition: z.enum(['core', 'ee'], { error: 'expected "core" or "ee"' }),
    tables: texts,
    heaviness: z._default(heavinessSchema, heaviness),
  },
  { error: 'expected a migration' },
);

const migrationsSchema = z.object(
  {
    present: verdictSchema,
    count,
    coreCount: count,
    eeCount: count,
    files: z.array(migrationFileSchema, { error: 'expected a list of migrations' }),
  },
  section,
);

/** The publisher caps `changes` and `advisories`, but not the two counts. */
const apiSurfaceSchema = z.object(
  {
    checked: booleanSchema,
    breaking: verdictSchema,
    changes: texts,
    breakingCount: count,
    advisories: texts,
    advisoryCount: count,
  },
  section,
);

const defaultOfVariable = z.optional(
  z.union([z.string(), z.number(), z.boolean(), z.null()], { error: 'expected a string, a number or null' }),
);

const documentedConfigChanges = [
  z.object({ type: z.literal('removed'), name: text, previousDefault: defaultOfVariable }),
  z.object({
    type: z.literal('renamed'),
    name: text,
    previousName: text,
    defaultValue: defaultOfVariable,
  }),
  z.object({
    type: z.literal('defaultChanged'),
    name: text,
    previousDefault: defaultOfVariable,
    defaultValue: defaultOfVariable,
  }),
] as const;

export const documentedConfigChangeSchema = z.discriminatedUnion('type', documentedConfigChanges);
export const documentedConfigChangeTypes: readonly string[] = documentedConfigChanges.flatMap(
  ({ shape }) => shape.type.def.values,
);

/** A kind of change that this version does not know is kept as it came, to be shown. */
export const configChangeSchema = z.pipe(
  z.transform((change: unknown) =>
    isRecord(change) && typeof change.type === 'string' && !documentedConfigChangeTypes.includes(change.type)
      ? { type: 'unrecognised', change }
      : change,
  ),
  z.discriminatedUnion(
    'type',
    [
      ...documentedConfigChanges,
      z.object({ type: z.literal('unrecognised'), change: z.record(z.string(), z.unknown()) }),
    ],
    { error: 'expected a change of an environment variable' },
  ),
);

const configSchema = z.object(
  {
    checked: booleanSchema,
    breaking: verdictSchema,
    changes: z.array(configChangeSchema, { error: 'expected a list of changes' }),
  },
  section,
);

/**
 * A break that an engineer declared: with the place in a migration that declares it or, in newer artifacts, with an id.
 * Every entry of the list is a break. Unknown fields are kept.
 */
export const declaredBreakSchema = z.looseObject(
  {
    id: z.optional(z.nullable(text)),
    reason: z.optional(z.nullable(text)),
    requiredStop: z.optional(booleanSchema),
    migration: z.optional(z.nullable(text)),
    releasedIn: z.optional(z.nullable(text)),
    file: z.optional(z.nullable(text)),
    line: z.optional(z.nullable(z.number({ error: 'expected a line number' }))),
  },
  { error: 'expected a declared break' },
);

/** Why a finding breaks nobody, according to the publisher. A claim of an unknown kind is kept as it came. */
const impactSchema = z.looseObject({
  kind: text,
  covers: z.optional(z.looseObject({ rest: z.optional(texts), mcp: z.optional(texts) })),
  featureFlag: z.optional(text),
  firstPartyOnly: z.optional(text),
});

/** The publisher leaves out of the verdict what an advisory covers, and states that it is no required stop. */
export const documentedAdvisorySchema = z.looseObject({
  id: text,
  reason: text.check(z.regex(/\S/)),
  requiredStop: z.literal(false),
  impact: z.optional(impactSchema),
});

/** An undocumented form is kept as it came, so that the breaks next to it can still be read. */
export const declaredAdvisoriesSchema = z.pipe(
  z.transform((list: unknown): unknown[] =>
    Array.isArray(list)
      ? list.map((one) => (documentedAdvisorySchema.safeParse(one).success ? one : { unrecognised: one }))
      : [{ unrecognised: list }],
  ),
  z.array(z.union([documentedAdvisorySchema, z.strictObject({ unrecognised: z.unknown() })])),
);

export const artifactSchema = z.object(
  {
    schemaVersion: z.literal('2'),
    version: versionSchema,
    previousVersion: nullableVersionSchema,
    releaseDate: z.optional(dateTimeSchema),
    migrations: z.optional(migrationsSchema),
    compatibility: z.object(
      { rollingUpdateSafe: verdictSchema, recommendedStrategy: z.optional(text) },
      section,
    ),
    api: z.optional(
      z.object({ rest: z.optional(apiSurfaceSchema), mcp: z.optional(apiSurfaceSchema) }, section),
    ),
    config: z.optional(configSchema),
    upgrade: z.object({ minPreviousVersion: nullableVersionSchema, requiredStops: versionsSchema }, section),
    declaredBreaks: z.optional(z.array(declaredBreakSchema, { error: 'expected a list of declared breaks' })),
    declaredAdvisories: z.optional(declaredAdvisoriesSchema),
  },
  section,
);

/** What one release says of the step from `previousVersion` to `version`. A missing section says nothing. */
export type ReleaseArtifact = DeepReadonly<z.infer<typeof artifactSchema>>;

/** One migration of a release, with its edition and what it does to its tables. */
export type MigrationFile = DeepReadonly<z.infer<typeof migrationFileSchema>>;

/** One API surface: the REST endpoints, or the MCP tools. */
export type ApiSurface = DeepReadonly<z.infer<typeof apiSurfaceSchema>>;

/**
 * One environment variable: removed, renamed, its default changed, or a change of a kind that this version does not
 * know.
 */
export type ConfigChange = DeepReadonly<z.infer<typeof configChangeSchema>>;

/** A finding that, according to the publisher, breaks nobody; or an entry in another form, as it came. */
export type DeclaredAdvisory = DeepReadonly<z.infer<typeof declaredAdvisoriesSchema>[number]>;

/** A break that an engineer declared. */
export type DeclaredBreak = DeepReadonly<z.infer<typeof declaredBreakSchema>>;
