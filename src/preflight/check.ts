import type { ObservedFacts, unseenStatuses } from '../facts/facts-schema.js';
import type { AppliedIssue } from '../release-safety/known-issues.js';
import type { Version } from '../release-safety/version.js';
import type { Edition, ReleaseLine } from './release-line.js';

/** A fact of `facts.json`, by its key. */
export type FactKey = keyof ObservedFacts;

export type FactOf<Key extends FactKey> = Extract<
  NonNullable<ObservedFacts[Key]>,
  { readonly status: 'seen' }
>['value'];

/** What a check may not do without: a fact, what is known of releases, or what only the operator can state. */
export type Need =
  | FactKey
  | 'artifacts'
  | 'config-changes'
  | 'known-issues'
  | 'disk-free'
  | 'edition'
  | 'migration-job'
  | 'variables';

/** What a check is about, and what `--only` limits the question to. */
export const checkGroups = ['database', 'deployment'] as const;
export type CheckGroup = (typeof checkGroups)[number];

/** One thing that a check has found; what it could not look at, the runner says. */
export interface Judgement<Evidence> {
  /** `stop`: the upgrade would fail, or do harm. `warn`: it may. `ok`: looked at, and nothing is wrong. */
  readonly status: 'stop' | 'warn' | 'ok';
  /** What it is about, by the user's own name of it: a table, a migration, a setting. Null: the whole. */
  readonly subject: string | null;
  readonly evidence: Evidence;
}

/** What turned out to be needed only on the way, and was not given: the runner says so in the place of the check. */
export interface Lacking {
  readonly lacks: Need;
  /** Why it is not known; where nothing is said, what was said of the fact, else that it was not asked for. */
  readonly why?: (typeof unseenStatuses)[number];
  /** What of it is not known. */
  readonly detail?: string;
}

/** All that a check can answer. */
export type Answers<Evidence> = readonly (Judgement<Evidence> | Lacking)[];

/** What a check found; that all is in order where that is nothing. */
export function foundOrOk<Evidence>(
  found: Answers<Evidence>,
  ok: Evidence,
  subject: string | null = null,
): Answers<Evidence> {
  return found.length > 0 ? found : [{ status: 'ok', subject, evidence: ok }];
}

/** What a check looks at: of the facts, those that it declares and no other. */
export interface Given<Needed extends FactKey, Absent extends FactKey, May extends Need = never> {
  readonly from: Version;
  readonly to: Version;
  readonly line: ReleaseLine;
  /** Those that hold, or may hold, of the one step, by the same facts; undefined where they were left out. */
  readonly issues: readonly AppliedIssue[] | undefined;
  /** Bytes, as the operator states them. */
  readonly diskFree: number | undefined;
  /** As the operator states it. */
  readonly edition: Edition;
  readonly facts: { readonly [Key in Needed]: FactOf<Key> } & {
    readonly [Key in Absent]: FactOf<Key> | null;
  } & {
    /** Null where there is none, undefined where it was not seen: then the check says where it lacks it. */
    readonly [Key in Extract<May, FactKey>]: FactOf<Key> | null | undefined;
  };
  /** When they were seen, ISO 8601. */
  readonly seenAt: Readonly<Partial<Record<FactKey, string>>>;
}

/** One question to an instance before an upgrade. */
export interface Check<Id extends string = string, Evidence = unknown> {
  readonly id: Id;
  readonly group: CheckGroup;
  /** Whether it can find a reason to stop: then it must have been looked at before there is a go. */
  readonly canStop: boolean;
  /** Facts that must have been seen. */
  readonly needs: readonly FactKey[];
  /** Facts of which it tells as much that there are none: a lease that this release does not know yet. Then null. */
  readonly needsOrAbsent?: readonly FactKey[];
  /** Whether it reads the artifacts of the span, so that one that is missing leaves something unlooked at. */
  readonly needsArtifacts: boolean;
  /** What it may turn out to need on the way. Of facts, what was seen is given to it. */
  readonly mayNeed?: readonly Need[];
  /**
   * Pure: takes what was seen, answers with what it finds, and says `ok` where it finds nothing. Where it says nothing
   * at all, it was not checked.
   */
  judge(given: Given<never, never>): Answers<Evidence>;
}

/** Declares a check, which is given the facts that it names and no other. */
export function defineCheck<
  const Id extends string,
  Evidence extends { readonly kind: string },
  const Needed extends FactKey = never,
  const Absent extends FactKey = never,
  const May extends Need = never,
>(
  check: Omit<Check<Id, Evidence>, 'needs' | 'needsOrAbsent' | 'mayNeed' | 'judge'> & {
    readonly needs: readonly Needed[];
    readonly needsOrAbsent?: readonly Absent[];
    readonly mayNeed?: readonly May[];
    judge(given: Given<Needed, Absent, May>): Answers<Evidence>;
  },
): Check<Id, Evidence> {
  return check;
}
