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
