/** How a query ended without a result, and what to do. */
export const failedQueryWords = {
  error: { label: 'failed', remedy: 'correct what the reason names, and submit the merge again.' },
  unexplained: {
    label: 'failed, without a reason',
    remedy: 'look for the query in the log of the server, and submit the merge again.',
  },
  cancelled: {
    label: 'was cancelled',
    remedy: 'somebody cancelled it; submit the merge again if that was not meant.',
  },
  expired: { label: 'has expired', remedy: 'its result is gone; submit the merge again.' },
} as const;
