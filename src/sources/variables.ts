import { parseEnv } from 'node:util';
import { LightspanError } from '../errors.js';
import { isRecord } from '../shared/is-record.js';
import { readYaml } from './yaml.js';

/** The values of variables; null for one whose value is not clear. */
export type Variables = ReadonlyMap<string, string | null>;

/** A line of a `.env` file that sets a variable. */
export interface Setting {
  readonly name: string;
  /** Null if it is more than a plain word: programs that read such files differ. */
  readonly value: string | null;
  /** From 1. */
  readonly line: number;
}

/**
 * The lines of a `.env` file that set a variable.
 *
 * @throws {LightspanError} `invalid-pin` for a line that is not plainly `NAME=value`, empty or a comment: programs read
 * it in different ways
 */
export function readSettings(text: string, file: string): readonly Setting[] {
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  return lines.flatMap((line, i): Setting[] => {
    if (/^\s*(?:#.*)?$/.test(line)) return [];
    const refuse = (fault: string) =>
      new LightspanError('invalid-pin', `${file}:${i + 1}: ${fault}`, {
        hint: 'Write each variable as NAME=value, in a line of its own.',
      });
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for.
    if (/[\0-\x08\x0b-\x1f]/.test(line)) throw refuse('it contains control characters');
    const [, name, written] = setting.exec(line) ?? [];
    if (name === undefined) throw refuse('it is neither NAME=value nor a comment');
    if (written === undefined && i === lines.length - 1) {
      // Compose does not read a file that ends like this.
      throw refuse('a name alone ends the file');
    }
    // A name alone takes its value from the environment, which is not known.
    const value = written === undefined ? null : readValue(written, refuse);
    return [{ name, value: value !== null && /^[\w.:/@+-]*$/.test(value) ? value : null, line: i + 1 }];
  });
}

/**
 * The variables that a `.env` file sets. One that is set twice has no clear value.
 *
 * @throws {LightspanError} as `readSettings`
 */
export function readVariables(text: string, file: string): Variables {
  const variables = new Map<string, string | null>();
  for (const { name, value } of readSettings(text, file)) {
    variables.set(name, variables.has(name) ? null : value);
  }
  return variables;
}

const setting = /^ *(?:export +)?([A-Za-z_][\w.-]*) *(?:= *(.*))?$/s;
const quoted = /^(?:'([^']*)'|"((?:[^"\\]|\\.)*)") *(?:#.*)?$/s;
/** Programs differ in which of them they trim, and whether a comment can stand behind them. */
const oddSpace = /[\t\u0085\u00a0\u2028\u2029\ufeff]/;

function readValue(written: string, refuse: (fault: string) => LightspanError): string {
  if (/^['"]/.test(written)) {
    const [whole, single, double] = quoted.exec(written) ?? [];
    if (whole === undefined) throw refuse('its quotes do not close in the same line');
    return single ?? double ?? '';
  }
  if (oddSpace.test(written)) throw refuse('its value has spaces that programs read differently');
  const plain = written.replace(/ #.*$/s, '').trimEnd();
  if (plain.startsWith('#')) throw refuse('a comment is where a value is expected');
  return plain;
}

/**
 * Fills variables into a text as docker compose does: `$NAME`, `${NAME}`, and with a default or a requirement,
 * `${NAME:-1.2.3}`, `${NAME-1.2.3}`, `${NAME:?why}`.
 *
 * @returns undefined if the value of a variable is not clear, or the text has other forms
 */
export function fillVariables(text: string, variables: Variables): string | undefined {
  let isKnown = true;
  const filled = text.replaceAll(
    /\$(?:\{([A-Za-z_]\w*)(?:(:?)([-?])([^${}]*))?\}|([A-Za-z_]\w*)|)/g,
    (_whole, inBraces?: string, colon?: string, sign?: string, rest?: string, bare?: string) => {
      const name = inBraces ?? bare ?? '';
      const value = variables.get(name);
      const isSet = typeof value === 'string' && (colon !== ':' || value !== '');
      if (isSet) return value;
      // A variable that is set to an unclear value does not have the default.
      if (value !== null && sign === '-') return rest ?? '';
      isKnown = false;
      return '';
    },
  );
  return isKnown ? filled : undefined;
}

/** Where environment variables are set: a .env file, or a place in a YAML or JSON file. */
export interface EnvLocation {
  readonly file: string;
  /** Undefined for a .env file. */
  readonly path: readonly string[] | undefined;
}

/**
 * Reads `<file>` or `<file>#<path.to.variables>`.
 *
 * @throws {LightspanError} `usage` for a YAML or JSON file without a path in it
 */
export function parseEnvLocation(text: string): EnvLocation {
  const hash = text.lastIndexOf('#');
  const file = hash < 1 ? text : text.slice(0, hash);
  const path = hash < 1 ? undefined : text.slice(hash + 1).split('.');
  if (path?.includes('') || (path === undefined && /\.(?:ya?ml|json)$/i.test(file))) {
    throw new LightspanError('usage', `--variables ${text} does not name the variables in the file`, {
      hint: 'Write the file and the path of the variables in it, for example values.yaml#extraEnv.',
    });
  }
  return { file, path };
}

/**
 * The names of the environment variables that a file sets. Values are secrets: they are not kept.
 *
 * In YAML the variables are a map, a list of `{ name, value }` as in Kubernetes, or a list of `NAME=value` as in docker
 * compose.
 *
 * @throws {LightspanError} `usage` if there are no variables at the given place
 */
export function readVariableNames(text: string, { file, path }: EnvLocation): ReadonlySet<string> {
  const names = path === undefined ? namesOfEnvFile(text) : namesOfYaml(text, { file, path });
  if (names.size > 0) return names;
  throw new LightspanError('usage', `${locationName({ file, path })} sets no environment variable`, {
    hint: 'Without them the report would say that none of your variables changes: name the file that sets them.',
  });
}

function namesOfEnvFile(text: string): Set<string> {
  const names = Object.keys(parseEnv(text.replace(/^\uFEFF/, ''))).filter(isVariableName);
  return new Set(names);
}

/** Names that a shell can set, and those that charts write. */
const variableName = /^[A-Za-z_][A-Za-z0-9_.-]*$/;

function namesOfYaml(text: string, location: Required<EnvLocation>): Set<string> {
  const reading = readYaml(text.replace(/^\uFEFF/, ''));
  if (!reading.ok) {
    const [fault] = reading.faults;
    const at = fault === undefined ? '' : `:${fault.line}:${fault.column}: ${fault.message}`;
    throw new LightspanError('usage', `${location.file}${at || ' is not YAML'}`);
  }
  let value = reading.value;
  for (const key of location.path ?? []) {
    if (Array.isArray(value)) value = /^\d+$/.test(key) ? value[Number(key)] : undefined;
    else value = isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  }
  if (value === undefined || value === null) {
    throw new LightspanError('usage', `${locationName(location)}: there is nothing at that path`, {
      hint: 'Check the path, for example values.yaml#extraEnv.',
    });
  }
  const names = namesOf(value);
  if (names !== undefined) return new Set(names);
  throw new LightspanError(
    'usage',
    `${locationName(location)} is not a place that sets environment variables`,
    {
      hint: 'It must be a map of them, a list of { name, value } or a list of NAME=value.',
    },
  );
}

/** @returns undefined if any part of the value is not in one of these forms */
function namesOf(value: unknown): string[] | undefined {
  const names: string[] = [];
  if (Array.isArray(value)) {
    for (const item of value) {
      const name = typeof item === 'string' ? item.split('=', 1)[0] : isRecord(item) ? item.name : undefined;
      if (!isVariableName(name)) return undefined;
      names.push(name);
    }
    return names;
  }
  if (!isRecord(value)) return undefined;
  for (const [name, inner] of Object.entries(value)) {
    // YAML's merge key brings in the variables of other maps.
    const found = name === '<<' ? [inner].flat().map(namesOf) : [isVariableName(name) ? [name] : undefined];
    for (const some of found) {
      if (some === undefined) return undefined;
      names.push(...some);
    }
  }
  return names;
}

/** Whether a program could have a variable of this name. */
export function isVariableName(name: unknown): name is string {
  return typeof name === 'string' && variableName.test(name);
}

function locationName({ file, path }: EnvLocation): string {
  return path === undefined ? file : `${file}#${path.join('.')}`;
}
