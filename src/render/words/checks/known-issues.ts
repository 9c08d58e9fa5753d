import type { KnownIssuesEvidence } from '../../../preflight/checks/known-issues.js';
import type { AppliedIssue } from '../../../release-safety/known-issues.js';
import { describeIssueAlone } from '../reasons.js';
import type { CheckWords } from './check-words.js';

export const knownIssuesWords: CheckWords<KnownIssuesEvidence> = {
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
    'no-known-issue': {
      meaning: 'No known issue concerns this step of this instance.',
      describe: ({ from, to }) => `no known issue concerns the step from ${from} to ${to}`,
    },
  },
};

/** The remedy of the issue. If something must be done first, also how to state that it was done. */
function advise({ id, remedy, effect }: AppliedIssue): string {
  const whole = `${remedy.replace(/\.$/, '')}.`;
  return effect.kind === 'action-first'
    ? `${whole} Once it is done, say so with --accept-issue ${id}.`
    : whole;
}
