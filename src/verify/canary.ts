import type { Finding } from '../preflight/finding.js';

/** What became of one query through the instance. */
export type CanaryEvidence =
  | { readonly kind: 'canary-rows'; readonly rows: number }
  | { readonly kind: 'canary-without-rows' }
  /** Rows of before the upgrade, perhaps. */
  | { readonly kind: 'canary-from-cache' }
  | {
      readonly kind: 'canary-refused';
      readonly errors: readonly { readonly kind: string; readonly message: string }[];
    }
  | { readonly kind: 'canary-ended'; readonly status: string; readonly reason: string | null }
  /** Nothing came that could be counted. */
  | { readonly kind: 'canary-failed'; readonly message: string; readonly hint: string | null }
  | { readonly kind: 'canary-not-run'; readonly message: string; readonly hint: string };

/** A file, or the UUID of a chart, stands as subject. */
export type CanaryFinding = Finding<'canary', CanaryEvidence>;

/** Only rows are a yes: a query that returns none proves nothing of the warehouse, of its results, of what it reads. */
export function judgeCanary(subject: string, evidence: CanaryEvidence, isAnswer: boolean): CanaryFinding {
  const isTold = isAnswer && evidence.kind !== 'canary-from-cache';
  const status = evidence.kind === 'canary-rows' ? 'ok' : isTold ? 'stop' : 'not-checked';
  return { check: 'canary', status, subject, evidence };
}
