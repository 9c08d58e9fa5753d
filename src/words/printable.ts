/**
 * Text from outside made harmless for a terminal: control and direction-changing characters become visible. In a line
 * of JSON, the escapes are JSON's own, and the value stays the same.
 */
export function printable(text: string): string {
  return text.replaceAll(
    /[\p{Cc}\u061C\u200E\u200F\u2028\u2029\u202A-\u202E\u2066-\u2069]/gu,
    (character) => {
      const code = character.codePointAt(0) ?? 0;
      return `\\u${code.toString(16).padStart(4, '0')}`;
    },
  );
}

/** The same for text of several lines, which keeps its line breaks and tabs. */
export function printableLines(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .split(/([\n\t])/)
    .map((part) => (part === '\n' || part === '\t' ? part : printable(part)))
    .join('');
}

/** The non-ASCII characters that lightspan itself writes, with distinct ASCII replacements. */
const shapes: Readonly<Record<string, string>> = {
  '▁': '.',
  '▄': '?',
  '█': '#',
  '◆': '^',
  '╳': 'x',
  '░': '-',
  '…': '...',
};

/**
 * A text for a terminal that supports only ASCII. Names and values from outside are escaped as in JSON: within JSON,
 * the value stays the same.
 *
 * @param exact only escapes, for output that a program may read
 */
export function toAscii(text: string, { exact = false } = {}): string {
  return text.replaceAll(
    /[\u0080-\uffff]/g,
    (unit) => (exact ? undefined : shapes[unit]) ?? `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
