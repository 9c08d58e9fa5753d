/** A name as PostgreSQL reads it. Always quoted: any plain word may be a reserved one. */
export function sqlName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** A text as PostgreSQL reads it, whatever `standard_conforming_strings` says. */
export function sqlText(text: string): string {
  const quoted = `'${text.replaceAll("'", "''").replaceAll('\\', '\\\\')}'`;
  return text.includes('\\') ? `E${quoted}` : quoted;
}
