import { printable } from '../printable.js';

/**
 * Text as it may stand in an element or in an attribute in quotes. Written here rather than taken from a package:
 * XML 1.0 knows five characters to escape, and the ones that it cannot hold at all are what packages leave alone.
 * Line breaks are kept, as references, which a parser does not fold in an attribute.
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
