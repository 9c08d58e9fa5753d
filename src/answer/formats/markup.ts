import { printable } from '../../core/text/printable.js';

/** A piece of HTML that is safe in a page. Only `html` makes one from text. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type MarkupValue = string | number | Markup | null | undefined | readonly MarkupValue[];

/**
 * Writes HTML. Inserted values are text and are shown as written, both in an element and in a quoted attribute, unless
 * they are HTML made here. So nothing from outside becomes markup because somebody forgot to escape it.
 */
export function html(strings: TemplateStringsArray, ...values: readonly MarkupValue[]): Markup {
  let text = strings[0] ?? '';
  for (const [i, value] of values.entries()) text += write(value) + (strings[i + 1] ?? '');
  return new Markup(text);
}

function write(value: MarkupValue): string {
  if (value === null || value === undefined) return '';
  if (value instanceof Markup) return value.text;
  if (typeof value === 'object') return value.map(write).join('');
  return escapeHtml(String(value));
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeHtml(text: string): string {
  return printable(text).replaceAll(/[&<>"']/g, (character) => entities[character] ?? '');
}
