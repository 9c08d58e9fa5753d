/** What lightspan itself draws and writes beyond ASCII, told apart without it. */
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
 * A text for a terminal that knows no more than ASCII. Names and values from outside get the escapes of JSON: inside
 * JSON the value stays what it was.
 *
 * @param exact nothing but escapes, for what a program may read
 */
export function toAscii(text: string, { exact = false } = {}): string {
  return text.replaceAll(
    /[\u0080-\uffff]/g,
    (unit) => (exact ? undefined : shapes[unit]) ?? `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
