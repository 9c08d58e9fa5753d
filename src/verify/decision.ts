import type { FindingStatus } from '../preflight/finding.js';

/** `not-known`: nothing that was looked at says no, but something was not looked at. */
export type VerifyDecision = 'verified' | 'not-verified' | 'not-known';

/**
 * Everything must say yes: the instance, and each thing that was asked of it. None makes up for another.
 *
 * @param ready the instance was ready with the right release, so many times in a row
 */
export function decideVerify(
  ready: boolean,
  findings: readonly { readonly status: FindingStatus }[],
): VerifyDecision {
  if (!ready || findings.some(({ status }) => status === 'stop')) return 'not-verified';
  return findings.some(({ status }) => status === 'not-checked') ? 'not-known' : 'verified';
}
