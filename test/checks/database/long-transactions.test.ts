import { describe } from 'vitest';
import { longTransactions } from '../../../src/checks/database/long-transactions.js';
import type { FactOf } from '../../../src/instance/facts/needs.js';
import { itFinds, sessionOf } from '../../support/preflight.js';

const seen = (told: Partial<FactOf<'activity'>>): FactOf<'activity'> => ({
  sessions: [],
  hiddenSessions: 0,
  ...told,
});

describe('long transactions', () => {
  itFinds(longTransactions, (activity: FactOf<'activity'>) => ({ facts: { activity } }), {
    'ok no-long-transaction': {
      none: seen({}),
      'a short one': seen({ sessions: [sessionOf({ transactionSeconds: 299 })] }),
      'a session that does not tell its age': seen({
        sessions: [sessionOf({ transactionSeconds: null, snapshot: true })],
      }),
      'a short one of a background worker': seen({
        sessions: [sessionOf({ backend: 'pg_cron', snapshot: true })],
      }),
      'a vacuum': seen({ sessions: [sessionOf({ backend: 'autovacuum worker', transactionSeconds: 900 })] }),
      'a replica that follows': seen({
        sessions: [sessionOf({ backend: 'walsender', transactionSeconds: null, snapshot: false })],
      }),
      'a part of a query, which its leader stands for': seen({
        sessions: [sessionOf({ backend: 'parallel worker', transactionSeconds: 900 })],
      }),
    },
    'warn long-transaction pid 7': {
      'a long one': seen({ sessions: [sessionOf({ pid: 7, transactionSeconds: 300 })] }),
      'one of which nothing else is told': seen({
        sessions: [sessionOf({ pid: 7, role: null, state: null, transactionSeconds: 300 })],
      }),
      'that of a background worker': seen({
        sessions: [sessionOf({ pid: 7, backend: 'pg_cron', transactionSeconds: 900 })],
      }),
    },
    'not-checked facts-not-seen; warn long-transaction pid 7': {
      'a long one, and others that may not be seen': seen({
        sessions: [sessionOf({ pid: 7, transactionSeconds: 300 })],
        hiddenSessions: 1,
      }),
    },
    'not-checked facts-not-seen': {
      'none that may be seen': seen({ hiddenSessions: 1 }),
      'the copy that a subscriber begins with, which does not tell its age': seen({
        sessions: [sessionOf({ backend: 'walsender', transactionSeconds: null, snapshot: true })],
      }),
    },
  });
});
