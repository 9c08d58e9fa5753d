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
interface HclName {
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
 * without a program of several MB, so this reads its skeleton alone: blocks, attributes, objects, lists, calls,
 * strings, heredocs and comments. An expression of anything else has no value here.
 *
 * @returns undefined if it is not written so
 */
export function readHcl(text: string): HclFile | undefined {
  try {
    return new HclReader(text).read();
  } catch (error) {
    if (error !== notHcl) throw error;
    return undefined;
  }
}

class HclReader {
  private readonly strings: HclString[] = [];
  private readonly names: HclName[] = [];
  private readonly text: string;
  private at = 0;
  private depth = 0;
  private bodies = 0;
  private inside = 0;

  constructor(text: string) {
    this.text = text;
  }

  read(): HclFile | undefined {
    this.body([]);
    return this.at < this.text.length ? undefined : { strings: this.strings, names: this.names };
  }

  private skip(newlines: boolean): void {
    for (;;) {
      const blank = newlines ? /[\s,;]*/y : /[ \t\r]*/y;
      blank.lastIndex = this.at;
      this.at += blank.exec(this.text)?.[0].length ?? 0;
      if (this.text.startsWith('/*', this.at)) {
        const end = this.text.indexOf('*/', this.at + 2);
        this.at = end < 0 ? this.text.length : end + 2;
      } else if (this.text[this.at] === '#' || this.text.startsWith('//', this.at)) {
        const end = this.text.indexOf('\n', this.at);
        this.at = end < 0 ? this.text.length : end;
      } else return;
    }
  }

  private word(): string | undefined {
    const form = /[A-Za-z_][\w-]*(?:\.[A-Za-z_*][\w-]*|\[[^\]\n]*\])*/y;
    form.lastIndex = this.at;
    const token = form.exec(this.text)?.[0];
    this.at += token?.length ?? 0;
    return token;
  }

  /** A string from its quote on, with templates in it, which may hold strings again. */
  private quoted(): { readonly value: string; readonly offset: number } {
    const offset = this.at + 1;
    this.at += 1;
    while (this.at < this.text.length && this.text[this.at] !== '"') {
      if (this.text[this.at] === '\\') this.at += 2;
      else if (
        /^[$%]\{/.test(this.text.slice(this.at, this.at + 2)) &&
        this.text[this.at - 1] !== this.text[this.at]
      )
        this.template();
      else if (this.text[this.at] === '\n') throw notHcl;
      else this.at += 1;
    }
    if (this.at >= this.text.length) throw notHcl;
    this.at += 1;
    return { value: this.text.slice(offset, this.at - 1), offset };
  }

  private template(): void {
    this.at += 2;
    for (let open = 1; open > 0; ) {
      if (this.at >= this.text.length) throw notHcl;
      if (this.text[this.at] === '"') this.quoted();
      else {
        if (this.text[this.at] === '{') open += 1;
        if (this.text[this.at] === '}') open -= 1;
        this.at += 1;
      }
    }
  }

  private heredoc(path: readonly string[]): void {
    const form = /<<-?([A-Za-z_][\w-]*)[ \t]*\r?\n/y;
    form.lastIndex = this.at;
    const [start = '', mark = ''] = form.exec(this.text) ?? [];
    if (start === '') throw notHcl;
    const offset = this.at + start.length;
    const end = new RegExp(`^[ \\t]*${mark}[ \\t]*\\r?$`, 'gm');
    end.lastIndex = offset;
    const ending = end.exec(this.text);
    if (ending === null) throw notHcl;
    this.strings.push({
      path,
      value: this.text.slice(offset, ending.index),
      offset,
      isHeredoc: true,
      body: this.inside,
    });
    this.at = ending.index + ending[0].length;
  }

  /** An expression, up to the end of its line, or to what closes around it. */
  private expression(path: readonly string[]): void {
    this.depth += 1;
    if (this.depth > maxDepth) throw notHcl;
    const strings: HclString[] = [];
    let parts = 0;
    for (;;) {
      this.skip(false);
      const character = this.text[this.at];
      if (character === undefined || '\n,;)]}'.includes(character)) break;
      parts += 1;
      if (character === '"') strings.push({ path, ...this.quoted(), isHeredoc: false, body: this.inside });
      else if (this.text.startsWith('<<', this.at)) this.heredoc(path);
      else if (character === '[') this.list(path, ']');
      else if (character === '{') this.object(path);
      else if (character === '(') this.list(path, ')');
      else {
        const name = this.word();
        if (name === undefined) this.at += 1;
        else if (this.text[this.at] === '(') this.list([...path, name], ')');
        else this.names.push({ path, name, body: this.inside });
      }
    }
    // Beside an operator, it is a part of what is meant.
    if (parts === 1) this.strings.push(...strings);
    this.depth -= 1;
  }

  private list(path: readonly string[], close: string): void {
    this.at += 1;
    for (let i = 0; ; i += 1) {
      this.skip(true);
      if (this.text[this.at] === close) break;
      if (this.at >= this.text.length) throw notHcl;
      const start = this.at;
      this.expression(close === ')' ? path : [...path, String(i)]);
      if (this.at === start) throw notHcl;
    }
    this.at += 1;
  }

  private object(path: readonly string[]): void {
    this.at += 1;
    this.body(path);
    if (this.text[this.at] !== '}') throw notHcl;
    this.at += 1;
  }

  /** Attributes and blocks, up to what closes them. */
  private body(path: readonly string[]): void {
    this.depth += 1;
    if (this.depth > maxDepth) throw notHcl;
    const around = this.inside;
    this.bodies += 1;
    this.inside = this.bodies;
    for (;;) {
      this.skip(true);
      if (this.at >= this.text.length || this.text[this.at] === '}') break;
      const keys: string[] = [];
      for (;;) {
        const key =
          this.text[this.at] === '"'
            ? this.quoted().value
            : this.text[this.at] === '('
              ? this.computed()
              : (this.word() ?? this.number());
        if (key === undefined) throw notHcl;
        keys.push(key);
        this.skip(false);
        if (this.text[this.at] === '=' || this.text[this.at] === ':' || this.text[this.at] === '{') break;
      }
      if (this.text[this.at] === '{') this.object([...path, ...keys]);
      else {
        this.at += this.text.startsWith('=>', this.at) ? 2 : 1;
        if (keys.length > 1) {
          // A comprehension: `for key, value in …`.
          this.expression(path);
          continue;
        }
        this.skip(false);
        this.expression([...path, ...keys]);
      }
    }
    this.inside = around;
    this.depth -= 1;
  }

  private computed(): string {
    const start = this.at;
    this.list([], ')');
    return this.text.slice(start, this.at);
  }

  private number(): string | undefined {
    const digits = /^\d+/.exec(this.text.slice(this.at, this.at + 20))?.[0];
    this.at += digits?.length ?? 0;
    return digits;
  }
}

const maxDepth = 60;
const notHcl = new Error('it is not written in HCL');
