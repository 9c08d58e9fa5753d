/** The value of a variable: null if it is not known, undefined if the variable is not set. */
export type Lookup = (name: string) => string | null | undefined;

/** A text with its variables filled in, or why there is none. Neither contains the value of a variable. */
export type Filled =
  | {
      readonly ok: true;
      /** Null if a variable in it has a value that is not known. */
      readonly text: string | null;
    }
  | { readonly ok: false; readonly fault: string };

const start = /\$(?:\$|([A-Za-z_]\w*)|\{([A-Za-z_]\w*)(?:\}|(:?[-?+]))|)/g;

/**
 * Fills variables into a text as docker compose does: `$NAME`, `${NAME}`, and `:-`, `-`, `:+`, `+`, `:?`, `?`, followed
 * by text with more variables; `$$` is a dollar. An unset variable is empty. No other form is guessed.
 */
export function fillIn(text: string, lookup: Lookup): Filled {
  let filled: string | null = '';
  let at = 0;
  const add = (part: string | null) => {
    filled = filled === null || part === null ? null : filled + part;
  };
  for (;;) {
    start.lastIndex = at;
    const match = start.exec(text);
    if (match === null) break;
    const [whole, bare, braced, sign] = match;
    add(text.slice(at, match.index));
    at = match.index + whole.length;
    const name = bare ?? braced;
    if (name === undefined) {
      if (whole !== '$$')
        return { ok: false, fault: 'a $ is not followed by a variable ($$ is a dollar sign)' };
      add('$');
    } else if (sign === undefined) {
      const value = lookup(name);
      add(value === undefined ? '' : value);
    } else {
      const end = endOfBraces(text, at);
      if (end === undefined) return { ok: false, fault: `\${${name} is never closed` };
      const chosen = choose({ name, sign, word: text.slice(at, end) }, lookup);
      if (!chosen.ok) return chosen;
      add(chosen.text);
      at = end + 1;
    }
  }
  add(text.slice(at));
  return { ok: true, text: filled };
}

function choose(
  { name, sign, word }: { readonly name: string; readonly sign: string; readonly word: string },
  lookup: Lookup,
): Filled {
  // Versions of compose split such a text at different places.
  if (/:[-?+]/.test(word.replaceAll(/\$\{[^{}]*\}/g, ''))) {
    return { ok: false, fault: `\${${name}${sign}…} holds another of :- :? :+` };
  }
  const value = lookup(name);
  if (value === null && sign.startsWith(':')) return { ok: true, text: null };
  const isSet = value !== undefined && (value !== '' || !sign.startsWith(':'));
  const other = fillIn(word, lookup);
  if (!other.ok) return other;
  switch (sign.at(-1)) {
    case '-':
      return isSet ? { ok: true, text: value } : other;
    case '+':
      return isSet ? other : { ok: true, text: '' };
    default:
      return isSet ? { ok: true, text: value } : { ok: false, fault: `${name} must be set, and is not` };
  }
}

/** The position of the closing brace that ends a word. */
function endOfBraces(text: string, from: number): number | undefined {
  let open = 1;
  for (let i = from; i < text.length; i += 1) {
    if (text.startsWith('${', i)) open += 1;
    else if (text[i] === '}') open -= 1;
    if (open === 0) return i;
  }
  return undefined;
}
