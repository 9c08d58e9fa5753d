import builtIn from './built-in.json' with { type: 'json' };
import type { Horizon, KnownIssueSet, KnownRecord, Note } from './records.js';

/** `known-issues/*.yaml`. `npm run generate -- known-issues` checks them when it writes them here: no schema is loaded for them. */
export const builtInKnownIssues = builtIn as unknown as KnownIssueSet & {
  readonly publishedAt: string;
  readonly knownThrough: Horizon;
  readonly notes: readonly Note[];
};

export const builtInRecords: readonly KnownRecord[] = [
  ...builtInKnownIssues.records,
  ...builtInKnownIssues.notes,
];

/** What time it is for records: a clock that is behind those that are built in is wrong. */
export function timeForRecords(clock: Date): Date {
  return new Date(Math.max(clock.getTime(), Date.parse(builtInKnownIssues.publishedAt)));
}
