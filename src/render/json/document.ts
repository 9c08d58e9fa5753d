/** One line of JSON that carries its own version: another form gets another number. */
export function renderDocument(fields: Readonly<Record<string, unknown>>): string {
  return `${JSON.stringify({ schemaVersion: '1', ...fields })}\n`;
}
