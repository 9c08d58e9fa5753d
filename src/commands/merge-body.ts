import { LightspanError } from '../errors.js';
import { type Fault, placeProblem } from '../merge-query/merge-check.js';
import { type ParameterValue, parametersSchema } from '../merge-query/request.js';
import { type Exact, parseExactJson } from '../shared/exact-json.js';
import { isRecord } from '../shared/is-record.js';
import { parseExactly } from '../shared/parse-with.js';
import { shorten } from '../shared/quote.js';
import { readInputText } from '../sources/read-file.js';
import { readYaml } from '../sources/yaml.js';

/** By name, every number as it was written. */
export type Parameters = Exact<Record<string, ParameterValue>>;

/**
 * The parameters from the flags; single ones take precedence over those of a file.
 *
 * @returns undefined if there are none
 * @throws {LightspanError} `usage` for an invalid parameter, and if the file cannot be read
 */
export async function readParameters(
  {
    param,
    paramsFile,
  }: { readonly param?: readonly string[] | undefined; readonly paramsFile?: string | undefined },
  stdin: AsyncIterable<Uint8Array>,
): Promise<Parameters | undefined> {
  if (param === undefined && paramsFile === undefined) return undefined;
  const given = parseParameters(param ?? []);
  return paramsFile === undefined ? given : { ...(await readParametersFile(paramsFile, stdin)), ...given };
}

function parseParameters(texts: readonly string[]): Parameters {
  const parameters: Parameters = {};
  for (const text of texts) {
    const [, name, sign, value] = /^(?!:=)([^=]+?)(:?=)(.*)$/s.exec(text) ?? [];
    if (name === undefined || value === undefined) {
      throw refused(text, 'Write it as name=value, or as name:=5 for a number.');
    }
    if (Object.hasOwn(parameters, name)) throw refused(text, `The parameter ${name} is given twice.`);
    const json = sign === ':=' || value.startsWith('[') ? parseJson(text, value) : value;
    const parsed = parseExactly(parametersSchema, Object.fromEntries([[name, json]]));
    if (!parsed.ok) throw refused(text, parsed.problems.map(({ message }) => message).join('; '));
    Object.assign(parameters, parsed.value);
  }
  return parameters;
}

function parseJson(text: string, value: string): unknown {
  try {
    return parseExactJson(value);
  } catch {
    throw refused(text, 'What stands behind :=, or begins with [, is JSON, such as 5, "text" or ["a", "b"].');
  }
}

function refused(text: string, why: string): LightspanError {
  return new LightspanError('usage', `--param ${shorten(text)}: ${why}`);
}

async function readParametersFile(source: string, stdin: AsyncIterable<Uint8Array>): Promise<Parameters> {
  const name = source === '-' ? 'standard input' : source;
  const reading = readYaml(await readInputText({ source, stdin, what: 'parameters file' }));
  if (!reading.ok) throw faulty(name, reading.faults);
  const parsed = parseExactly(parametersSchema, reading.value);
  if (parsed.ok) return parsed.value;
  const faults = parsed.problems.map((problem) => placeProblem(problem, reading.positionOf));
  throw faulty(name, faults);
}

/** An error with the first of the faults, in the form of those of a merge file. */
function faulty(name: string, [first]: readonly Fault[]): LightspanError {
  const { line, column, path, message } = first ?? { line: 1, column: 1, path: '', message: 'it is no map' };
  const place = `${name}:${line}:${column}${path === '' ? '' : `: ${path}`}`;
  return new LightspanError('usage', `${place}: ${message}`);
}

export type RequestBody = Readonly<Record<string, unknown>>;

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
