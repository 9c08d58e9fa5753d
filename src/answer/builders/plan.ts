import type { Preflight } from '../../checks/checks.js';
import { decisionWords } from '../../checks/decision.js';
import type { FindingInWords } from '../../checks/describe.js';
import type { Verdict } from '../../core/field-schemas.js';
import { hasTooManyHops, mayRoll } from '../../core/route/route.js';
import { compact } from '../../core/text/compact.js';
import type { DeployKind } from '../../instance/facts/fact-names.js';
import { linesBesideChanges } from '../../words/evidence/demands.js';
import { factsOfJudgedBy, type JudgedBy, namesOfAccepted } from '../../words/evidence/judged-by.js';
import { deployWords } from '../../words/route/deploy-words.js';
import { describeLeastDowntime } from '../../words/route/downtime.js';
import { nextOfPlan } from '../../words/route/next.js';
import { describeBlock } from '../../words/route/reasons.js';
import {
  describeHopDetails,
  describeNoRelease,
  describeTarget,
  describeTooManyHops,
  remarksOfRoute,
  type ShownRoute,
  titleOfHop,
  whyBeforeMajor,
  whyRecreate,
  whyUncertified,
  wordsOfRoute,
} from '../../words/route/route.js';
import { type Answer, emptyAnswer, type Fact, type HopSteps, type Question } from '../answer.js';
import { headlineOf, type Outcome } from '../headline.js';
import type { PlanDetails } from '../json/upgrade.js';
import { tableOfChanges, variablesIn } from './changes.js';
import { negativeOutcome, outcomeOfStops } from './outcomes.js';
import { factsOfRoute } from './route/hops.js';
import { outcomeOfRoute, stepsOf } from './route/route-outcome.js';

interface PlanAnswerDetails extends PlanDetails {
  readonly requireRolling: boolean;
  readonly verbose: boolean;
  readonly fromSource?: string | undefined;
  readonly withSteps?: string | undefined;
  /** Whether something of which no steps are known applies it. */
  readonly appliedByOther?: boolean | undefined;
  readonly byPin?: string | undefined;
  /** The command that plans to the newest release. */
  readonly toLatest?: string | undefined;
  readonly onPage?: boolean | undefined;
  readonly judgedBy: JudgedBy;
  readonly preflight?: Preflight | undefined;
  /** What the facts of the instance say; undefined if none were seen. */
  readonly instance?: Question | undefined;
  readonly stops?: readonly FindingInWords[];
  /** Undefined where nothing says so. */
  readonly deploy: DeployKind | undefined;
}

/** A question for the route as a whole, and one for every hop of it. */
export function answerOfPlan(route: ShownRoute, details: PlanAnswerDetails): Answer {
  const { fromVersion, toVersion, hops, certified, rolling, blockedBy } = route;
  const { verbose, fromSource, judgedBy, instance, deploy = 'helm' } = details;
  const { maxHops, startIsNoRelease, renderedHops, leastDowntime, demands } = details;
  const tooManyHops = hasTooManyHops(route, maxHops);
  const safe = rolling && !tooManyHops && instance?.yes !== false;
  const target = describeTarget(route);
  const outcome = outcomeOfPlan(route, details, tooManyHops);
  const whyNotCertified = compact(
    startIsNoRelease && describeNoRelease(fromVersion),
    // Of a certified route, it says only why it goes no further.
    blockedBy !== null && `${certified ? `it ends at ${toVersion}: ` : ''}${describeBlock(blockedBy)}`,
  );
  const questions = compact<Question>(
    {
      ...questionOf('Complete route', certified, whyNotCertified),
      isDetail: certified && whyNotCertified.length === 0,
    },
    maxHops !== undefined &&
      questionOf('Few enough hops', !tooManyHops, tooManyHops ? [describeTooManyHops(route, maxHops)] : []),
    instance,
    questionsOfHops(route, details),
  );
  return {
    ...emptyAnswer,
    title: `Upgrade plan: ${fromVersion} -> ${target}`,
    headline: headlineOf(outcome, {
      accepted: namesOfAccepted(judgedBy),
      deploy,
    }),
    deploy,
    safe,
    verdict: composeHops(route),
    strategy: safe ? 'RollingUpdate' : 'Recreate',
    facts: compact<Fact>(
      fromSource !== undefined && { label: 'Current version', text: `${fromVersion}, from ${fromSource}` },
      // The headline says how many steps there are, and how many need a downtime.
      factsOfRoute(route, hops, { deploy }).filter(
        ({ label }) => label !== 'Route' || outcome.kind !== 'route',
      ),
      leastDowntime && { label: 'Preferred', text: describeLeastDowntime(leastDowntime) },
      factOfRolling(route, details),
    ),
    questions,
    provenance: factsOfJudgedBy(judgedBy),
    hops,
    remarks: compact(
      [...linesBesideChanges(demands), ...whyBeforeMajor(hops, demands.majors)].map((text) => ({
        text,
      })),
      remarksOfRoute(hops, { verbose, deploy }),
      // If each hop has its steps, this is shown above them.
      renderedHops === undefined && !startIsNoRelease && describeHopDetails(hops).map((text) => ({ text })),
    ),
    changes: tableOfChanges(demands.notes, variablesIn(details.preflight)),
    steps: stepsToTake(hops, details),
    why: wordsOfRoute(route, deploy),
    next: instance?.answer === 'no' ? decisionWords.stop.next : nextOf(route, details, tooManyHops),
  };
}

/** How far it would roll, where the way to the target begins with a downtime. */
function factOfRolling(
  { fromVersion, requestedTarget, hops: [first], certified }: ShownRoute,
  { deploy = 'helm', rollsTo, stops = [] }: PlanAnswerDetails,
): Fact | undefined {
  const mayAsk = certified && stops.length === 0 && requestedTarget !== 'latest-rolling';
  if (!mayAsk || first?.strategy !== 'Recreate' || !deployWords[deploy].canRoll) return undefined;
  const rolling = rollsTo?.();
  if (rolling === undefined || rolling === fromVersion) return undefined;
  return { label: 'Without downtime', text: `as far as ${rolling} in one step (--to ${rolling})` };
}

function nextOf(route: ShownRoute, details: PlanAnswerDetails, tooManyHops: boolean): Answer['next'] {
  const { startIsNoRelease, withSteps, appliedByOther, deploy, byPin, toLatest, onPage } = details;
  const { scripts = [] } = details;
  return nextOfPlan(route, {
    ...{ startIsNoRelease, tooManyHops, withSteps, appliedByOther, byPin, toLatest, onPage },
    knowsDeploy: deploy !== undefined,
    steps:
      scripts.length > 0 ? 'of-each-hop' : (details.renderedHops ?? details.gitOpsSteps) && 'of-first-hop',
  });
}

function questionsOfHops(
  { hops }: ShownRoute,
  { requireRolling, deploy = 'helm' }: PlanAnswerDetails,
): Question[] {
  return hops.map((hop, i) => {
    const yes = hop.certified && (!requireRolling || mayRoll({ certified: true, hops: [hop] }));
    const why = [...whyUncertified(hop), ...whyRecreate(hop)];
    return { ...questionOf(titleOfHop(hop, i + 1, deploy), yes, why), isDetail: true };
  });
}

/** What forbids the route, or else which limit of the user it does not meet: rolling hops only, or a number of hops. */
function outcomeOfPlan(
  route: ShownRoute,
  { stops = [], requireRolling, maxHops }: PlanAnswerDetails,
  tooManyHops: boolean,
): Outcome {
  const outcome = outcomeOfStops(stops) ?? outcomeOfRoute(route);
  if (outcome.kind !== 'route') return outcome;
  if (requireRolling && !mayRoll(route)) {
    const { landings, withDowntime } = stepsOf(route.hops);
    const which = landings.length === 1 ? 'it needs' : `${withDowntime} of ${landings.length} steps need`;
    return negativeOutcome(`${which} a downtime (--require-rolling)`);
  }
  return tooManyHops ? negativeOutcome(describeTooManyHops(route, maxHops)) : outcome;
}

/**
 * The steps of the first hop. A later hop begins with a new plan, by what is known then, unless it has its own script.
 * Those of Argo CD and Flux have no block: they are taken in Git, and by their own tools.
 */
function stepsToTake(
  hops: ShownRoute['hops'],
  { renderedHops, gitOpsSteps, scripts = [], deploy = 'helm' }: PlanAnswerDetails,
): HopSteps[] {
  return hops.flatMap((hop, i): HopSteps[] => {
    const [files, hopSteps, ofGit] = [scripts[i], renderedHops?.[i], gitOpsSteps?.[i]];
    const title = titleOfHop(hop, i + 1, deploy);
    if (i > 0 && files === undefined) return [];
    if (ofGit !== undefined)
      return [{ title, before: [], steps: ofGit, script: undefined, toPaste: undefined }];
    if (hopSteps === undefined) return [];
    const { before, steps, functions, commands, block, back } = hopSteps;
    const wayBack = { commands: back.commands, script: files?.back, notes: back.steps[0]?.notes ?? [] };
    return [
      {
        ...{ title, before, steps: i === 0 ? steps : [], script: files?.script },
        toPaste: { functions, commands, block, back: wayBack },
      },
    ];
  });
}

function questionOf(name: string, yes: boolean, why: readonly string[]): Question {
  return { name, yes, answer: yes ? 'yes' : 'no', why };
}

/** Span rule 2, over the hops; without a route, nothing is proven. */
function composeHops({ hops, rolling }: ShownRoute): Verdict {
  if (rolling) return true;
  return hops.some(({ verdict }) => verdict === false) ? false : 'unknown';
}
