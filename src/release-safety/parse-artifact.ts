import { isRecord } from '../shared/is-record.js';
import { findDuplicateKey } from '../shared/json-scan.js';
import { describeValue } from '../shared/quote.js';
import { type ApiSurface, artifactSchema, type ReleaseArtifact } from './artifact-schema.js';
import { ReleaseSafetyError } from './errors.js';
import { parseJsonText, unsupportedSchema } from './json-text.js';
import { describeIssues } from './schema-issue.js';

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
