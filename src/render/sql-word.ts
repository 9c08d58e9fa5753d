/** A name as a PostgreSQL identifier. It is always quoted, because any plain word may be reserved. */
export function sqlName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** A text as a PostgreSQL string, valid with any value of `standard_conforming_strings`. */
export function sqlText(text: string): string {
  const quoted = `'${text.replaceAll("'", "''").replaceAll('\\', '\\\\')}'`;
  return text.includes('\\') ? `E${quoted}` : quoted;
}
