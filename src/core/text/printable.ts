/**
 * Text from outside made harmless for a terminal: control and direction-changing characters become visible. In a line
 * of JSON, the escapes are JSON's own, and the value stays the same.
 */
export function printable(text: string): string {
  // Most texts are all of ASCII: of all of Unicode, the other pattern takes longer to compile than an answer to make.
  if (/^[ -~]*$/.test(text)) return text;
  return text.replaceAll(
    /[\p{Cc}\u061C\u200E\u200F\u2028\u2029\u202A-\u202E\u2066-\u2069]/gu,
    (character) => {
      const code = character.codePointAt(0) ?? 0;
      return `\\u${code.toString(16).padStart(4, '0')}`;
    },
  );
}

/** As `printable`, for a text of several lines: line breaks and tabs stay. */
export function printableLines(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .split(/([\n\t])/)
    .map((part) => (part === '\n' || part === '\t' ? part : printable(part)))
    .join('');
}
