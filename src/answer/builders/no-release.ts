import type { ReleaseSafetyIndex } from '../../core/index/release-safety-index.js';
import type { Reason } from '../../core/results.js';
import { findNoRelease, type NoRelease } from '../../core/route/no-release.js';
import type { Span } from '../../core/span.js';
import { compact } from '../../core/text/compact.js';
import type { Version } from '../../core/version.js';
import type { Demands } from '../../known-issues/demands.js';
import { linesOfDemands, linesOfNotes } from '../../words/evidence/demands.js';
import { factsOfJudgedBy, type JudgedBy } from '../../words/evidence/judged-by.js';
import { commandOf } from '../../words/route/next.js';
import { describeIssue, reasonsOfKind } from '../../words/route/reasons.js';
import { type Answer, emptyAnswer, type Fact, noHops, type Question, type Table } from '../answer.js';
import { headlineOf } from '../headline.js';

interface NoReleaseRequest {
  readonly command: 'upgrade-check' | 'upgrade-plan';
  readonly from: Version;
  /** The target as the user wrote it, which may be a name such as `latest`. */
  readonly to: string;
  readonly facts?: readonly Fact[];
  /** That are a no, or not known, whatever else is known. */
  readonly questions: readonly Pick<Question, 'name' | 'answer'>[];
  /** What speaks against it besides, such as known issues. */
  readonly further?: readonly string[];
  /** What the upgrade asks for, which needs no index. */
  readonly demands: Demands;
  /** Of a release that is still to come. */
  readonly changes?: Table | undefined;
  readonly judgedBy: JudgedBy;
  /** The options of the request that say what it is judged by. */
  readonly evidence: readonly string[];
}

/**
 * For a span with an end that the index lacks: which versions it has instead. Whatever else is known of it says less.
 * undefined for any other span.
 */
export function answerOfNoRelease(
  index: ReleaseSafetyIndex,
  span: Span,
  request: NoReleaseRequest,
): Answer | undefined {
  const none = findNoRelease(index, span);
  if (none === undefined) return undefined;
  const { from, to, facts = [], questions, further = [], demands, changes, judgedBy } = request;
  const description = describeNoRelease(none);
  return {
    ...emptyAnswer,
    ...noHops,
    title: `${titles[request.command]}: ${from} -> ${to}`,
    headline: headlineOf({ kind: 'no', reason: description }),
    isContract: request.command === 'upgrade-check',
    safe: false,
    verdict: 'unknown',
    strategy: 'Recreate',
    facts,
    questions: questions.map((question, i) => ({
      ...question,
      yes: false,
      why: ['the index does not have it (span rule 7)', ...(i === 0 ? further : [])],
    })),
    // Without releases after it, the version is mistyped, and nothing is demanded of it.
    remarks:
      none.after === undefined
        ? [...linesOfDemands(demands), ...(changes === undefined ? linesOfNotes(demands) : [])].map(
            (text) => ({ text }),
          )
        : [],
    changes: none.after === undefined ? changes : undefined,
    provenance: factsOfJudgedBy(judgedBy),
    why: ['missing-coverage'],
    next: nextOfNoRelease(none, request),
  };
}

const titles = { 'upgrade-check': 'Release safety check', 'upgrade-plan': 'Upgrade plan' } as const;

/** What stands first in an answer about more than that span: that an end of it is no release, and what is near. */
export function factOfNoRelease(index: ReleaseSafetyIndex, span: Span): Fact | undefined {
  const none = findNoRelease(index, span);
  return none && { label: 'Version', text: describeNoRelease(none), tone: 'bad' };
}

export function issuesAmong(reasons: readonly Reason[]): string[] {
  return reasonsOfKind(reasons, 'known-issue').map(describeIssue);
}

/** `1.121.7 is not a release; nearest: 1.121.6, 1.122.0`; without a full stop. */
export function describeNoRelease({ version, before, after, generatedAt }: NoRelease): string {
  return after === undefined
    ? `${version} is newer than the index of ${generatedAt.slice(0, 10)}, which ends at ${before}`
    : `${version} is not a release; nearest: ${compact(before, after).join(', ')}`;
}

function nextOfNoRelease(
  { version, before, after }: NoRelease,
  { command, from, to, evidence }: NoReleaseRequest,
): string {
  const ask = (start: string, end: string) => commandOf([command, '--from', start, '--to', end], evidence);
  const otherwise =
    after === undefined ? 'read a newer index, or ask for a release that it has' : 'ask for the nearest one';
  if (version === from && after === undefined) return 'read a newer index, or check which version runs';
  if (version === from) {
    // A later start would leave out what may not have been installed.
    return `check which version runs (--instance <url> asks it): ${ask(String(before ?? after), to)}`;
  }
  const near = after ?? before;
  return near === undefined || near === from
    ? 'read a newer index; this one ends at the running version'
    : `${otherwise}: ${ask(from, near)}`;
}
