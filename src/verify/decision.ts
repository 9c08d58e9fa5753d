import type { FindingStatus } from '../checks/finding.js';

/** `not-known`: nothing that was checked says no, but something was not checked. */
export type VerifyDecision = 'verified' | 'not-verified' | 'not-known';

/**
 * Everything must say yes: the instance and each check. None makes up for another.
 *
 * @param ready whether the instance was ready with the right release the required number of times in a row
 */
export function decideVerify(
  ready: boolean,
  findings: readonly { readonly status: FindingStatus }[],
): VerifyDecision {
  if (!ready || findings.some(({ status }) => status === 'stop')) return 'not-verified';
  return findings.some(({ status }) => status === 'not-checked') ? 'not-known' : 'verified';
}
