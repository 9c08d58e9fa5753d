import { type Exact, parseExactJson } from '../../core/json/exact-json.js';
import { isRecord } from '../../core/json/is-record.js';
import { parseExactly } from '../../core/json/parse-with.js';
import { LightspanError } from '../../core/lightspan-error.js';
import { nameOfInput } from '../../core/text/name-of-input.js';
import { shorten } from '../../core/text/quote.js';
import { readInputText } from '../../gather/files/read-file.js';
import { readYaml } from '../../gather/files/yaml.js';
import { placeProblem } from '../../merge/merge-check.js';
import { type ParameterValue, parametersSchema } from '../../merge/request.js';

/** By name, every number as it was written. */
type Parameters = Exact<Record<string, ParameterValue>>;

/** Parameters of a merge: each as `name=value` or `name:=<JSON>`, and a file of a map. */
export interface ParametersGiven {
  readonly texts: readonly string[];
  readonly file: string | undefined;
}

/**
 * The parameters that are given; single ones take precedence over those of the file.
 *
 * @returns undefined if there are none
 * @throws {LightspanError} `usage` for an invalid parameter, and if the file cannot be read
 */
export async function readParameters(
  { texts, file }: ParametersGiven,
  stdin: AsyncIterable<Uint8Array>,
): Promise<Parameters | undefined> {
  if (texts.length === 0 && file === undefined) return undefined;
  const single = parseParameters(texts);
  return file === undefined ? single : { ...(await readParametersFile(file, stdin)), ...single };
}

function parseParameters(texts: readonly string[]): Parameters {
  const parameters: Parameters = {};
  for (const text of texts) {
    const refused = (why: string) => new LightspanError('usage', `--param ${shorten(text)}: ${why}`);
    const [, name, sign, value] = /^(?!:=)([^=]+?)(:?=)(.*)$/s.exec(text) ?? [];
    if (name === undefined || value === undefined) {
      throw refused('Write it as name=value, or as name:=5 for a number.');
    }
    if (Object.hasOwn(parameters, name)) throw refused(`The parameter ${name} is given twice.`);
    let json: unknown = value;
    try {
      if (sign === ':=' || value.startsWith('[')) json = parseExactJson(value);
    } catch {
      throw refused('After :=, or if it starts with [, write JSON, such as 5, "text" or ["a", "b"].');
    }
    const parsed = parseExactly(parametersSchema, Object.fromEntries([[name, json]]));
    if (!parsed.ok) throw refused(parsed.problems.map(({ message }) => message).join('; '));
    Object.assign(parameters, parsed.value);
  }
  return parameters;
}

async function readParametersFile(source: string, stdin: AsyncIterable<Uint8Array>): Promise<Parameters> {
  const name = nameOfInput(source);
  const reading = readYaml(await readInputText({ source, stdin, what: 'parameters file' }));
  const parsed = reading.ok ? parseExactly(parametersSchema, reading.value) : undefined;
  if (parsed?.ok) return parsed.value;
  const faults = reading.ok
    ? parsed?.problems.map((problem) => placeProblem(problem, reading.positionOf))
    : reading.faults;
  const { line, column, path, message } = faults?.[0] ?? { line: 1, column: 1, path: '', message: 'no map' };
  throw new LightspanError('usage', `${name}:${line}:${column}${path && `: ${path}`}: ${message}`);
}

export type RequestBody = Readonly<Record<string, unknown>>;

/** What takes precedence over the file. */
export interface Overrides {
  readonly mode?: 'interactive' | 'export' | undefined;
  readonly exportLimit?: number | 'all' | undefined;
  readonly parameters?: Parameters | undefined;
  readonly invalidateCache?: true | undefined;
  readonly context?: string | undefined;
}

/**
 * The body to send: the file's, with the flags taking precedence.
 *
 * @param file the content of the merge file; it may be unvalidated, so nothing is assumed about it
 */
export function buildRequestBody(file: RequestBody, overrides: Overrides): RequestBody {
  const { parameters, invalidateCache, context = file.context ?? 'cli' } = overrides;
  const mode = modeOf(file.mode, overrides);
  return {
    ...file,
    ...(mode === undefined ? {} : { mode }),
    ...(parameters && { parameters: { ...(isRecord(file.parameters) && file.parameters), ...parameters } }),
    ...(invalidateCache === undefined ? {} : { invalidateCache }),
    context,
  };
}

/** `--mode export` alone keeps the limit of the file; if there is none, it requests all rows. */
function modeOf(ofFile: unknown, { mode, exportLimit }: Overrides): unknown {
  if (exportLimit !== undefined) return { type: 'export', limit: exportLimit === 'all' ? null : exportLimit };
  if (mode === 'export') {
    return isRecord(ofFile) && ofFile.type === 'export' ? ofFile : { type: 'export', limit: null };
  }
  return mode === undefined ? ofFile : { type: mode };
}
