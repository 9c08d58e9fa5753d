import type { AppliedIssue, IssueEffect } from '../release-safety/parse-index.js';
import { describeIssueAlone } from '../words/reasons.js';
import { defineCheck, type Found, foundOrOk, stop, warn } from './check.js';

interface Kinds {
  'known-issue-stops': AppliedIssue;
  'known-issue-warns': AppliedIssue;
  'no-known-issue': { from: string; to: string };
}

/** With these effects, nothing goes wrong if the upgrade is a downtime and there is enough time. */
const warnings: ReadonlySet<IssueEffect['kind']> = new Set<IssueEffect['kind']>(['recreate', 'long']);

/**
 * What became known of the releases after their verdicts, applied to this instance. An issue whose facts are not known
 * may apply, and counts as one that does.
 */
export const knownIssues = defineCheck<Kinds>()({
  id: 'known-issues',
  group: 'database',
  needs: [],
  mayNeed: ['known-issues'],
  judge({ from, to, issues }) {
    if (issues === undefined) return [{ lacks: 'known-issues' }];
    return foundOrOk(issues.map(judgeIssue), { kind: 'no-known-issue', from, to });
  },
  label: 'Known issues',
  meaning:
    'Whether a release turned out wrong, after its verdict was published, in a way that concerns this instance.',
  looksAt:
    'The known issues of the direct step from the running release to the target. Their conditions are checked against what was seen of the instance, and --fact, which takes precedence. If a condition is not known, the issue may apply, and counts as one that does.',
  finds: {
    'known-issue-stops': {
      meaning:
        'A known issue applies, or may apply: do not install the release, or not in one step, or not before something else is done.',
      remedy:
        'Do what the issue says (lightspan known-issues show <id>). If it may apply, give the facts that are not known, with --fact.',
      describe: (issue) => describeIssueAlone(issue),
      advise,
    },
    'known-issue-warns': {
      meaning:
        'A known issue applies, or may apply: old and new pods must not overlap, or the upgrade takes far longer than others.',
      remedy:
        'Do what the issue says (lightspan known-issues show <id>). If it may apply, give the facts that are not known, with --fact.',
      describe: (issue) =>
        `${describeIssueAlone(issue)}${issue.effect.kind === 'long' ? `; seen: ${issue.effect.seen}` : ''}`,
      advise,
    },
    'no-known-issue': ({ from, to }) => `no known issue concerns the step from ${from} to ${to}`,
  },
});

function judgeIssue(issue: AppliedIssue): Found<Kinds>[number] {
  const subject = issue.id;
  return warnings.has(issue.effect.kind)
    ? warn(subject, { kind: 'known-issue-warns', ...issue })
    : stop(subject, { kind: 'known-issue-stops', ...issue });
}

/** The remedy of the issue. If something must be done first, also how to state that it was done. */
function advise({ id, remedy, effect }: AppliedIssue): string {
  const whole = `${remedy.replace(/\.$/, '')}.`;
  return effect.kind === 'action-first' ? `${whole} Once it is done, say so with --accept ${id}.` : whole;
}
