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

/** What a check requires: a fact, what is known of releases, or what only the operator can state. */
export type Need =
  | FactKey
  | 'artifacts'
  | 'config-changes'
  | 'known-issues'
  | 'disk-free'
  | 'edition'
  | 'migration-job'
  | 'variables';

/** What a check is about. `--only` accepts these names as well as those of checks. */
export const checkGroups = ['database', 'deployment'] as const;
export type CheckGroup = (typeof checkGroups)[number];

interface Kind {
  readonly kind: string;
}

/** One finding of a check. The runner reports what a check could not inspect. */
export interface Judgement<Evidence> {
  /** `stop`: the upgrade would fail, or do harm. `warn`: it may. `ok`: checked, and nothing is wrong. */
  readonly status: 'stop' | 'warn' | 'ok';
  /** What it is about, by the user's own name for it: a table, a migration, a setting. Null: the whole. */
  readonly subject: string | null;
  readonly evidence: Evidence;
}

/** A need that became clear only during the check and was not met. The runner reports it in place of the check. */
export interface Lacking {
  readonly lacks: Need;
  /** Why it is not known; by default the status of the fact, or else that it was not requested. */
  readonly why?: (typeof unseenStatuses)[number];
  /** What exactly is not known. */
  readonly detail?: string;
  /** What it is about, by name. */
  readonly names?: readonly string[];
}

/** All that a check can answer. */
export type Answers<Evidence> = readonly (Judgement<Evidence> | Lacking)[];

export function stop<const Evidence extends Kind>(
  subject: string | null,
  evidence: Evidence,
): Judgement<Evidence> {
  return { status: 'stop', subject, evidence };
}

export function warn<const Evidence extends Kind>(
  subject: string | null,
  evidence: Evidence,
): Judgement<Evidence> {
  return { status: 'warn', subject, evidence };
}

export function ok<const Evidence extends Kind>(
  evidence: Evidence,
  subject: string | null = null,
): Judgement<Evidence> {
  return { status: 'ok', subject, evidence };
}

/** The findings of a check; if there are none, that all is in order. */
export function foundOrOk<Evidence extends Kind>(
  found: Answers<Evidence>,
  inOrder: Evidence,
  subject: string | null = null,
): Answers<Evidence> {
  return found.length > 0 ? found : [ok(inOrder, subject)];
}

/** Pending migrations that are dated no later than the newest one that has run. */
export interface BackDated {
  readonly newest: string;
  readonly names: readonly string[];
}

/** The input of a check: of the facts, only those that it declares. */
export interface Given<Needed extends FactKey, Absent extends FactKey, May extends Need = never> {
  readonly from: Version;
  readonly to: Version;
  readonly line: ReleaseLine;
  /** Migrations that keep the upgrade from rolling: then `line.rolling` is false. Else, what is missing to know that. */
  readonly backDated: BackDated | 'ledger' | 'artifacts' | undefined;
  /** Those that apply, or may apply, to the step, by the same facts; undefined if they were left out. */
  readonly issues: readonly AppliedIssue[] | undefined;
  /** Bytes, as the operator states them. */
  readonly diskFree: number | undefined;
  /** As the operator states it. */
  readonly edition: Edition;
  readonly facts: { readonly [Key in Needed]: FactOf<Key> } & {
    readonly [Key in Absent]: FactOf<Key> | null;
  } & {
    /** Null if it does not exist, undefined if it was not seen: then the check reports where it lacks it. */
    readonly [Key in Extract<May, FactKey>]: FactOf<Key> | null | undefined;
  };
  /** When the facts were seen, ISO 8601. */
  readonly seenAt: Readonly<Partial<Record<FactKey, string>>>;
}

/** One question to an instance before an upgrade. */
export interface Check<Id extends string = string, Evidence = unknown> {
  readonly id: Id;
  readonly group: CheckGroup;
  /** Whether it can find a reason to stop. If so, there is no go until it was fully checked. */
  readonly canStop: boolean;
  /** Facts that must have been seen. */
  readonly needs: readonly FactKey[];
  /** Facts whose absence is an answer too, such as a lease that this release does not know yet. They are then null. */
  readonly needsOrAbsent?: readonly FactKey[];
  /** Whether it reads the artifacts of the span, so that a missing one leaves something unchecked. */
  readonly needsArtifacts: boolean;
  /** What it may turn out to need during the check. For facts, it receives what was seen. */
  readonly mayNeed?: readonly Need[];
  /**
   * Pure: takes what was seen and returns its findings, or `ok` if there are none. If it returns nothing at all, the
   * check counts as not checked.
   */
  judge(given: Given<never, never>): Answers<Evidence>;
}

/** Declares a check, which receives the facts that it names and no others. */
export function defineCheck<
  const Id extends string,
  Evidence extends Kind,
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
