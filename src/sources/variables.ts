import { parseEnv } from 'node:util';

/** What variables are set to; null for one whose value is not told plainly. */
export type Variables = ReadonlyMap<string, string | null>;

/**
 * The variables that a `.env` file sets. One that is set twice, or whose value is more than a plain word, tells nothing:
 * programs that read such files do not agree on it.
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
 * A text with its variables put in, as docker compose does: `$NAME`, `${NAME}`, and with a default or a demand,
 * `${NAME:-1.2.3}`, `${NAME-1.2.3}`, `${NAME:?why}`.
 *
 * @returns undefined where a variable is not told, or the text has more than that
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
      // What is set to something that is not told is not the default.
      if (value !== null && sign === '-') return rest ?? '';
      told = false;
      return '';
    },
  );
  return told ? filled : undefined;
}
