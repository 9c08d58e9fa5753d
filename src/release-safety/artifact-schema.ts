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
 * The artifact of one release, schemaVersion "2" ("Release artifact" in the contract). Types and JSON Schemas come
 * out of this declaration; `parse-artifact.ts` reads it.
 *
 * The format is in beta. What decides must be there and exact. A section that does not decide may be missing, and
 * fields that we do not know are read past; but a section that is there must have the documented shape: where a
 * document breaks its own format, what else it says is in doubt too.
 */

const text = z.string({ error: 'expected a string' });
const texts = z.array(text, { error: 'expected an array of strings' });
const count = z.int({ error: 'expected a count, 0 or more' }).check(z.nonnegative());
const section = { error: 'expected an object' };

/** What a migration does to the tables it touches. What it does not tell is unknown, never "does not". */
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
    files: z.array(migrationFileSchema, { error: 'expected an array of migrations' }),
  },
  section,
);

/** `changes` and `advisories` are capped by the publisher; the two counts are not. */
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

/** A kind of change newer than we are is kept as it came, to be shown. */
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
    changes: z.array(configChangeSchema, { error: 'expected an array of changes' }),
  },
  section,
);

/**
 * What an engineer declared to break: with the place in a migration that says so, or, in newer artifacts, with an id.
 * Whatever stands in the list is a break, and further fields are kept.
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

/** Why a finding breaks nobody, as the publisher claims; a claim of another kind is kept as it is. */
const impactSchema = z.looseObject({
  kind: text,
  covers: z.optional(z.looseObject({ rest: z.optional(texts), mcp: z.optional(texts) })),
  featureFlag: z.optional(text),
  firstPartyOnly: z.optional(text),
});

/** The publisher leaves what an advisory covers out of the verdict. It says of itself that it is no required stop. */
export const documentedAdvisorySchema = z.looseObject({
  id: text,
  reason: text.check(z.regex(/\S/)),
  requiredStop: z.literal(false),
  impact: z.optional(impactSchema),
});

/** What is not as documented is kept as it came: the breaks beside it are to be read all the same. */
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
    declaredBreaks: z.optional(
      z.array(declaredBreakSchema, { error: 'expected an array of declared breaks' }),
    ),
    declaredAdvisories: z.optional(declaredAdvisoriesSchema),
  },
  section,
);

/** What one release says of the step from `previousVersion` to `version`. A missing section tells nothing. */
export type ReleaseArtifact = DeepReadonly<z.infer<typeof artifactSchema>>;

export type MigrationFile = DeepReadonly<z.infer<typeof migrationFileSchema>>;

/** One API surface: the REST endpoints, or the MCP tools. */
export type ApiSurface = DeepReadonly<z.infer<typeof apiSurfaceSchema>>;

/** One environment variable: removed, renamed, its default changed, or changed in a way newer than we are. */
export type ConfigChange = DeepReadonly<z.infer<typeof configChangeSchema>>;

/** A finding of which the publisher claims that it breaks nobody, or what stands there in another form. */
export type DeclaredAdvisory = DeepReadonly<z.infer<typeof declaredAdvisoriesSchema>[number]>;

/** A break that an engineer declared. */
export type DeclaredBreak = DeepReadonly<z.infer<typeof declaredBreakSchema>>;
