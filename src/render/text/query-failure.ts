import { printable } from '../printable.js';
import { nextOfQuery } from '../words/next.js';

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
  return `Query ${printable(queryUuid)} ${words[status]}${printable(why)}\nNext: ${nextOfQuery[status]}\n`;
}

const longestReason = 2000;

const words = { error: 'failed', cancelled: 'was cancelled', expired: 'has expired' } as const;
