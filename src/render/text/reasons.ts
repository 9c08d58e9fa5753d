import type { MissingRange, Reason, ReasonKind, UnknownVerdict } from '../../release-safety/span.js';

/** A reason in words, without a full stop; every surface says it alike. */
export function describeReason(reason: Reason, from: string): string {
  switch (reason.kind) {
    case 'below-index-floor':
      return `${from} is older than the index floor ${reason.floor} (span rule 5)`;
    case 'missing-coverage':
      return `${describeHole(reason.range)} (span rule 7)`;
    case 'required-stop':
      return `${reason.stop} must be installed on the way and its migrations run (span rule 3${requiredBy(reason.demandedBy)})`;
    case 'below-minimum-version':
      return `${from} is older than ${reason.minimum}, the oldest version to jump from (span rule 4${requiredBy(reason.demandedBy)})`;
    case 'unsafe-release':
      return `${reason.version} is unsafe to roll (span rule 2)`;
    case 'unknown-release':
      return `${reason.version} is ${describeUnknown(reason)}`;
  }
}

/** Why the verdict of a release counts as unknown. */
export function describeUnknown({ rule, backfilled }: UnknownVerdict): string {
  if (rule === 6) return 'backfilled, so that its true proves nothing (span rule 6)';
  return `${backfilled ? 'backfilled and ' : ''}unknown, which counts as unsafe (span rule 1)`;
}

/** What a missing range stands for, in the publisher's own words. */
export function describeRange({ afterVersion, beforeVersion }: MissingRange): string {
  return afterVersion === beforeVersion
    ? `version ${afterVersion} is not present`
    : `after ${afterVersion} and before ${beforeVersion}`;
}

/** The same as a clause of its own. */
export function describeHole(range: MissingRange): string {
  return range.afterVersion === range.beforeVersion
    ? `${describeRange(range)} in the index`
    : `the index lacks releases ${describeRange(range)}`;
}

/** Where the words behind a no are explained, for whoever meets one of them for the first time. */
export function pointToExplain(words: readonly string[]): string[] {
  const once = [...new Set(words)];
  return once.length === 0 ? [] : [`Why: lightspan explain ${once.join(' ')}`];
}

/** The reasons of one kind, with their own fields. */
export function reasonsOfKind<K extends ReasonKind>(
  reasons: readonly Reason[],
  kind: K,
): Extract<Reason, { kind: K }>[] {
  return reasons.filter((reason): reason is Extract<Reason, { kind: K }> => reason.kind === kind);
}

function requiredBy([first, ...others]: readonly string[]): string {
  if (first === undefined) return '';
  return `, required by ${first}${others.length === 0 ? '' : ` and ${others.length} more`}`;
}
