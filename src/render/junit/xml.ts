import { printable } from '../printable.js';

/**
 * Text for an element or for a quoted attribute. Not from a package, because packages escape the five characters of XML
 * 1.0, but do not remove those that it cannot contain at all. Line breaks are kept as character references, which a
 * parser does not normalise in an attribute.
 */
export function escapeXml(text: string): string {
  return text
    .split('\n')
    .map((line) =>
      printable(line)
        .replaceAll('&', '&amp;')
        .replaceAll('<', '&lt;')
        .replaceAll('>', '&gt;')
        .replaceAll('"', '&quot;')
        .replaceAll("'", '&apos;')
        .replaceAll(/[\p{Cs}\uFFFE\uFFFF]/gu, '\uFFFD'),
    )
    .join('&#10;');
}
