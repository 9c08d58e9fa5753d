import { LightspanError } from '../errors.js';

/** The values of variables; null for one whose value is not clear. */
export type Variables = ReadonlyMap<string, string | null>;

/**
 * The variables that a `.env` file sets. One that is set twice, or whose value is more than a plain word, has no clear
 * value: programs that read such files differ.
 *
 * @throws {LightspanError} `invalid-pin` for a line that is not plainly `NAME=value`, empty or a comment: programs read
 * it in different ways
 */
export function readVariables(text: string, file: string): Variables {
  const variables = new Map<string, string | null>();
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  for (const [i, line] of lines.entries()) {
    if (/^\s*(?:#.*)?$/.test(line)) continue;
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
    const isClear = value !== null && !variables.has(name) && /^[\w.:/@+-]*$/.test(value);
    variables.set(name, isClear ? value : null);
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

/** The lines, from 1, of a `.env` file that set a variable. */
export function linesThatSet(name: string, text: string): readonly number[] {
  return text
    .replace(/^\uFEFF/, '')
    .split('\n')
    .flatMap((line, i) => {
      const [, set] = /^\s*(?:export\s+)?([\w.-]+)\s*[=:]/.exec(line) ?? [];
      return set === name ? [i + 1] : [];
    });
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
