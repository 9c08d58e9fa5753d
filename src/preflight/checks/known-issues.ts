import type { AppliedIssue, IssueEffect } from '../../release-safety/known-issues.js';
import { type Answers, defineCheck, foundOrOk, type Judgement, stop, warn } from '../check.js';

export type KnownIssuesEvidence =
  | ({ readonly kind: 'known-issue-stops' } & AppliedIssue)
  | ({ readonly kind: 'known-issue-warns' } & AppliedIssue)
  | { readonly kind: 'no-known-issue'; readonly from: string; readonly to: string };

/** With these effects, nothing goes wrong if the upgrade is a downtime and there is enough time. */
const warnings: ReadonlySet<IssueEffect['kind']> = new Set<IssueEffect['kind']>(['recreate', 'long']);

/**
 * What became known of the releases after their verdicts, applied to this instance. An issue whose facts are not known
 * may apply, and counts as one that does.
 */
export const knownIssues = defineCheck({
  id: 'known-issues',
  group: 'database',
  canStop: true,
  needs: [],
  needsArtifacts: false,
  mayNeed: ['known-issues'],
  judge({ from, to, issues }): Answers<KnownIssuesEvidence> {
    if (issues === undefined) return [{ lacks: 'known-issues' }];
    return foundOrOk(issues.map(judgeIssue), { kind: 'no-known-issue', from, to });
  },
});

function judgeIssue(issue: AppliedIssue): Judgement<KnownIssuesEvidence> {
  const subject = issue.id;
  return warnings.has(issue.effect.kind)
    ? warn(subject, { kind: 'known-issue-warns', ...issue })
    : stop(subject, { kind: 'known-issue-stops', ...issue });
}
