import { parseEnv } from 'node:util';

/** The values of variables; null for one whose value is not clear. */
export type Variables = ReadonlyMap<string, string | null>;

/**
 * The variables that a `.env` file sets. One that is set twice, or whose value is more than a plain word, has no clear
 * value: programs that read such files differ.
 */
export function readVariables(text: string): Variables {
  const plain = text.replace(/^\uFEFF/, '');
  return new Map(
    Object.entries(parseEnv(plain)).map(([name, value = '']) => [
      name,
      linesThatSet(name, plain).length === 1 && /^[\w.:/@+-]*$/.test(value) ? value : null,
    ]),
  );
}

/** The lines, from 1, of a `.env` file that set a variable. */
export function linesThatSet(name: string, text: string): readonly number[] {
  return text.split('\n').flatMap((line, i) => {
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
