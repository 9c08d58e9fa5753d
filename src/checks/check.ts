import type { Acceptance } from '../core/accepted.js';
import type { AppliedIssue } from '../core/results.js';
import type { MissingRange } from '../core/span.js';
import type { Version } from '../core/version.js';
import type { FactKey, FactOf, MissingFact, Need, UnmetNeed } from '../instance/facts/needs.js';
import type { BackDated } from '../instance/ledger.js';
import type { Edition, ReleaseLine } from '../instance/release-line.js';
import type { Word } from '../words/word.js';

export { lacks } from '../instance/facts/needs.js';

/** What a check is about. `--only` accepts these names as well as those of checks. */
export const checkGroups = ['database', 'deployment'] as const;
export type CheckGroup = (typeof checkGroups)[number];

export const findingStatuses = ['stop', 'not-checked', 'warn', 'ok'] as const;

/** The gravest first. `not-checked`: it was not checked, for whatever reason; that is never ok. */
export type FindingStatus = (typeof findingStatuses)[number];

export function gravestFirst<Found extends { readonly status: FindingStatus }>(
  found: readonly Found[],
): Found[] {
  return found.toSorted((a, b) => findingStatuses.indexOf(a.status) - findingStatuses.indexOf(b.status));
}

/**
 * What the copy of a rehearsal may share with the database: its rows, who is a member of which role, and the objects
 * that depend on its tables.
 */
export type OfCopy = 'rows' | 'roles' | 'dependents';

/** The properties of a kind of finding besides its words. */
export interface FindingTraits {
  /**
   * What settles the finding by itself: following a route, which lands on every required stop and shows the known
   * issues of each hop; or a hop under Recreate, which stops the pods.
   */
  readonly settledBy?: 'route' | 'recreate';
  /** Its status in upgrade-verify, after the upgrade that should have cleared it or that it is part of. */
  readonly afterUpgrade?: Exclude<FindingStatus, 'not-checked'>;
  /** Whether it may pass within a minute: a migration still runs, or another pod takes over, also of jobs. */
  readonly transient?: true;
  /**
   * What the copy must share with the database, besides the schema, so that a rehearsal in which the migration went
   * through settles the finding.
   */
  readonly settledOnCopy?: readonly OfCopy[];
  /** Why nobody can accept it. */
  readonly neverAccepted?: 'another-instance' | 'has-its-own-name' | 'target-refuses';
}

/** One line of the answer: what a check found, or why it was not done. */
export interface Finding<Check extends string, Evidence>
  extends Pick<FindingTraits, 'settledBy' | 'transient'> {
  readonly check: Check;
  readonly status: FindingStatus;
  /** What it is about, by the user's own name for it: a table, a migration, a setting. Null: the whole. */
  readonly subject: string | null;
  readonly evidence: Evidence;
  /** Of a check that can stop: what it needs was requested and could not be read, or the check failed. */
  readonly unread?: true;
  /** The rehearsal that settles it, in which it went through: then its status is `ok`. */
  readonly rehearsed?: { readonly day: string; readonly mode: 'dry' | 'full' };
  /** The acceptance by which the finding blocks nothing. */
  readonly accepted?: Acceptance;
}

export type NotChecked =
  | { readonly kind: 'facts-not-seen'; readonly missing: readonly MissingFact[] }
  | {
      readonly kind: 'artifacts-not-seen';
      /** Releases of the span for which no artifact can be used. */
      readonly versions: readonly string[];
      /** How many of these releases never had an artifact, because they were backfilled. */
      readonly backfilled: number;
      readonly of: number;
    }
  | { readonly kind: 'releases-not-indexed'; readonly ranges: readonly MissingRange[] }
  | { readonly kind: 'check-failed'; readonly message: string }
  | { readonly kind: 'check-silent' };

interface Kind {
  readonly kind: string;
}

export type EvidenceOf<Checked extends { judge(input: never): Answers<unknown> }> = Extract<
  ReturnType<Checked['judge']>[number],
  { readonly evidence: unknown }
>['evidence'];

/** One finding of a check. The runner reports what a check could not inspect. */
export interface Judgement<Evidence> extends Pick<Finding<string, Evidence>, 'subject' | 'evidence'> {
  /** `stop`: the upgrade would fail, or do harm. `warn`: it may. `ok`: checked, and nothing is wrong. */
  readonly status: Exclude<FindingStatus, 'not-checked'>;
}

export type Answers<Evidence> = readonly (Judgement<Evidence> | UnmetNeed)[];

const judgedAs =
  <Status extends Judgement<Kind>['status']>(status: Status) =>
  <const Evidence extends Kind>(subject: string | null, evidence: Evidence): Judgement<Evidence> => ({
    ...{ status, subject, evidence },
  });

export const stop = judgedAs('stop');
export const warn = judgedAs('warn');

export function ok<const Evidence extends Kind>(
  evidence: Evidence,
  subject: string | null = null,
): Judgement<Evidence> {
  return { status: 'ok', subject, evidence };
}

/** The input of a check. It has the facts that the check declares, and no others. */
export interface CheckInput<Needed extends FactKey, Absent extends FactKey, May extends Need = never> {
  readonly from: Version;
  readonly to: Version;
  readonly line: ReleaseLine;
  /**
   * Migrations that keep the upgrade from rolling: then `line.rolling` is false. Else, what is missing to know that.
   */
  readonly backDated: BackDated | 'ledger' | 'artifacts' | undefined;
  /** The known issues that apply, or may apply, to the step, by the same facts; undefined if they were left out. */
  readonly issues: readonly AppliedIssue[] | undefined;
  readonly diskFree: number | undefined;
  /** Whether a major that is not accepted stops the upgrade. */
  readonly failOnMajor?: boolean | undefined;
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

export interface Check<Id extends string = string, Evidence = unknown> {
  readonly id: Id;
  readonly group: CheckGroup;
  /** Whether it can find a reason to stop. If so, there is no go until it was fully checked. */
  readonly canStop: boolean;
  readonly needs: readonly FactKey[];
  /** Facts whose absence is an answer too, such as a lease that this release does not know yet. They are then null. */
  readonly needsOrAbsent?: readonly FactKey[];
  /** Whether all that it looks at changes by the hour, also where a fact has what does not. */
  readonly momentary?: true;
  /**
   * Whether the check is made only where its facts were given. Without them it is left out, and leaves nothing open.
   */
  readonly onlyIfGiven?: true;
  /** Whether it reads the artifacts of the span, so that a missing one leaves something unchecked. */
  readonly needsArtifacts?: boolean;
  /**
   * Whether the check is about what the image of the target makes of the ledger. An image that has migrated a copy of
   * this ledger has answered it, so no artifact is missing for it.
   */
  readonly asksImage?: true;
  /** Needs that may arise during the check. Of these facts, it receives what was seen. */
  readonly mayNeed?: readonly Need[];
  /** Traits of every finding of the check. */
  readonly traits?: FindingTraits;
  /** Traits by the kind of finding. */
  readonly traitsOf?: Readonly<Partial<Record<string, FindingTraits>>>;
  /**
   * Pure: takes what was seen and returns its findings, or `ok` if there are none. If it returns nothing at all, the
   * check counts as not checked.
   */
  judge(input: CheckInput<never, never>): Answers<Evidence>;
}

export interface CheckWords<Finds = Readonly<Record<string, Word>>> extends Word {
  readonly label: string;
  readonly finds: Finds;
}

export const pasteIns = ['psql', 'image', 'shell', 'values'] as const;

export type PasteIn = (typeof pasteIns)[number];

export const pasteInWords: Record<PasteIn, string> = {
  psql: 'In psql:',
  image: 'In /usr/app of a container of Lightdash:',
  shell: 'In a shell:',
  values: 'In the values of the chart:',
};

/** What to say of a finding, and the commands to paste at one place, with the user's own names in them. */
export interface FindingWord<Evidence> extends Word {
  /** A clause, without a full stop. */
  describe(evidence: Evidence): string;
  /** What to do about this one, if the remedy of its kind does not say. */
  advise?(evidence: Evidence): string;
  psql?(evidence: Evidence): readonly string[];
  image?(evidence: Evidence): readonly string[];
  shell?(evidence: Evidence): readonly string[];
  values?(evidence: Evidence): readonly string[];
}

/** The words of each kind of evidence. Leaving one out does not compile. */
export type FindingWords<Evidence extends Kind> = {
  readonly [Name in Evidence['kind']]: FindingWord<Extract<Evidence, { readonly kind: Name }>>;
};

/**
 * In short: one sentence for a kind that says it all; what describes it alone for one that is found where all is in
 * order.
 */
type ShortWords<Evidence extends Kind> = {
  readonly [Name in Evidence['kind']]: ShortWord<Extract<Evidence, { readonly kind: Name }>>;
};
type ShortWord<Evidence extends Kind> =
  | FindingWord<Evidence>
  | FindingWord<Evidence>['describe']
  | (keyof Evidence extends 'kind' ? string : never);

/**
 * Declares a check, which receives the facts that it names and no others, and below it its words and the traits of what
 * it finds. `judge` yields what it
 * finds or lacks, and returns the last of it; if that is `ok`, it counts only if nothing was yielded.
 */
export function defineCheck<
  const Id extends string,
  Found extends Judgement<Kind> | UnmetNeed,
  Last extends Judgement<Kind> | UnmetNeed | undefined,
  const Needed extends FactKey = never,
  const Absent extends FactKey = never,
  const May extends Need = never,
>(
  check: Pick<Check<Id>, 'id' | 'momentary' | 'onlyIfGiven' | 'needsArtifacts' | 'asksImage' | 'traits'> & {
    /** Where what it needs does not say it. */
    readonly group?: CheckGroup;
    /** If it only warns. */
    readonly canStop?: boolean;
    readonly needs: readonly Needed[];
    readonly needsOrAbsent?: readonly Absent[];
    readonly mayNeed?: readonly May[];
    judge(input: CheckInput<Needed, Absent, May>): Generator<Found, Last>;
  },
): WithWords<Id, EvidenceIn<Found | Last>>;
export function defineCheck(
  check: Pick<Check, 'id' | 'needs'> & {
    judge(input: CheckInput<never, never>): Generator<Answer, Answer | undefined>;
  },
) {
  return ({ finds, ...words }: CheckWords<never>): Check & CheckWords => ({
    canStop: true,
    group: check.needs.some((need) => need === 'deployment') ? 'deployment' : 'database',
    ...check,
    ...words,
    judge: (input) => answersOf(check.judge(input)),
    finds: completeWords(words.label, finds),
  });
}

type WithWords<Id extends string, Evidence extends Kind> = (
  words: CheckWords<ShortWords<Evidence>> & {
    readonly traitsOf?: { readonly [Name in Evidence['kind']]?: FindingTraits };
  },
) => Check<Id, Evidence> & CheckWords<FindingWords<Evidence>>;

type EvidenceIn<Answer> = Extract<Answer, Judgement<Kind>>['evidence'];

type Answer = Judgement<Kind> | UnmetNeed;

function answersOf(judging: Generator<Answer, Answer | undefined>): Answers<Kind> {
  const answers: Answer[] = [];
  for (;;) {
    const { done, value } = judging.next();
    if (!done) answers.push(value);
    else if (value === undefined) return answers;
    else return value.status === 'ok' && answers.length > 0 ? answers : [...answers, value];
  }
}

function completeWords(label: string, finds: object) {
  const words = Object.entries(finds).map(([kind, word]) => {
    if (typeof word === 'function') return [kind, { meaning: `${label}: no problem found.`, describe: word }];
    if (typeof word !== 'string') return [kind, word];
    const clause = `${word.charAt(0).toLowerCase()}${word.slice(1, -1)}`;
    return [kind, { meaning: word, describe: () => clause }];
  });
  return Object.fromEntries(words);
}
