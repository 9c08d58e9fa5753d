import { type Decision, decisionWords } from '../checks/decision.js';
import type { DeployKind } from '../instance/facts/fact-names.js';
import { countOf, listNames } from '../words/phrase.js';
import { type DeployWords, deployWords } from '../words/route/deploy-words.js';

/** Over any other exit code there is a failure, and no answer. */
type AnswerCode = 0 | 1 | 3;

export type HeadlineTone = 'good' | 'care' | 'bad' | 'unknown';

/** An answer in one line. Only `headlineOf` makes one, so the words and the exit code cannot contradict each other. */
export interface Headline {
  /** That of the command, if it ends with this answer. */
  readonly exitCode: AnswerCode;
  readonly tone: HeadlineTone;
  /** Without the label `Answer`, and without a full stop. */
  readonly text: string;
}

/** The steps of a route: the releases that they lead to, and how many need a downtime. */
interface Steps {
  readonly landings: readonly string[];
  readonly withDowntime: number;
}

/** What a command found, of which its headline follows. */
export type Outcome = OutcomeOfHops | OtherOutcome;

/** Its words follow what deploys the hops. */
type OutcomeOfHops =
  | { readonly kind: 'rolls' }
  /** It rolls in several steps, where the question was whether it rolls in one. */
  | { readonly kind: 'rolls-in-steps'; readonly steps: Steps }
  | { readonly kind: 'route'; readonly steps: Steps }
  /** Allowed in these steps, where the question was whether it rolls in one; `but` is what else is not settled. */
  | { readonly kind: 'downtime-only'; readonly steps: Steps; readonly but?: string | undefined }
  /** One step with a downtime that somebody accepted. */
  | { readonly kind: 'downtime-accepted' }
  /** @param option what accepts it */
  | { readonly kind: 'downtime-not-accepted'; readonly option: string }
  /** The first of several that are a no. */
  | { readonly kind: 'several'; readonly first: Outcome; readonly others: number };

export type OtherOutcome =
  | { readonly kind: 'nothing-to-do'; readonly why: string }
  /** A change that moves no release, such as another digest, and is accepted by name. */
  | { readonly kind: 'accepted-change' }
  | { readonly kind: 'another-first'; readonly version: string; readonly orLater: boolean }
  | { readonly kind: 'no'; readonly reason: string }
  /** @param missing the one thing that is missing, and the command that brings it */
  | { readonly kind: 'not-known'; readonly missing: string }
  /** The migrations of an upgrade went through on a copy of the database. */
  | { readonly kind: 'rehearsed'; readonly what: string }
  | { readonly kind: 'decision'; readonly decision: Decision; readonly why: string }
  | { readonly kind: 'verified' | 'not-verified' | 'not-all-verified'; readonly what: string };

interface HeadlineDetails {
  /** The names of what was accepted and counts: with any, no yes is a bare one. */
  readonly accepted?: readonly string[];
  readonly deploy?: DeployKind;
}

/** The one place where the words of an answer and its exit code are chosen, and always together. */
export function headlineOf(
  outcome: Outcome,
  details: HeadlineDetails & { readonly deploy: DeployKind },
): Headline;
export function headlineOf(outcome: OtherOutcome, details?: HeadlineDetails): Headline;
export function headlineOf(
  outcome: Outcome,
  { accepted = [], deploy = 'helm' }: HeadlineDetails = {},
): Headline {
  const { exitCode, tone, text } = plainHeadline(outcome, deployWords[deploy]);
  // What is accepted does not make a no any better.
  const names = tone === 'bad' || accepted.length === 0 ? '' : `; accepted: ${listNames(accepted)}`;
  return { exitCode, tone, text: `${text}${names}` };
}

/** With what the choice of the target does not rest on: such a yes is no calm one. */
export function withCaution(headline: Headline, caution: string): Headline {
  const tone = headline.tone === 'good' ? 'care' : headline.tone;
  return { ...headline, tone, text: `${headline.text}; ${caution}` };
}

function plainHeadline(outcome: Outcome, words: DeployWords): Headline {
  switch (outcome.kind) {
    case 'rolls':
      return words.canRoll ? yesRolling : yes(`in one step, ${words.downtime}`, 'care');
    case 'rolls-in-steps':
      return no(`, not in one step: it goes ${describeSteps(outcome.steps)}`);
    case 'nothing-to-do':
      return { exitCode: 0, tone: 'good', text: `yes: nothing to do, ${outcome.why}` };
    case 'route':
      return headlineOfRoute(outcome.steps, words);
    case 'downtime-only': {
      const { steps, but } = outcome;
      const allowed = `allowed ${describeSteps(steps)}`;
      const text = words.canRoll
        ? `with downtime only: ${allowed}, not proven to roll`
        : `${words.downtime}: ${allowed}`;
      return { exitCode: 1, tone: 'care', text: but === undefined ? text : `${text}; ${but}` };
    }
    case 'downtime-accepted':
      return yes(`in one step, ${words.downtime}`, 'care');
    case 'accepted-change':
      return yes('as accepted', 'care');
    case 'downtime-not-accepted':
      return no(`: needs ${words.needed}, which nobody accepted (${outcome.option})`);
    case 'another-first':
      return no(`, upgrade to ${outcome.version}${outcome.orLater ? ' or later' : ''} first`);
    case 'no':
      return no(`: ${outcome.reason}`);
    case 'several': {
      const first = plainHeadline(outcome.first, words);
      return { ...first, text: `${first.text} (and ${countOf(outcome.others, 'other')})` };
    }
    case 'not-known':
      return { exitCode: 3, tone: 'unknown', text: `not known: ${outcome.missing}` };
    case 'rehearsed':
      return { exitCode: 0, tone: 'good', text: `yes: ${outcome.what}` };
    case 'decision':
      return { ...byDecision[outcome.decision], text: headlineOfDecision(outcome) };
    case 'verified':
      return { exitCode: 0, tone: 'good', text: `Verified: ${outcome.what}` };
    case 'not-verified':
      return { exitCode: 1, tone: 'bad', text: `Not verified: ${outcome.what}` };
    case 'not-all-verified':
      return { exitCode: 3, tone: 'unknown', text: `not known: ${outcome.what}` };
  }
}

const byDecision: Record<Decision, Pick<Headline, 'exitCode' | 'tone'>> = {
  go: { exitCode: 0, tone: 'good' },
  'go-with-care': { exitCode: 0, tone: 'care' },
  stop: { exitCode: 1, tone: 'bad' },
  'not-known': { exitCode: 3, tone: 'unknown' },
};

function headlineOfDecision({ decision, why }: Extract<Outcome, { kind: 'decision' }>): string {
  return `${decisionWords[decision].label}: ${why}`;
}

function yes(how: string, tone: HeadlineTone): Headline {
  return { exitCode: 0, tone, text: `yes, ${how}` };
}

const yesRolling = yes('rolling', 'good');

function no(why: string): Headline {
  return { exitCode: 1, tone: 'bad', text: `no${why}` };
}

function headlineOfRoute(steps: Steps, { canRoll, downtime }: DeployWords): Headline {
  const { landings, withDowntime } = steps;
  const where = describeSteps(steps);
  if (!canRoll) return yes(`${where}, ${downtime}`, 'care');
  if (landings.length === 1) return withDowntime === 0 ? yesRolling : yes(`${where}, ${downtime}`, 'care');
  if (withDowntime === 0) return yes(`${where}, all rolling`, 'good');
  const how = withDowntime === landings.length ? 'all' : `${withDowntime} of them`;
  return yes(`${where}, ${how} ${downtime}`, 'care');
}

/** `in one step`, `in 3 steps (1.2.0, 1.111.0, then 2.134.2)` */
function describeSteps({ landings }: Steps): string {
  if (landings.length <= 1) return 'in one step';
  const [last = '', ...before] = landings.toReversed();
  return `in ${countOf(landings.length, 'step')} (${listNames(before.toReversed(), 5)}, then ${last})`;
}

/** The headline of a command that ended without an answer. */
export function headlineOfFailure(message: string, exitCode: number): Pick<Headline, 'tone' | 'text'> {
  return exitCode === 1
    ? { tone: 'bad', text: `no: ${message}` }
    : { tone: 'unknown', text: `not known: ${message}` };
}
