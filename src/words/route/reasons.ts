import type { AppliedIssue } from '../../core/results.js';
import type { LandingReason, RouteBlock, RouteHop } from '../../core/route/route.js';
import {
  type MissingRange,
  questionOf,
  type Reason,
  type ReasonKind,
  type UnknownVerdict,
} from '../../core/span.js';
import { compact } from '../../core/text/compact.js';
import { printable } from '../../core/text/printable.js';
import { compareVersions, type Version } from '../../core/version.js';
import { factKindOf } from '../../instance/facts/fact-names.js';
import { countOf, listNames } from '../phrase.js';
import { type Descriptions, describeBy, type Word, type Words } from '../word.js';

export const checkVersion =
  'Check the version. If it is new, wait until the index lists it. If the index is a copy, get a complete one.';

/** Why a span is not proven, for the version that it begins at. The same kinds block a route. */
export const reasonWords: Words<Reason, [from: string]> = {
  'below-index-floor': {
    meaning: 'The running version is older than the index floor. No index covers it.',
    rule: 5,
    remedy: 'Upgrade to the floor first, with Recreate, then check the rest of the route from there.',
    describe: ({ floor }, from) => `${from} is older than the index floor ${floor} (span rule 5)`,
  },
  'missing-coverage': {
    meaning: 'The index lacks an end of the span or a release in between, so the span is not proven.',
    rule: 7,
    remedy: checkVersion,
    describe: ({ range }) => `${describeHole(range)} (span rule 7)`,
  },
  'required-stop': {
    meaning:
      'A release of the span requires that you install another version on the way. If this blocks a route, the ' +
      'index does not contain that version.',
    rule: 3,
    remedy:
      'Upgrade to the stop, let its migrations run, then continue; lightspan upgrade-plan lists the hops.',
    describe: ({ stop, demandedBy }) =>
      `${stop} must be installed on the way and its migrations run (span rule 3${requiredBy(demandedBy)})`,
  },
  'below-minimum-version': {
    meaning: 'The running version is too old to jump from. A release of the span sets a later minimum.',
    rule: 4,
    remedy: 'Upgrade to the minimum or a later release first; lightspan upgrade-plan lists the hops.',
    describe: ({ minimum, demandedBy }, from) =>
      `${from} is older than ${minimum}, the oldest version you can jump from (span rule 4${requiredBy(demandedBy)})`,
  },
  'unsafe-release': {
    meaning: 'The verdict of a release is false: old and new pods must not overlap while it is rolled out.',
    rule: 2,
    remedy: 'Plan downtime and use Recreate, or choose a target before that release.',
    describe: ({ version }) => `${version} is unsafe to roll (span rule 2)`,
  },
  'unknown-release': {
    meaning: 'The verdict of a release is unknown: nobody has shown that old and new pods may overlap.',
    rule: 1,
    remedy:
      'Plan downtime and use Recreate, or wait: a recent release may still get a verdict, a backfilled one will not.',
    describe: (reason) => `${reason.version} is ${describeUnknown(reason)}`,
  },
  'known-issue': {
    meaning:
      'A release of the span turned out to have a problem after its verdict was published. The publisher ' +
      'never changes a verdict; a known issue overrules it.',
    remedy:
      'Do what the issue says (lightspan known-issues show <id>). If it may apply, pass the missing facts with ' +
      '--fact or --facts.',
    describe: (issue) => describeIssue(issue),
  },
};

/**
 * A known issue of one release, what to do about it, and what would show whether it applies. Its record may be from a
 * mirror.
 */
export function describeIssue(issue: AppliedIssue): string {
  return `${issue.version} has the ${describeOneIssue(issue)}`;
}

export function describeOneIssue(issue: AppliedIssue): string {
  return printable(`${nameIssue(issue)}; what to do: ${withoutStop(issue.remedy)}`);
}

export function describeIssueAlone(issue: AppliedIssue): string {
  return `${issue.version} has the ${nameIssue(issue)}`;
}

/** For a headline: what is not known of it stands with the reasons. */
export function describeIssueInShort({ version, id, summary, notKnown }: AppliedIssue): string {
  const has = notKnown.length === 0 ? 'has' : 'may have';
  return `${version} ${has} the known issue ${id}: ${withoutStop(summary)}`;
}

function nameIssue({ id, summary, notKnown }: AppliedIssue): string {
  return `known issue ${id}: ${withoutStop(summary)}${mayApply(notKnown)}`;
}

/** That an issue counts although it is not known whether it applies, and what would settle it. */
function mayApply(notKnown: AppliedIssue['notKnown']): string {
  if (notKnown.length === 0) return '';
  const are = notKnown.length === 1 ? 'is' : 'are';
  return (
    `; it may apply, because ${notKnown.join(', ')} ${are} not known ` +
    `(${notKnown.map(howToState).join(', ')} could settle it)`
  );
}

/** The option that states a fact, with the values that it takes. */
function howToState(name: string): string {
  const kind = factKindOf(name);
  const value = kind?.kind === 'word' ? kind.words.join('|') : `<${kind?.kind ?? 'value'}>`;
  return `--fact ${name}=${value}`;
}

/** The required stop that comes first. */
export function firstStop(reasons: readonly Reason[]): Version | undefined {
  return reasonsOfKind(reasons, 'required-stop')
    .map(({ stop }) => stop)
    .sort(compareVersions)[0];
}

/** The known issue to name: one that forbids the direct upgrade before one that only forbids to roll. */
export function firstIssue(reasons: readonly Reason[]) {
  const issues = reasonsOfKind(reasons, 'known-issue');
  return issues.find((issue) => questionOf(issue) === 'jump') ?? issues[0];
}

/** The releases that are not proven safe to roll: one line for each of the two rules, with their first names. */
export function describeUnproven(
  unsafe: readonly string[],
  unknown: readonly string[],
  { verbose = false }: { readonly verbose?: boolean } = {},
): string[] {
  const line = (versions: readonly string[], what: string) =>
    versions.length > 0 &&
    `${countOf(versions.length, 'release is', 'releases are')} ${what}: ` +
      `${listNames(versions, verbose ? versions.length : 3)}`;
  return compact(
    line(unsafe, 'unsafe to roll (span rule 2)'),
    line(unknown, 'unknown, which counts as unsafe (span rule 1)'),
  );
}

function withoutStop(sentence: string): string {
  return sentence.replace(/\.$/, '');
}

export function describeReason(reason: Reason, from: string): string {
  return describeBy(reasonWords, reason, from);
}

/** As `reasonWords`, where a reason blocks a route: the sentence for the first release that cannot be reached. */
const blockWords: Descriptions<RouteBlock> = {
  'below-index-floor': {
    describe: (block) => {
      const { version, floor } = block;
      return compareVersions(version, floor) < 0
        ? describeReason(block, version)
        : `${version}: the index floor ${floor} must be installed first, and the index does not contain it ` +
            '(span rule 5)';
    },
  },
  'missing-coverage': {
    describe: (block) => {
      const { version, range } = block;
      const hole = describeReason(block, version);
      return range.afterVersion === range.beforeVersion ? hole : `${version}: ${hole}`;
    },
  },
  'required-stop': {
    describe: ({ version, stop, demandedBy }) =>
      `${version}: the stop ${stop} must be installed on the way, required by ${shorten(demandedBy)}, and the ` +
      'index does not contain it (span rule 3)',
  },
  'below-minimum-version': {
    describe: ({ version, minimum }) =>
      `${version} can only be reached from ${minimum} or later, and no release before it is that new (span rule 4)`,
  },
  'unsafe-release': { describe: (block) => describeReason(block, block.version) },
  'unknown-release': { describe: (block) => describeReason(block, block.version) },
  'known-issue': { describe: ({ issues }) => issues.map(describeIssue).join('; ') },
};

export function describeBlock(block: RouteBlock): string {
  return describeBy(blockWords, block);
}

/** Why a hop of a route lands where it does, short enough for a table. */
export const landingWords: Record<LandingReason, Word & { describe(hop: RouteHop): string }> = {
  'index-floor': {
    meaning: 'The hop ends at the index floor. A route that starts below it must pass through it.',
    rule: 5,
    describe: () => 'the index floor',
  },
  'required-stop': {
    meaning: 'The hop ends at a version that a later release requires.',
    rule: 3,
    describe: ({ demandedBy }) => `required stop of ${shorten(demandedBy)}`,
  },
  'minimum-previous-version': {
    meaning: 'The hop ends where it meets the minimum of the releases after it.',
    rule: 4,
    describe: ({ demandedBy }) => `minimum of ${shorten(demandedBy)}`,
  },
  'known-issue': {
    meaning: 'The hop ends where a known issue demands a stop, or before a release to avoid.',
    describe: ({ landingIssues }) => `known issue ${shorten(landingIssues.map(({ id }) => id))}`,
  },
  'least-downtime': {
    meaning:
      'With --prefer least-downtime: the hop ends where releases that are proven to roll begin or end, so less ' +
      'migration work runs while Lightdash is down.',
    describe: () => 'less downtime',
  },
  target: { meaning: 'The hop ends at the requested version.', describe: () => 'the target' },
};

export function describeLanding(hop: RouteHop): string {
  return landingWords[hop.reason].describe(hop);
}

function describeUnknown({ rule, backfilled }: UnknownVerdict): string {
  if (rule === 6) return 'backfilled, so its verdict true proves nothing (span rule 6)';
  return `${backfilled ? 'backfilled and ' : ''}unknown, which counts as unsafe (span rule 1)`;
}

/** The meaning of a missing range, in the publisher's own words. */
export function describeRange({ afterVersion, beforeVersion }: MissingRange): string {
  return afterVersion === beforeVersion
    ? `version ${afterVersion} is not present`
    : `after ${afterVersion} and before ${beforeVersion}`;
}

export function describeHole(range: MissingRange): string {
  return range.afterVersion === range.beforeVersion
    ? `${describeRange(range)} in the index`
    : `the index lacks releases ${describeRange(range)}`;
}

export function reasonsOfKind<K extends ReasonKind>(
  reasons: readonly Reason[],
  kind: K,
): Extract<Reason, { kind: K }>[] {
  return reasons.filter((reason): reason is Extract<Reason, { kind: K }> => reason.kind === kind);
}

function requiredBy(demandedBy: readonly string[]): string {
  return demandedBy.length === 0 ? '' : `, required by ${shorten(demandedBy)}`;
}

function shorten(versions: readonly string[]): string {
  return versions.length === 0 ? 'the index' : listNames(versions, 1);
}
