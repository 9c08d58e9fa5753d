import type { Verdict } from '../core/field-schemas.js';
import type { UpgradeReport } from '../core/report.js';
import type { RouteHop } from '../core/route/route.js';
import type { Strategy } from '../core/span.js';
import type { DeployKind } from '../instance/facts/fact-names.js';
import type { RenderedHop } from '../steps/hop-block.js';
import { firstLines } from '../words/lists.js';
import type { HopDetails } from '../words/route/route.js';
import type { FoundGroup } from './builders/findings.js';
import type { Headline } from './headline.js';

/**
 * What a command answers, in words: made once from its result, and written by each format. It is data alone, without
 * colour or layout.
 */
export interface Answer {
  readonly title: string;
  /** The first line of every format, and the last one of a long one. */
  readonly headline: Headline;
  /** Whether the whole route is proven safe to roll. A plan with Recreate hops can be a yes but is not safe. */
  readonly safe: boolean;
  readonly verdict: Verdict;
  /** `RollingUpdate` only if the whole route is rolling; undefined if the answer is not about that. */
  readonly strategy: Strategy | undefined;
  /** Whether title and facts are those of the contract, which a text has before everything else. */
  readonly isContract?: boolean;
  readonly facts: readonly Fact[];
  /** If any is a no, so is the answer; if none is, it is a yes. */
  readonly questions: readonly Question[];
  /** Empty if there is no route, or nothing to do. */
  readonly hops: readonly (RouteHop & HopDetails)[];
  /** What deploys the hops. */
  readonly deploy: DeployKind;
  /** What must be known of the route, one sentence each. */
  readonly remarks: readonly { readonly text: string; readonly bad?: boolean }[];
  /** What changes for the instance; undefined if nothing does, as far as that is known. */
  readonly changes?: Table | undefined;
  readonly steps: readonly HopSteps[];
  /** What checks found, or why they were not done, the gravest first. */
  readonly findings: readonly FoundGroup[];
  /** Everything else that is known, part by part. */
  readonly details: readonly Fact[];
  /** What the answer rests on, shown below it. */
  readonly provenance: readonly Fact[];
  /** Also written to standard error; shown by formats whose readers do not see that. */
  readonly notices: readonly string[];
  /** The words behind a no, for `lightspan explain`. */
  readonly why: readonly string[];
  /** The one thing to do now. */
  readonly next: string | undefined;
  /** What `html` draws a picture of; undefined for an answer of another command. */
  readonly report?: UpgradeReport | undefined;
  /** Messages for places in files; only the first ones if there is a limit. */
  readonly places: readonly Annotation[];
  /** What code scanning shows: everything that is not in order, the gravest first. */
  readonly marks?: readonly Mark[];
}

/** One thing that is not in order, by its kind. What was not checked is at least a warning. */
export interface Mark {
  readonly rule: { readonly id: string; readonly meaning: string; readonly remedy?: string | undefined };
  readonly level: 'error' | 'warning';
  readonly message: string;
  /** From the root of the repository, or of the working folder. */
  readonly file: string;
  readonly line?: number | undefined;
}

export interface Table {
  readonly columns: readonly { readonly title: string; readonly isWide?: boolean }[];
  readonly rows: readonly (readonly Cell[])[];
}

export interface Cell {
  readonly text: string;
  readonly tone?: Tone | undefined;
}

export type Tone = 'good' | 'warn' | 'bad';

export interface Fact {
  readonly label: string;
  readonly text: string;
  readonly tone?: Tone;
  /** The most important first: what does not fit is cut at the end. */
  readonly items?: readonly string[];
  /** Whether the items are shown on request only. */
  readonly isFolded?: boolean;
}

export interface Question {
  readonly name: string;
  readonly answer: 'yes' | 'no' | 'unknown' | 'warn' | 'not checked';
  /** Whether it leaves the whole answer a yes. */
  readonly yes: boolean;
  /** Shown after the answer, in brackets. */
  readonly beside?: string;
  /** What speaks against it, what blocks first at the beginning; one line each. */
  readonly why: readonly string[];
  /** Whether it is one of many that are shown in a table or as findings. */
  readonly isDetail?: boolean;
}

export interface Annotation {
  readonly yes: boolean;
  readonly title: string;
  readonly message: string;
  /** From the root of the repository. */
  readonly file?: string;
  readonly line?: number | undefined;
}

export interface HopSteps extends Pick<RenderedHop, 'before' | 'steps'> {
  readonly title: string;
  readonly script: string | undefined;
  /** Undefined where the steps are taken one by one. */
  readonly toPaste: BlocksOfHop | undefined;
}

export interface BlocksOfHop extends Pick<RenderedHop, 'functions' | 'commands' | 'block'> {
  readonly back: {
    readonly commands: string;
    readonly script: string | undefined;
    /** What going back costs. */
    readonly notes: readonly string[];
  };
}

/** An answer about a route has hops, and says what deploys them. */
export const noHops = { hops: [], deploy: 'helm' } as const satisfies Partial<Answer>;

/** An answer that says nothing but what every answer says. */
export const emptyAnswer = {
  facts: [],
  remarks: [],
  steps: [],
  findings: [],
  details: [],
  provenance: [],
  notices: [],
  why: [],
  next: undefined,
  places: [],
} as const satisfies Partial<Answer>;

export function isYes({ headline }: Pick<Answer, 'headline'>): boolean {
  return headline.exitCode === 0;
}

/** What speaks against a yes, one line a question, for formats with room for a paragraph. */
export function linesAgainst({ questions }: Pick<Answer, 'questions'>): string[] {
  return questions
    .filter((question) => !question.yes)
    .map(
      ({ name, answer, why }) =>
        `${name}: ${answer}${why.length === 0 ? '' : ` (${firstLines(why).join('; ')})`}`,
    );
}
