import { printable } from '../printable.js';

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
  return `Query ${printable(queryUuid)} ${words[status]}${printable(why)}\n${nextSteps[status]}\n`;
}

const longestReason = 2000;

const words = { error: 'failed', cancelled: 'was cancelled', expired: 'has expired' } as const;

const nextSteps = {
  error: 'Next: correct what the reason names, and submit the merge again.',
  cancelled: 'Next: somebody cancelled it; submit the merge again if that was not meant.',
  expired: 'Next: its result is gone; submit the merge again.',
} as const;
