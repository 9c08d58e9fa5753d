import { clip } from '../phrase.js';
import { printable } from '../printable.js';
import { nextOfLostMerge, nextOfRunningQuery } from '../words/next.js';
import { failedQueryWords } from '../words/query-failures.js';

const longestReason = 2000;

/** A query that ended without a result. */
export function renderQueryFailure({
  queryUuid,
  status,
  reason = '',
}: {
  readonly queryUuid: string;
  readonly status: Exclude<keyof typeof failedQueryWords, 'unexplained'>;
  readonly reason: string | undefined;
}): string {
  const { label, remedy } = failedQueryWords[status === 'error' && reason === '' ? 'unexplained' : status];
  const why = reason === '' ? '' : `: ${clip(reason, longestReason)}`;
  return [`Query ${printable(queryUuid)} ${label}${printable(why)}`, `Next: ${remedy}`, ''].join('\n');
}

/** A query whose result was not fetched, and the command that fetches it. */
export function renderRunningQuery(queryUuid: string, command: string): string {
  return `Query ${printable(queryUuid)} may still be running on the server.\n${renderNextOfQuery(command)}`;
}

export function renderNextOfQuery(command: string): string {
  return `Next: ${nextOfRunningQuery(printable(command))}\n`;
}

/** A merge that may be running, without anything that identifies its query. */
export function renderLostMerge(): string {
  return `The merge may be running on the server: no answer named its query.\nNext: ${nextOfLostMerge}\n`;
}
