import type { KnownIssue } from './record-schema.js';

/** The text of a set of records, dated as the one that was modified last. */
export function formatKnownIssues(records: readonly KnownIssue[]): string {
  const [publishedAt] = records.map(({ modified }) => modified).sort((a, b) => Date.parse(b) - Date.parse(a));
  return `${JSON.stringify({ schemaVersion: '1', publishedAt, records }, null, 2)}\n`;
}
