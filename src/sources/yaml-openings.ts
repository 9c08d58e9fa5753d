import { type CST, Parser } from 'yaml';

/** An opening quote or bracket of a text. */
export interface Opening {
  readonly offset: number;
  /** The character itself. */
  readonly sign: string;
}

/**
 * The quotes and brackets of a YAML text that are never closed: each before those around it, which it keeps from being
 * closed. The parser itself reports them only at the end of the text.
 *
 * @param text nests no deeper than `yamlExcess` allows
 */
export function findUnclosed(text: string): Opening[] {
  const found: Opening[] = [];
  const look = (token: CST.Token | null | undefined): void => {
    if (token === null || token === undefined) return;
    if ('items' in token) {
      for (const { key, value } of token.items) {
        look(key);
        look(value);
      }
    }
    const opening = openingOf(token);
    if (opening !== undefined) found.push(opening);
  };
  for (const token of new Parser().parse(text)) if (token.type === 'document') look(token.value);
  return found;
}

/** Where a token opens, if it must be closed and is not. */
function openingOf(token: CST.Token): Opening | undefined {
  switch (token.type) {
    case 'flow-collection': {
      const { source: sign, offset } = token.start;
      const closing = sign === '[' ? ']' : '}';
      return token.end[0]?.source === closing ? undefined : { offset, sign };
    }
    case 'single-quoted-scalar':
    case 'double-quoted-scalar': {
      const { source, offset } = token;
      const sign = source.charAt(0);
      return source.length > 1 && source.endsWith(sign) ? undefined : { offset, sign };
    }
    default:
      return undefined;
  }
}
