/** What several checks say, word for word: each stands here once. */

export const liftLimitOfRole =
  'Remove the limit from the role for the upgrade, and restore it afterwards. The change applies only to ' +
  'sessions that start later.';

export const waitUntilItEnds = 'Wait until it ends, then check again';

/** Of a migration whose artifact names no table, which may change any. */
export function changesAnyTable(migration: string): string {
  return `${migration} does not say which tables it changes`;
}
