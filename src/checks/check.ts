import type { FactKey, FactOf, Lacking, Need } from '../facts/needs.js';
import type { BackDated } from '../instance/ledger.js';
import type { Edition, ReleaseLine } from '../instance/release-line.js';
import type { AppliedIssue } from '../release-safety/parse-index.js';
import type { Version } from '../release-safety/version.js';
import type { CheckWords } from './words.js';

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

/** A check with its words, which `judge` does not use. */
export interface WordedCheck<Id extends string, Evidence extends Kind> extends Check<Id, Evidence> {
  readonly words: CheckWords<Evidence>;
}

/** Declares a check, which receives the facts that it names and no others. */
export function defineCheck<Evidence extends Kind>() {
  return <
    const Id extends string,
    const Needed extends FactKey = never,
    const Absent extends FactKey = never,
    const May extends Need = never,
  >(
    check: Omit<WordedCheck<Id, Evidence>, 'needs' | 'needsOrAbsent' | 'mayNeed' | 'judge'> & {
      readonly needs: readonly Needed[];
      readonly needsOrAbsent?: readonly Absent[];
      readonly mayNeed?: readonly May[];
      judge(given: Given<Needed, Absent, May>): Answers<Evidence>;
    },
  ): WordedCheck<Id, Evidence> => check;
}
