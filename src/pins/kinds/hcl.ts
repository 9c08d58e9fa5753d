/** A string of a file in the language of HashiCorp (HCL), with what leads to it. */
export interface HclString {
  /** Types and labels of blocks, names of attributes, keys of objects, positions in lists. */
  readonly path: readonly string[];
  /** As it is written: with `${…}` where something is filled in. */
  readonly value: string;
  readonly offset: number;
  readonly isHeredoc: boolean;
  /** Equal for what stands beside each other in a block or an object. */
  readonly body: number;
}

/** A name that an attribute takes its value from, such as `var.tag`. */
export interface HclName {
  readonly path: readonly string[];
  readonly name: string;
  readonly body: number;
}

export interface HclFile {
  readonly strings: readonly HclString[];
  readonly names: readonly HclName[];
}

/**
 * The strings of a file in HCL: of Terraform, OpenTofu, Terragrunt and Nomad. No well-kept parser of it is to be had
 * without a program of several MB, so this reads its skeleton alone: blocks, attributes, objects, lists, calls, strings,
 * heredocs and comments. An expression of anything else has no value here.
 *
 * @returns undefined if it is not written so
 */
export function readHcl(text: string): HclFile | undefined {
  const strings: HclString[] = [];
  const names: HclName[] = [];
  let at = 0;
  let depth = 0;
  let bodies = 0;
  let inside = 0;

  const skip = (newlines: boolean): void => {
    for (;;) {
      const blank = newlines ? /[\s,;]*/y : /[ \t\r]*/y;
      blank.lastIndex = at;
      at += blank.exec(text)?.[0].length ?? 0;
      if (text.startsWith('/*', at)) {
        const end = text.indexOf('*/', at + 2);
        at = end < 0 ? text.length : end + 2;
      } else if (text[at] === '#' || text.startsWith('//', at)) {
        const end = text.indexOf('\n', at);
        at = end < 0 ? text.length : end;
      } else return;
    }
  };
  const word = (): string | undefined => {
    const form = /[A-Za-z_][\w-]*(?:\.[A-Za-z_*][\w-]*|\[[^\]\n]*\])*/y;
    form.lastIndex = at;
    const found = form.exec(text)?.[0];
    at += found?.length ?? 0;
    return found;
  };
  /** A string from its quote on, with templates in it, which may hold strings again. */
  const quoted = (): { readonly value: string; readonly offset: number } => {
    const offset = at + 1;
    at += 1;
    while (at < text.length && text[at] !== '"') {
      if (text[at] === '\\') at += 2;
      else if (/^[$%]\{/.test(text.slice(at, at + 2)) && text[at - 1] !== text[at]) template();
      else if (text[at] === '\n') throw notHcl;
      else at += 1;
    }
    if (at >= text.length) throw notHcl;
    at += 1;
    return { value: text.slice(offset, at - 1), offset };
  };
  const template = (): void => {
    at += 2;
    for (let open = 1; open > 0; ) {
      if (at >= text.length) throw notHcl;
      if (text[at] === '"') quoted();
      else {
        if (text[at] === '{') open += 1;
        if (text[at] === '}') open -= 1;
        at += 1;
      }
    }
  };
  const heredoc = (path: readonly string[]): void => {
    const form = /<<-?([A-Za-z_][\w-]*)[ \t]*\r?\n/y;
    form.lastIndex = at;
    const [start = '', mark = ''] = form.exec(text) ?? [];
    if (start === '') throw notHcl;
    const offset = at + start.length;
    const end = new RegExp(`^[ \\t]*${mark}[ \\t]*\\r?$`, 'gm');
    end.lastIndex = offset;
    const found = end.exec(text);
    if (found === null) throw notHcl;
    strings.push({ path, value: text.slice(offset, found.index), offset, isHeredoc: true, body: inside });
    at = found.index + found[0].length;
  };
  /** An expression, up to the end of its line, or to what closes around it. */
  const expression = (path: readonly string[]): void => {
    depth += 1;
    if (depth > maxDepth) throw notHcl;
    const found: HclString[] = [];
    let parts = 0;
    for (;;) {
      skip(false);
      const character = text[at];
      if (character === undefined || '\n,;)]}'.includes(character)) break;
      parts += 1;
      if (character === '"') found.push({ path, ...quoted(), isHeredoc: false, body: inside });
      else if (text.startsWith('<<', at)) heredoc(path);
      else if (character === '[') list(path, ']');
      else if (character === '{') object(path);
      else if (character === '(') list(path, ')');
      else {
        const name = word();
        if (name === undefined) at += 1;
        else if (text[at] === '(') list([...path, name], ')');
        else names.push({ path, name, body: inside });
      }
    }
    // Beside an operator, it is a part of what is meant.
    if (parts === 1) strings.push(...found);
    depth -= 1;
  };
  const list = (path: readonly string[], close: string): void => {
    at += 1;
    for (let i = 0; ; i += 1) {
      skip(true);
      if (text[at] === close) break;
      if (at >= text.length) throw notHcl;
      const start = at;
      expression(close === ')' ? path : [...path, String(i)]);
      if (at === start) throw notHcl;
    }
    at += 1;
  };
  const object = (path: readonly string[]): void => {
    at += 1;
    body(path);
    if (text[at] !== '}') throw notHcl;
    at += 1;
  };
  /** Attributes and blocks, up to what closes them. */
  const body = (path: readonly string[]): void => {
    depth += 1;
    if (depth > maxDepth) throw notHcl;
    const around = inside;
    bodies += 1;
    inside = bodies;
    for (;;) {
      skip(true);
      if (at >= text.length || text[at] === '}') break;
      const keys: string[] = [];
      for (;;) {
        const key = text[at] === '"' ? quoted().value : text[at] === '(' ? computed() : (word() ?? number());
        if (key === undefined) throw notHcl;
        keys.push(key);
        skip(false);
        if (text[at] === '=' || text[at] === ':' || text[at] === '{') break;
      }
      if (text[at] === '{') object([...path, ...keys]);
      else {
        at += text.startsWith('=>', at) ? 2 : 1;
        if (keys.length > 1) {
          // A comprehension: `for key, value in …`.
          expression(path);
          continue;
        }
        skip(false);
        expression([...path, ...keys]);
      }
    }
    inside = around;
    depth -= 1;
  };
  const computed = (): string => {
    const start = at;
    list([], ')');
    return text.slice(start, at);
  };
  const number = (): string | undefined => {
    const found = /^\d+/.exec(text.slice(at, at + 20))?.[0];
    at += found?.length ?? 0;
    return found;
  };

  try {
    body([]);
    return at < text.length ? undefined : { strings, names };
  } catch (error) {
    if (error !== notHcl) throw error;
    return undefined;
  }
}

const maxDepth = 60;
const notHcl = new Error('it is not written in HCL');
