import * as z from 'zod/mini';
import type { DeepReadonly } from '../shared/deep-readonly.js';
import { isRecord } from '../shared/is-record.js';
import { findDuplicateKey } from '../shared/json-scan.js';
import { describeIssue } from '../shared/parse-with.js';
import { describeValue } from '../shared/quote.js';
import { formatPath } from '../shared/schema-problem.js';
import { ReleaseSafetyError } from './errors.js';
import {
  booleanSchema,
  dateTimeSchema,
  nullableVersionSchema,
  verdictSchema,
  versionSchema,
  versionsSchema,
} from './field-schemas.js';
import { parseJsonText, unsupportedSchema } from './json-text.js';

/**
 * The artifact of one release, schemaVersion "2" ("Release artifact" in the contract). Types and JSON Schemas are
 * derived from this declaration.
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

/**
 * Reads the text of a release artifact. As in an index, a key that occurs twice in one object is refused.
 *
 * @throws {ReleaseSafetyError} `invalid-json`, and all that `parseReleaseArtifact` throws
 */
export function parseReleaseArtifactText(text: string): ReleaseArtifact {
  if (text.length > maxArtifactLength) {
    throw invalid(`the artifact is longer than ${maxArtifactLength} characters, which none is`);
  }
  const json = parseJsonText(text, 'the artifact');
  if (findDuplicateKey(text) !== undefined) {
    throw new ReleaseSafetyError('invalid-json', 'the artifact holds an object with the same key twice');
  }
  return parseReleaseArtifact(json);
}

/** A thousand times the length of public artifacts: most of their lists are empty, and each of them may grow. */
const maxArtifactLength = 1024 * 1024;

/**
 * Reads the parsed JSON of a release artifact, schemaVersion "2". It is strict in the fields that decide and in every
 * documented section that is present, and ignores undocumented fields.
 *
 * @throws {ReleaseSafetyError} `unsupported-schema-version`, or `invalid-artifact` naming the field at fault: also if
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
  const parsed = parseUnlessHopeless(json);
  if (!parsed.success) {
    const [first, ...others] = describeIssues(parsed.error, json);
    const more = others.length === 0 ? '' : ` (and ${others.length} more)`;
    throw invalid(`${first?.field}: ${first?.fault}${more}`);
  }
  const [contradiction] = findContradictions(parsed.data);
  if (contradiction !== undefined) throw invalid(contradiction);
  return parsed.data;
}

function parseUnlessHopeless(json: unknown) {
  try {
    return artifactSchema.safeParse(json);
  } catch (error) {
    // zod passes its findings on as the arguments of a call; some 100,000 of them overflow the stack.
    if (!(error instanceof RangeError)) throw error;
    throw invalid('more of the artifact is wrong than can be listed');
  }
}

/** Finds counts that do not add up, and a verdict that rests on what cannot be read. */
function findContradictions(artifact: ReleaseArtifact): string[] {
  const { migrations, api, compatibility, declaredAdvisories = [] } = artifact;
  const contradictions: string[] = [];
  // What an advisory covers does not count against the verdict, so a true may be due to it.
  if (
    compatibility.rollingUpdateSafe === true &&
    declaredAdvisories.some((advisory) => 'unrecognised' in advisory)
  ) {
    contradictions.push(
      'declaredAdvisories: one is not in the documented form, and rollingUpdateSafe, true, may rest on it',
    );
  }
  if (migrations !== undefined) {
    const { present, count, coreCount, eeCount, files } = migrations;
    const coreFiles = files.filter(({ edition }) => edition === 'core').length;
    if (count !== coreCount + eeCount) {
      contradictions.push(`migrations.count: ${count} is not coreCount ${coreCount} + eeCount ${eeCount}`);
    }
    if (files.length !== count) {
      contradictions.push(`migrations.files: ${files.length} listed, count is ${count}`);
    }
    if (coreFiles !== coreCount) {
      contradictions.push(`migrations.files: ${coreFiles} of core listed, coreCount is ${coreCount}`);
    }
    if ((present === false && count > 0) || (present === true && count === 0)) {
      contradictions.push(`migrations.present: ${present}, count is ${count}`);
    }
  }
  if (api?.rest !== undefined) contradictions.push(...findApiContradictions('api.rest', api.rest));
  if (api?.mcp !== undefined) contradictions.push(...findApiContradictions('api.mcp', api.mcp));
  return contradictions;
}

/** A capped list is shorter than its count; no list is longer. */
function findApiContradictions(field: string, surface: ApiSurface): string[] {
  const { breaking, changes, breakingCount, advisories, advisoryCount } = surface;
  const contradictions: string[] = [];
  if (changes.length > breakingCount) {
    contradictions.push(`${field}.changes: ${changes.length} listed, breakingCount is ${breakingCount}`);
  }
  if (advisories.length > advisoryCount) {
    contradictions.push(
      `${field}.advisories: ${advisories.length} listed, advisoryCount is ${advisoryCount}`,
    );
  }
  if (breaking === false && breakingCount > 0) {
    contradictions.push(`${field}.breaking: false, breakingCount is ${breakingCount}`);
  }
  return contradictions;
}

function invalid(message: string): ReleaseSafetyError {
  return new ReleaseSafetyError('invalid-artifact', message);
}

/** One fault that a schema found, for one line of text: the path of the field, what was expected, what it was. */
export interface FieldFault {
  /** For example `migrations.files[2].heaviness.locksTable`; empty for the whole document. */
  readonly field: string;
  /** For example `expected true, false or "unknown", got "maybe"`. */
  readonly fault: string;
}

/** The faults of `json`, in the order in which the schema met them. */
export function describeIssues(error: z.core.$ZodError, json: unknown): FieldFault[] {
  return error.issues
    .flatMap((issue) => describeIssue(issue, json))
    .map(({ path, message }) => ({ field: formatPath(path), fault: message }));
}
