import type { Env } from '../../core/common/env.js';
import { isRecord } from '../../core/json/is-record.js';
import { LightspanError } from '../../core/lightspan-error.js';
import { readYaml } from './yaml.js';

/** The values of variables by name; null where programs would read different values. */
export type Variables = ReadonlyMap<string, string | null>;

/** A line of a `.env` file that sets a variable. */
export interface Setting {
  readonly name: string;
  /** Null if it is more than a plain word: programs that read such files differ. */
  readonly value: string | null;
  /** From 1. */
  readonly line: number;
  /** Where that line begins in the file. */
  readonly start: number;
}

/**
 * The lines of a `.env` file that set a variable.
 *
 * @throws {LightspanError} `invalid-pin` for a line that is not plainly `NAME=value`, empty or a comment: programs read
 * it in different ways
 */
export function readAssignments(text: string, file: string): readonly Setting[] {
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  let next = text.startsWith('\uFEFF') ? 1 : 0;
  return lines.flatMap((line, i): Setting[] => {
    const start = next;
    next += line.length + (text[start + line.length] === '\r' ? 2 : 1);
    if (/^\s*(?:#.*)?$/.test(line)) return [];
    const [, name, written = ''] = setting.exec(line) ?? [];
    const [, single, double] = quoted.exec(written) ?? [];
    const value =
      single ?? double ?? (plain.test(written) ? written.replace(/ #.*$/s, '').trimEnd() : undefined);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for.
    if (name === undefined || value === undefined || /[\0-\x08\x0b-\x1f]/.test(line)) {
      throw new LightspanError(
        'invalid-pin',
        `${file}:${i + 1}: it is neither a plain NAME=value nor a comment`,
        { hint: 'Write each variable as NAME=value, one per line.' },
      );
    }
    return [{ name, value: /^[\w.:/@+-]*$/.test(value) ? value : null, line: i + 1, start }];
  });
}

const setting = /^ *(?:export +)?([A-Za-z_][\w.-]*) *= *(.*)$/s;
const quoted = /^(?:'([^']*)'|"((?:[^"\\]|\\.)*)") *(?:#.*)?$/s;
/** Without whitespace that only some programs trim, or take for the space before a comment. */
const plain = /^(?!['"#])[^\t\u0085\u00a0\u2028\u2029\ufeff]*$/;

/**
 * The variables that a `.env` file sets. One that is set twice has no clear value.
 *
 * @throws {LightspanError} as `readAssignments`
 */
export function readVariables(text: string, file: string): Variables {
  const variables = new Map<string, string | null>();
  for (const { name, value } of readAssignments(text, file)) {
    variables.set(name, variables.has(name) ? null : value);
  }
  return variables;
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

/** The files of variables that docker compose reads in place of `.env` if none are named. */
export function envFilesIn(env: Env): readonly string[] | undefined {
  const files = (env.COMPOSE_ENV_FILES ?? '').split(',').filter((file) => file !== '');
  return files.length === 0 ? undefined : files;
}

/** Where environment variables are set: a .env file, or a place in a YAML or JSON file. */
interface EnvLocation {
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
    throw new LightspanError(
      'usage',
      `--variables ${text} does not say where the variables are in the file`,
      {
        hint: 'Write the file and the path of the variables in it, for example values.yaml#extraEnv.',
      },
    );
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
  const plainText = text.replace(/^\uFEFF/, '');
  const names = path === undefined ? namesInEnv(plainText) : namesOf(valueAt(plainText, file, path));
  // If any name has another form, the list is not understood, and no name counts as known.
  if (names.length > 0 && names.every(isVariableName)) return new Set(names);
  const where = path === undefined ? file : `${file}#${path.join('.')}`;
  throw new LightspanError('usage', `${where} is not a place that sets environment variables`, {
    hint:
      'Name a file or the path of a map of them, a list of { name, value } or a list of NAME=value, for ' +
      'example values.yaml#extraEnv. Without them, the report would say that none of your variables change.',
  });
}

/**
 * The names in a `.env` file, as docker compose finds them; none if a line is of another form. `parseEnv` of Node is not
 * used for this: it loses a name that follows an empty value (`findings/node-env-file-loses-a-variable.sh`).
 */
function namesInEnv(text: string): readonly unknown[] {
  const names: unknown[] = [];
  let at = 0;
  while (at < text.length) {
    statement.lastIndex = at;
    const assignment = statement.exec(text);
    if (assignment === null) return [];
    if (assignment[1] !== undefined) names.push(assignment[1]);
    at = statement.lastIndex;
  }
  return names;
}

/**
 * An empty line, a comment, `export` without a name, or a variable: its name alone, or with a value, which may be quoted
 * over several lines. What begins with a quote, and does not end with it, is no value: programs differ in what is a name
 * after it, and so they do after `\'` between single quotes. A name alone needs an end of its line: docker compose loses
 * it without one.
 */
const statement =
  /[ \t]*(?:export[ \t]*(?=\r?\n)|(?:export[ \t]+)?(?!export[ \t]+[=:])([\w.-]+)[ \t]*(?:[=:][ \t]*(?:(?:'(?:[^'\\]|\\[^'])*'|"(?:[^"\\]|\\[\s\S])*"|`[^`\r\n]*`)[ \t]*(?:#.*)?|(?![ \t'"`]).*)|(?=\r?\n))|#.*)?(?:\r?\n|$)/y;

function valueAt(text: string, file: string, path: readonly string[]): unknown {
  const reading = readYaml(text);
  if (!reading.ok) {
    const [fault] = reading.faults;
    throw new LightspanError('usage', `${file}:${fault?.line}:${fault?.column}: ${fault?.message}`);
  }
  return path.reduce<unknown>(
    (at, key) =>
      isRecord(at) || Array.isArray(at) ? Object.getOwnPropertyDescriptor(at, key)?.value : undefined,
    reading.value,
  );
}

function namesOf(value: unknown): readonly unknown[] {
  if (isRecord(value)) return Object.keys(value);
  if (!Array.isArray(value)) return [];
  return value.map((item) =>
    typeof item === 'string' ? item.split('=', 1)[0] : isRecord(item) && item.name,
  );
}

/** Whether a program could have a variable of this name: one that a shell can set, or that charts write. */
export function isVariableName(name: unknown): name is string {
  return typeof name === 'string' && /^[A-Za-z_][A-Za-z0-9_.-]*$/.test(name);
}
