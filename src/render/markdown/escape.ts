import { printable } from '../printable.js';

/**
 * Text from outside as one piece of inline Markdown that is shown as written: no markup, no HTML, no link, no mention
 * of a person, no reference to an issue, no line break, no table cell of its own.
 */
export function escapeMarkdown(text: string): string {
  return printable(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll(/[\\`*_{}[\]#|~$^]/g, '\\$&')
    .replaceAll('@', '&#64;')
    .replaceAll('://', '&#58;//')
    .replaceAll(/\b(www)\./gi, '$1&#46;')
    .replace(/^(\s*)([-+=:]|\d+(?=[.)]\s))/, '$1&#8203;$2');
}
