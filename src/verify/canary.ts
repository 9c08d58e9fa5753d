import type { Finding } from '../preflight/finding.js';

/** The result of one query through the instance. */
export type CanaryEvidence =
  | { readonly kind: 'canary-rows'; readonly rows: number }
  | { readonly kind: 'canary-without-rows' }
  /** The rows may be from before the upgrade. */
  | { readonly kind: 'canary-from-cache' }
  | {
      readonly kind: 'canary-refused';
      readonly errors: readonly { readonly kind: string; readonly message: string }[];
    }
  | { readonly kind: 'canary-ended'; readonly status: string; readonly reason: string | null }
  /** There is no result whose rows could be counted. */
  | { readonly kind: 'canary-failed'; readonly message: string; readonly hint: string | null }
  | { readonly kind: 'canary-not-run'; readonly message: string; readonly hint: string };

/** The subject is a file, or the UUID of a chart. */
export type CanaryFinding = Finding<'canary', CanaryEvidence>;

/** Only rows are a yes: a query that returns none proves nothing about the warehouse, its results or its tables. */
export function judgeCanary(subject: string, evidence: CanaryEvidence, isAnswer: boolean): CanaryFinding {
  const isTold = isAnswer && evidence.kind !== 'canary-from-cache';
  const status = evidence.kind === 'canary-rows' ? 'ok' : isTold ? 'stop' : 'not-checked';
  return { check: 'canary', status, subject, evidence };
}
