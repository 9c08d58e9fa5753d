import * as z from 'zod/mini';
import type { DeepReadonly } from '../common/deep-readonly.js';
import {
  booleanSchema,
  countSchema,
  dateTimeSchema,
  nullableVersionSchema,
  verdictSchema,
  versionSchema,
  versionsSchema,
} from '../field-schemas.js';
import { isRecord } from '../json/is-record.js';
import { parseJsonText, requireShape, unsupportedSchema } from '../json/json-text.js';
import { LightspanError } from '../lightspan-error.js';
import { describeValue } from '../text/quote.js';
import { isUnrecognised } from './unrecognised.js';

/**
 * The artifact of one release, schemaVersion "2" ("Release artifact" in the contract). Types and JSON Schemas are
 * derived from this declaration.
 *
 * The format is in beta. The fields that decide must be present and exact. A section that does not decide may be
 * missing, and unknown fields are ignored. But a section that is present must have the documented shape: a document
 * that breaks its own format cannot be trusted in the rest either.
 */

const texts = z.array(z.string());
const optionalText = z.optional(z.nullable(z.string()));

/** What a migration does to the tables it touches. A missing answer is unknown, never "does not". */
const heaviness = { locksTable: 'unknown', rewritesTable: 'unknown', scansTable: 'unknown' } as const;
const heavinessSchema = z.object({
  locksTable: z._default(verdictSchema, heaviness.locksTable),
  rewritesTable: z._default(verdictSchema, heaviness.rewritesTable),
  scansTable: z._default(verdictSchema, heaviness.scansTable),
});

export const migrationFileSchema = z.object({
  name: z.string(),
  edition: z.enum(['core', 'ee']),
  tables: texts,
  heaviness: z._default(heavinessSchema, heaviness),
});

const migrationsSchema = z.object({
  present: verdictSchema,
  count: countSchema,
  coreCount: countSchema,
  eeCount: countSchema,
  files: z.array(migrationFileSchema),
});

/** The publisher caps `changes` and `advisories`, but not the two counts. */
const apiSurfaceSchema = z.object({
  checked: booleanSchema,
  breaking: verdictSchema,
  changes: texts,
  breakingCount: countSchema,
  advisories: texts,
  advisoryCount: countSchema,
});

const defaultOfVariable = z.optional(
  z.union([z.string(), z.number(), z.boolean(), z.null()], { error: 'expected a string, a number or null' }),
);

const documentedConfigChanges = [
  z.object({ type: z.literal('removed'), name: z.string(), previousDefault: defaultOfVariable }),
  z.object({
    type: z.literal('renamed'),
    name: z.string(),
    previousName: z.string(),
    defaultValue: defaultOfVariable,
  }),
  z.object({
    type: z.literal('defaultChanged'),
    name: z.string(),
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
  z.discriminatedUnion('type', [
    ...documentedConfigChanges,
    z.object({ type: z.literal('unrecognised'), change: z.record(z.string(), z.unknown()) }),
  ]),
);

const configSchema = z.object({
  checked: booleanSchema,
  breaking: verdictSchema,
  changes: z.array(configChangeSchema),
});

/**
 * A break that an engineer declared: with the place in a migration that declares it or, in newer artifacts, with an id.
 * Every entry of the list is a break. Unknown fields are kept.
 */
export const declaredBreakSchema = z.looseObject({
  id: optionalText,
  reason: optionalText,
  requiredStop: z.optional(booleanSchema),
  migration: optionalText,
  releasedIn: optionalText,
  file: optionalText,
  line: z.optional(z.nullable(z.number())),
});

/** The publisher leaves out of the verdict what an advisory covers, and states that it is no required stop. */
export const documentedAdvisorySchema = z.looseObject({
  id: z.string(),
  reason: z.string().check(z.regex(/\S/)),
  requiredStop: z.literal(false),
  /** Why a finding breaks nobody, according to the publisher. A claim of an unknown kind is kept unchanged. */
  impact: z.optional(
    z.looseObject({
      kind: z.string(),
      covers: z.optional(z.looseObject({ rest: z.optional(texts), mcp: z.optional(texts) })),
      featureFlag: z.optional(z.string()),
      firstPartyOnly: z.optional(z.string()),
    }),
  ),
});

/** An undocumented form is kept as it came, so that the breaks next to it can still be read. */
export const declaredAdvisoriesSchema = z.pipe(
  z.transform((list: unknown): unknown[] =>
    Array.isArray(list)
      ? list.map((advisory) =>
          documentedAdvisorySchema.safeParse(advisory).success ? advisory : { unrecognised: advisory },
        )
      : [{ unrecognised: list }],
  ),
  z.array(z.union([documentedAdvisorySchema, z.strictObject({ unrecognised: z.unknown() })])),
);

export const artifactSchema = z.object({
  schemaVersion: z.literal('2'),
  version: versionSchema,
  previousVersion: nullableVersionSchema,
  releaseDate: z.optional(dateTimeSchema),
  migrations: z.optional(migrationsSchema),
  compatibility: z.object({
    rollingUpdateSafe: verdictSchema,
    recommendedStrategy: z.optional(z.string()),
  }),
  api: z.optional(z.object({ rest: z.optional(apiSurfaceSchema), mcp: z.optional(apiSurfaceSchema) })),
  config: z.optional(configSchema),
  upgrade: z.object({ minPreviousVersion: nullableVersionSchema, requiredStops: versionsSchema }),
  declaredBreaks: z.optional(z.array(declaredBreakSchema)),
  declaredAdvisories: z.optional(declaredAdvisoriesSchema),
});

/** What one release says of the step from `previousVersion` to `version`. A missing section says nothing. */
export type ReleaseArtifact = DeepReadonly<z.infer<typeof artifactSchema>>;

/** One migration of a release, with its edition and what it does to its tables. */
export type MigrationFile = DeepReadonly<z.infer<typeof migrationFileSchema>>;

/** One API surface: the REST endpoints, or the MCP tools. */
export type ApiSurface = DeepReadonly<z.infer<typeof apiSurfaceSchema>>;

/** One environment variable: removed, renamed, its default changed, or a change of a kind that is not known here. */
export type ConfigChange = DeepReadonly<z.infer<typeof configChangeSchema>>;

/** A finding that, according to the publisher, breaks nobody; or an entry in another form, as it came. */
export type DeclaredAdvisory = DeepReadonly<z.infer<typeof declaredAdvisoriesSchema>[number]>;

/** A break that an engineer declared. */
export type DeclaredBreak = DeepReadonly<z.infer<typeof declaredBreakSchema>>;

/**
 * Reads the text of a release artifact, as `parseReleaseArtifact` reads its JSON.
 *
 * @throws {LightspanError} `invalid-json`, and all that `parseReleaseArtifact` throws
 */
export function parseReleaseArtifactText(text: string): ReleaseArtifact {
  return parseReleaseArtifact(parseJsonText(text, 'the artifact'));
}

/**
 * Reads the parsed JSON of a release artifact, schemaVersion "2". It is strict in the fields that decide and in every
 * documented section that is present, and ignores undocumented fields.
 *
 * @throws {LightspanError} `unsupported-schema-version`, or `invalid-artifact` naming the field at fault: also if
 *   counts contradict each other, and for a development build, which is never a release
 */
export function parseReleaseArtifact(json: unknown): ReleaseArtifact {
  if (!isRecord(json)) throw invalid(`the artifact is not a JSON object, but ${describeValue(json)}`);
  if (json.schemaVersion !== '2') {
    throw unsupportedSchema(json.schemaVersion, 'artifact schemaVersion "2"');
  }
  if (json.version === 'development') {
    throw invalid('version is "development": the artifact of a development build, which is never a release');
  }
  const artifact = requireShape(artifactSchema, json, 'invalid-artifact');
  const [contradiction] = contradictionsOf(artifact);
  if (contradiction !== undefined) throw invalid(contradiction);
  return artifact;
}

/** Counts that do not add up, and a verdict that rests on what cannot be read. */
function* contradictionsOf(artifact: ReleaseArtifact): Generator<string> {
  const { migrations, api, compatibility, declaredAdvisories = [] } = artifact;
  // What an advisory covers does not count against the verdict, so a true may be due to it.
  if (compatibility.rollingUpdateSafe === true && declaredAdvisories.some(isUnrecognised)) {
    yield 'declaredAdvisories: one is not in the documented form, and rollingUpdateSafe, true, may rest on it';
  }
  if (migrations !== undefined) {
    const { present, count, coreCount, eeCount, files } = migrations;
    const core = files.filter(({ edition }) => edition === 'core').length;
    if (count !== coreCount + eeCount) yield `migrations.count: ${count} is not ${coreCount} + ${eeCount}`;
    if (files.length !== count) yield `migrations.files: ${files.length} listed, count is ${count}`;
    if (core !== coreCount) yield `migrations.files: ${core} of core listed, coreCount is ${coreCount}`;
    if (present !== 'unknown' && present !== count > 0)
      yield `migrations.present: ${present}, count is ${count}`;
  }
  for (const [name, surface] of Object.entries(api ?? {})) {
    if (surface === undefined) continue;
    const { breaking, changes, breakingCount, advisories, advisoryCount } = surface;
    const at = `api.${name}`;
    // A capped list is shorter than its count; no list is longer.
    if (changes.length > breakingCount)
      yield `${at}.changes: ${changes.length} listed, ${breakingCount} counted`;
    if (advisories.length > advisoryCount)
      yield `${at}.advisories: ${advisories.length} listed, ${advisoryCount} counted`;
    if (breaking === false && breakingCount > 0) yield `${at}.breaking: false, ${breakingCount} counted`;
  }
}

function invalid(message: string): LightspanError {
  return new LightspanError('invalid-artifact', message);
}
