import { LightspanError } from '../errors.js';
import { readComposeEnv } from './deployment/compose-env.js';

/** The values of variables; null for one whose value is not clear. */
export type Variables = ReadonlyMap<string, string | null>;

/**
 * The variables that a `.env` file sets. One that is set twice, or whose value is more than a plain word, has no clear
 * value: programs that read such files differ.
 *
 * @throws {LightspanError} `invalid-pin` for a line that is not plainly `NAME=value`, empty or a comment
 */
export function readVariables(text: string, file: string): Variables {
  // The environment, which takes precedence, is not known.
  const reading = readComposeEnv(text, () => null);
  if (!reading.ok) {
    throw new LightspanError('invalid-pin', `${file}:${reading.line}: ${reading.fault}`, {
      hint: 'Write each variable as NAME=value, in a line of its own.',
    });
  }
  return new Map(
    [...reading.variables].map(([name, value]) => [
      name,
      value !== null && linesThatSet(name, text).length === 1 && /^[\w.:/@+-]*$/.test(value) ? value : null,
    ]),
  );
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
  let told = true;
  const filled = text.replaceAll(
    /\$(?:\{([A-Za-z_]\w*)(?:(:?)([-?])([^${}]*))?\}|([A-Za-z_]\w*)|)/g,
    (_whole, inBraces?: string, colon?: string, sign?: string, rest?: string, bare?: string) => {
      const name = inBraces ?? bare ?? '';
      const value = variables.get(name);
      const isSet = typeof value === 'string' && (colon !== ':' || value !== '');
      if (isSet) return value;
      // A variable that is set to an unclear value does not have the default.
      if (value !== null && sign === '-') return rest ?? '';
      told = false;
      return '';
    },
  );
  return told ? filled : undefined;
}
