import { expect, it } from 'vitest';
import { formatKnownIssues } from '../../src/known-issues/join-records.js';
import { recordOf } from '../support/known-issues.js';

it('a set is dated as the record that was modified last, wherever that stands', () => {
  // By their letters they would be in the other order.
  const modified = ['2026-11-02T00:30:00+02:00', '2026-11-01T23:00:00Z', '2026-10-01T00:00:00Z'];
  const records = modified.map((date, i) =>
    recordOf({ id: `issue-${i}`, modified: date, affected: [{ introduced: '1.0.0' }] }),
  );
  expect(JSON.parse(formatKnownIssues(records))).toEqual({
    schemaVersion: '1',
    publishedAt: '2026-11-01T23:00:00Z',
    records,
  });
});
