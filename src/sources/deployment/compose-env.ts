import { fillIn, type Lookup } from './compose-variables.js';

/** What an env file sets, or the first line in it that is not understood. */
export type EnvReading =
  | {
      readonly ok: true;
      /** Null if the value is not known. */
      readonly variables: ReadonlyMap<string, string | null>;
    }
  | { readonly ok: false; readonly line: number; readonly fault: string };

const setting = /^ *(?:export +)?([A-Za-z_][\w.-]*) *(?:= *(.*))?$/s;
const quoted = /^(?:'([^']*)'|"((?:[^"\\]|\\.)*)") *(?:#.*)?$/s;
/** Programs differ in which of them they trim, and whether a comment can stand behind them. */
const oddSpace = /[\t\u0085\u00a0\u2028\u2029\ufeff]/;

/**
 * Reads a `.env` file as docker compose does. Values over several lines, and forms that programs read in different
 * ways, are refused rather than guessed.
 *
 * @param before looks up variables that a value refers to, or that are named without a value
 */
export function readComposeEnv(text: string, before: Lookup): EnvReading {
  const variables = new Map<string, string | null>();
  const lookup: Lookup = (name) => {
    const known = before(name);
    return known === undefined ? variables.get(name) : known;
  };
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  for (const [i, line] of lines.entries()) {
    if (/^\s*(?:#.*)?$/.test(line)) continue;
    const refuse = (fault: string): EnvReading => ({ ok: false, line: i + 1, fault });
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for.
    if (/[\0-\x08\x0b-\x1f]/.test(line)) return refuse('it contains control characters');
    const [, name, value] = setting.exec(line) ?? [];
    if (name === undefined) return refuse('it is neither NAME=value nor a comment');
    if (value === undefined) {
      // Compose does not read a file that ends like this.
      if (i === lines.length - 1) return refuse('a name alone ends the file');
      const known = before(name);
      if (known !== undefined) variables.set(name, known);
      continue;
    }
    const read = readValue(value, lookup);
    if (!read.ok) return refuse(read.fault);
    variables.set(name, read.text);
  }
  return { ok: true, variables };
}

function readValue(value: string, lookup: Lookup): ReturnType<typeof fillIn> {
  if (/^['"]/.test(value)) {
    const [whole, single, double] = quoted.exec(value) ?? [];
    if (whole === undefined) return { ok: false, fault: 'its quotes do not close in the same line' };
    if (single !== undefined) return { ok: true, text: single.includes('\\') ? null : single };
    // Programs read a text with escapes and dollars in different ways.
    if (double?.includes('\\')) return { ok: true, text: null };
    return fillIn(double ?? '', lookup);
  }
  if (oddSpace.test(value))
    return { ok: false, fault: 'its value has spaces that programs read differently' };
  const plain = value.replace(/ #.*$/s, '').trimEnd();
  if (plain.startsWith('#')) return { ok: false, fault: 'a comment is where a value is expected' };
  return fillIn(plain, lookup);
}
