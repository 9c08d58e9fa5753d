import type { UpgradeReport } from '../core/report.js';
import { countOf } from '../words/phrase.js';
import type { Word } from '../words/word.js';
import { type Finding, type FindingStatus, findingStatuses } from './check.js';
import type { CheckAnswer } from './run-checks.js';

/** What to do about an upgrade. `not-known`: nothing stops it, but something that can was not checked. */
export const decisions = ['go', 'go-with-care', 'stop', 'not-known'] as const;
export type Decision = (typeof decisions)[number];

/** From which status on a finding is a no. */
export const failOnLevels = ['stop', 'warn'] as const;
export type FailOn = (typeof failOnLevels)[number];

type Answer = Pick<CheckAnswer<string>, 'canStop' | 'whole'>;
type DecidedFinding = Pick<Finding<string, unknown>, 'status' | 'accepted'>;

/** What is not checked never helps: if warnings are a no, checks that can only warn must have been done as well. */
export function decide(
  { checks, findings }: { readonly checks: readonly Answer[]; readonly findings: readonly DecidedFinding[] },
  failOn: FailOn,
): Decision {
  if (findings.some((finding) => isNo(finding, failOn))) return 'stop';
  if (checks.length === 0 || checks.some((check) => isOpen(check, failOn))) return 'not-known';
  return findings.every(({ status }) => status === 'ok') ? 'go' : 'go-with-care';
}

export function isNo({ status, accepted }: DecidedFinding, failOn: FailOn): boolean {
  return status === 'stop' || (failOn === 'warn' && status === 'warn' && accepted === undefined);
}

/** Whether a check could still become a no, because some part of it was not done. */
export function isOpen({ canStop, whole }: Answer, failOn: FailOn): boolean {
  return !whole && (canStop || failOn === 'warn');
}

export const decisionWords: Record<Decision, Word & { readonly label: string; readonly next: string }> = {
  go: {
    label: 'GO',
    meaning:
      'Nothing blocks the upgrade, and everything that can block it was checked. Whether old and new pods may ' +
      'overlap is a separate question.',
    next: 'lightspan upgrade-plan lists the steps of the upgrade.',
  },
  'go-with-care': {
    label: 'GO, WITH CARE',
    meaning:
      'Nothing stops the upgrade, and everything that can stop it was checked. Something may still go wrong.',
    next: 'look at the warnings; lightspan upgrade-plan lists the steps of the upgrade.',
  },
  stop: {
    label: 'STOP',
    meaning: 'The upgrade would fail or do harm. The answer gives the reasons, and what to do about each.',
    next: 'fix what stops it, then check again.',
  },
  'not-known': {
    label: 'NOT KNOWN',
    meaning: 'Nothing found stops the upgrade, but something that can stop it was not checked.',
    remedy: 'Provide what the findings name: a right, a flag or a file.',
    next: 'provide what is missing, then check again.',
  },
};

/** `19 checks: 1 stop, 2 not checked, 1 warn, 15 ok` */
export function describeCounts(counts: Readonly<Record<FindingStatus, number>>): string {
  const all = findingStatuses.reduce((sum, status) => sum + counts[status], 0);
  return `${countOf(all, 'check')}: ${describeStatuses(counts)}`;
}

/** `1 stop, 2 not checked, 1 warn, 15 ok` */
export function describeStatuses(counts: Readonly<Record<FindingStatus, number>>): string {
  return findingStatuses
    .filter((status) => counts[status] > 0)
    .map((status) => `${counts[status]} ${status.replace('-', ' ')}`)
    .join(', ');
}

/** The caveat of an answer about a route of several hops; undefined if the route is one hop, or none is needed. */
export function describeWay(hops: number, { from, to }: { readonly from: string; readonly to: string }) {
  if (hops === 0 && from !== to) return 'none; lightspan upgrade-plan shows what blocks it';
  return hops > 1 ? `${hops} hops. ${manyHops}` : undefined;
}

export const manyHops =
  'This covers all of them together. Run it again right before each hop, for the start check of that hop.';

/**
 * The report, with the decision of a preflight applied: it can take the yes of the publisher away, and never gives one.
 */
export function withDecision(report: UpgradeReport, decision: Decision): UpgradeReport {
  if (decision === 'go' || decision === 'go-with-care') return report;
  return { ...report, safe: false, span: { ...report.span, safe: false } };
}
