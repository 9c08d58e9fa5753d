import type { KnownIssue } from './record-schema.js';

/** The text of a set of records, with the date of the one modified last. */
export function formatKnownIssues(records: readonly KnownIssue[]): string {
  const [publishedAt] = records.map(({ modified }) => modified).sort((a, b) => Date.parse(b) - Date.parse(a));
  return `${JSON.stringify({ schemaVersion: '1', publishedAt, records }, null, 2)}\n`;
}
