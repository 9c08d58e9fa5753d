import type { Acceptance } from '../release-safety/accepted.js';
import type { Finding } from './check.js';

/** Checks whose findings nobody can accept, and why. */
export const neverAccepted: Readonly<Record<string, string>> = {
  'known-issues': 'a known issue is accepted by its id',
  'start-check':
    'it says whether the release starts at all, by required stops and minimum versions among others: that cannot be accepted',
};

/** What a check found; if it is accepted, as a warning that blocks nothing. What it could not look at never is. */
export function unlessAccepted<Id extends string, Evidence>(
  finding: Finding<Id, Evidence>,
  accepted: readonly Acceptance[] = [],
): Finding<Id, Evidence> {
  const { check, subject, status } = finding;
  if (status === 'ok' || Object.hasOwn(neverAccepted, check)) return finding;
  const acceptance = accepted.find(
    (one) => 'check' in one && one.check === check && (one.subject ?? null) === subject,
  );
  return acceptance === undefined ? finding : { ...finding, status: 'warn', accepted: acceptance };
}
