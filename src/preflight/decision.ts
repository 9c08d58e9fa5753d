import type { FindingStatus } from './finding.js';

/** What to do about an upgrade. `not-known`: nothing stops it, but something that can was not checked. */
export const decisions = ['go', 'go-with-care', 'stop', 'not-known'] as const;
export type Decision = (typeof decisions)[number];

/** From which status on a finding is a no. */
export const failOnLevels = ['stop', 'warn'] as const;
export type FailOn = (typeof failOnLevels)[number];

/** One check of the answer, as far as the decision depends on it. */
interface Answer {
  readonly canStop: boolean;
  readonly whole: boolean;
}

/** What is not checked never helps: if warnings are a no, checks that can only warn must have been done as well. */
export function decide(
  {
    checks,
    findings,
  }: { readonly checks: readonly Answer[]; readonly findings: readonly { readonly status: FindingStatus }[] },
  failOn: FailOn,
): Decision {
  const found = (status: FindingStatus) => findings.some((finding) => finding.status === status);
  if (found('stop') || (failOn === 'warn' && found('warn'))) return 'stop';
  if (checks.length === 0 || checks.some((check) => isOpen(check, failOn))) return 'not-known';
  return found('warn') || found('not-checked') ? 'go-with-care' : 'go';
}

/** Whether a check could still become a no, because some part of it was not done. */
export function isOpen({ canStop, whole }: Answer, failOn: FailOn): boolean {
  return !whole && (canStop || failOn === 'warn');
}
