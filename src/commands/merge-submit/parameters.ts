import { LightspanError } from '../../errors.js';
import type { Fault } from '../../merge-query/merge-check.js';
import { type ParameterValue, parametersSchema } from '../../merge-query/request.js';
import { type Exact, parseExactJson } from '../../shared/exact-json.js';
import { nestsTooDeep } from '../../shared/json-scan.js';
import { parseExactly } from '../../shared/parse-with.js';
import { shorten } from '../../shared/quote.js';
import { formatPath } from '../../shared/schema-problem.js';
import { readInputText } from '../../sources/input-text.js';
import { readYaml } from '../../sources/yaml.js';

/** By name, every number as it was written. */
export type Parameters = Exact<Record<string, ParameterValue>>;

export interface ParameterOptions {
  /** The values of `--param`: `name=text`, `name=[...]`, `name:=json`. */
  readonly param?: readonly string[];
  /** A file of YAML or JSON, or `-`. */
  readonly paramsFile?: string;
}

/**
 * The parameters from the flags; single ones take precedence over those of a file.
 *
 * @returns undefined if there are none
 * @throws {LightspanError} `usage` for an invalid parameter, and if the file cannot be read
 */
export async function readParameters(
  { param, paramsFile }: ParameterOptions,
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
    if (!nestsTooDeep(value)) return parseExactJson(value);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw refused(text, 'What stands behind :=, or begins with [, is JSON, such as 5, "text" or ["a", "b"].');
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
  throw faulty(
    name,
    parsed.problems.map(({ path, about, message }) => ({
      ...reading.positionOf(path, about),
      path: formatPath(path),
      message,
    })),
  );
}

/** An error with the first of the faults, in the form of those of a merge file. */
function faulty(name: string, [first]: readonly Fault[]): LightspanError {
  const { line, column, path, message } = first ?? { line: 1, column: 1, path: '', message: 'it is no map' };
  const place = `${name}:${line}:${column}${path === '' ? '' : `: ${path}`}`;
  return new LightspanError('usage', `${place}: ${message}`);
}
