import { printable } from '../printable.js';
import { nextOfQuery, whyAndNext } from '../words/next.js';

/** A query that was waited for and brought no result. */
export function renderQueryFailure({
  queryUuid,
  status,
  reason,
}: {
  readonly queryUuid: string;
  readonly status: 'error' | 'cancelled' | 'expired';
  readonly reason: string | undefined;
}): string {
  const why = reason === undefined || reason === '' ? '' : `: ${reason.slice(0, longestReason)}`;
  const what = `Query ${printable(queryUuid)} ${words[status]}${printable(why)}`;
  return [what, ...whyAndNext([], nextOfQuery[status]), ''].join('\n');
}

const longestReason = 2000;

const words = { error: 'failed', cancelled: 'was cancelled', expired: 'has expired' } as const;
