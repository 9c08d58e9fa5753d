import { decisionWords } from '../../checks/decision.js';
import type { FindingInWords } from '../../checks/describe.js';
import { isDisputed, isReconciled } from '../../core/judge.js';
import {
  type Bump,
  type BumpRequest,
  checkOfFinding,
  isChange,
  type JudgedPin,
  type PinCheck,
} from '../../core/pins.js';
import type { NoRelease } from '../../core/route/no-release.js';
import { isOntoStop, type SpanResult } from '../../core/span.js';
import { compact } from '../../core/text/compact.js';
import type { Version } from '../../core/version.js';
import type { DeployKind } from '../../instance/facts/fact-names.js';
import type { Demands } from '../../known-issues/demands.js';
import { type AcceptedRisk, factOfAcceptance } from '../../words/evidence/accepted.js';
import { linesOfAllDemands } from '../../words/evidence/demands.js';
import { factsOfJudgedBy, type JudgedBy, namesOfAccepted } from '../../words/evidence/judged-by.js';
import { describeDisagreement } from '../../words/evidence/release.js';
import { firstLines } from '../../words/lists.js';
import { countOf } from '../../words/phrase.js';
import {
  deployOfPin,
  describeBackupOfHop,
  describePinFinding,
  isOnlyStopped,
  pinFindingWords,
  remedyOfPin,
  summaryOfPins,
} from '../../words/pin-changes.js';
import { deployWords } from '../../words/route/deploy-words.js';
import { nextOfBump, nextOfCheck, nextOfRefusedBump } from '../../words/route/next.js';
import { describeBlock } from '../../words/route/reasons.js';
import { type Answer, emptyAnswer, noHops, type Question } from '../answer.js';
import { headlineOf, type Outcome } from '../headline.js';
import { linesOfStops, withInstance } from './instance/question.js';
import { describeNoRelease } from './no-release.js';
import { negativeOutcome, nothingToDo, outcomeOfSpan, outcomeOfStops } from './outcomes.js';
import { questionsOfSpan } from './questions.js';

type Pin = JudgedPin<FindingInWords>;

interface PinDetails {
  readonly verbose: boolean;
  readonly latestVersion: Version | undefined;
  readonly judgedBy: JudgedBy;
  readonly demands: Demands;
  /** The options of the request that say what it is judged by. */
  readonly evidence?: readonly string[];
}

/** One question for every pin that changed, beginning with what is a no, and what to do about it. */
export function answerOfPins(check: PinCheck<FindingInWords>, details: PinDetails): Answer {
  const { before, after, pins, safe } = check;
  const { verbose, judgedBy } = details;
  const linesOf = oncePerFinding((pin) => linesOfPin(pin, verbose));
  const nextOf = oncePerFinding((pin) => nextOfPin(pin, details));
  const whyOf = oncePerFinding((pin) => [...linesOf(pin), ...(pin.passes ? [] : [`Next: ${nextOf(pin)}`])]);
  const noesFirst = pins.toSorted((a, b) => Number(a.passes) - Number(b.passes));
  const changed = noesFirst.filter(isChange);
  const shown = verbose ? noesFirst : changed;
  const isFalse = pins.some(({ finding }) => checkOfFinding(finding)?.verdict === false);
  const mayRoll = safe || changed.every(mayRollByReleases);
  const name = `No pin changes (${countOf(pins.length, 'pin')})`;
  const none: Question = { name, answer: 'yes', yes: true, why: [] };
  return {
    ...emptyAnswer,
    ...noHops,
    title: `Pin check: ${describeSide(before)} -> ${describeSide(after)}`,
    headline: headlineOf(outcomeOfPins(check, noesFirst), {
      accepted: namesAcceptedIn(check, judgedBy),
      deploy: changed.length > 0 && changed.every((pin) => pin.isOfCompose) ? 'compose' : 'helm',
    }),
    safe,
    verdict: mayRoll ? true : isFalse ? false : 'unknown',
    strategy: mayRoll ? 'RollingUpdate' : 'Recreate',
    facts: [{ label: 'Looked at', text: summaryOfPins(check) }],
    questions: shown.length > 0 ? shown.map((pin) => questionOfPin(pin, whyOf(pin), check.accepted)) : [none],
    provenance: factsOfJudgedBy(judgedBy),
    remarks: linesOfAllDemands(details.demands).map((text) => ({ text })),
    why: shown.filter((pin) => !pin.passes).map(({ finding }) => finding.kind),
    marks: changed
      .filter((pin) => !pin.passes)
      .map((pin) => ({
        rule: {
          id: pin.finding.kind,
          meaning: pinFindingWords[pin.finding.kind].meaning,
          remedy: pinFindingWords[pin.finding.kind].remedy,
        },
        level: 'error',
        message: `${pin.path.join('.')}: ${linesOf(pin).join('\n')}\n${nextOf(pin)}`,
        file: pin.file,
        line: pin.line,
      })),
    places: changed.map((pin) => ({
      file: pin.file,
      line: pin.line,
      yes: pin.passes,
      title: pin.path.join('.'),
      message: [...linesOf(pin), ...(pin.passes ? [] : [nextOfPlace(pin)])].join('\n'),
    })),
  };
}

/** The worst of a change, and how many others there are. */
function outcomeOfPins(check: PinCheck<FindingInWords>, noesFirst: readonly Pin[]): Outcome {
  const changed = noesFirst.filter(isChange);
  const refused = changed.filter((pin) => !pin.passes);
  const [first] = refused;
  if (first !== undefined) return outcomeOfRefused(first, refused.length - 1);
  if (changed.length === 0) return { kind: 'nothing-to-do', why: describeNoChange(check) };
  const needsDowntime = changed.some(({ finding }) => finding.kind === 'recreate');
  if (needsDowntime) return { kind: 'downtime-accepted' };
  return changed.every(mayRollByReleases) ? { kind: 'rolls' } : { kind: 'accepted-change' };
}

function describeNoChange({ pins, lookedAt: { ignored } }: PinCheck<FindingInWords>): string {
  if (pins.length > 0) return 'no pin changes';
  return `nothing ${ignored.length === 0 ? '' : 'else '}in this change moves Lightdash`;
}

function outcomeOfRefused(pin: Pin, others: number): Outcome {
  const { finding, stops } = pin;
  const stopped = outcomeOfStops(stops);
  const outcome =
    stopped ??
    (finding.kind === 'recreate'
      ? ({ kind: 'downtime-not-accepted', option: '--accept recreate' } as const)
      : finding.kind === 'not-proven'
        ? outcomeOfMove(finding.check, pin)
        : negativeOutcome(describePinFinding(finding, deployOfPin(pin))));
  return others === 0 ? outcome : { kind: 'several', first: outcome, others };
}

/** Where a step with a downtime may not go either, artifacts are missing or disagree. */
function outcomeOfMove(check: SpanResult, pin: Pin): Outcome {
  const outcome = outcomeOfSpan(check, { firstHop: pin.firstHop, isDisputed: isDisputed(check) });
  return outcome.kind === 'downtime-only' || outcome.kind === 'rolls'
    ? negativeOutcome(describePinFinding({ kind: 'not-proven', check }, deployOfPin(pin)))
    : outcome;
}

/** What is accepted on the command line, and what of it the settings accept by name. */
function namesAcceptedIn(
  { pins, accepted }: PinCheck<FindingInWords>,
  judgedBy: JudgedBy,
): readonly string[] {
  const used = accepted.filter((name) =>
    pins.some(
      ({ finding, previousFile, passes }) =>
        passes && (finding.kind === name || (name === 'renamed' && previousFile !== undefined)),
    ),
  );
  return [...used, ...namesOfAccepted(judgedBy)];
}

/** What stops an upgrade beside its releases changes neither their verdict nor the strategy. */
function mayRollByReleases({ finding, previousFile }: Pin): boolean {
  if (previousFile !== undefined) return false;
  return finding.kind === 'proven' || (finding.kind === 'not-proven' && isOnlyStopped(finding.check));
}

function describeSide({ name, commit }: PinCheck['before']): string {
  return commit === undefined || name === commit ? name : `${name} (${commit.slice(0, 12)})`;
}

function questionOfPin(pin: Pin, why: readonly string[], accepted: readonly string[]): Question {
  const { file, path, line, previousFile, passes, finding } = pin;
  const isAccepted =
    accepted.includes(finding.kind) || (previousFile !== undefined && accepted.includes('renamed'));
  const place = `${file}${line === undefined ? '' : `:${line}`} ${path.join('.')}`;
  return {
    name: `${place}${previousFile === undefined ? '' : `, renamed from ${previousFile}`}`,
    answer: passes ? 'yes' : 'no',
    ...(passes && isAccepted ? { beside: 'accepted' } : {}),
    yes: passes,
    why,
  };
}

/** Many pins move alike: the sentence of a finding is made once and reused. */
function oncePerFinding<T>(describe: (pin: Pin) => T): (pin: Pin) => T {
  const byDeploy = { helm: new Map<Pin['finding'], T>(), compose: new Map<Pin['finding'], T>() };
  return (pin) => {
    const byFinding = byDeploy[deployOfPin(pin)];
    const sentence = byFinding.get(pin.finding) ?? describe(pin);
    byFinding.set(pin.finding, sentence);
    return sentence;
  };
}

/** What happened to a pin, and what index, artifacts and facts of the instance say against it, one line each. */
function linesOfPin(pin: Pin, verbose: boolean): readonly string[] {
  const { finding, stops, noRelease } = pin;
  const deploy = deployOfPin(pin);
  const none = noRelease?.();
  const lines = compact(none && describeNoRelease(none), describePinFinding(finding, deploy));
  const check = finding.kind === 'added' ? undefined : checkOfFinding(finding);
  if (check !== undefined) {
    const [direct, rolling] = questionsOfSpan(check, { verbose });
    // Where nothing ever rolls, what may not is no reason of its own.
    const isAllowed = finding.kind === 'recreate' && !deployWords[deploy].canRoll;
    // The stop that a hop lands on forbids nothing.
    const questions = [...(isOntoStop(check) ? [] : [direct]), ...(isAllowed ? [] : [rolling])];
    for (const { name, answer, why } of questions) {
      lines.push(...why.map((line) => `${name}: ${answer} (${line})`));
    }
    if (isReconciled(check)) lines.push(...firstLines(check.disagreements.map(describeDisagreement)));
  }
  return [...lines, ...linesOfStops(stops)];
}

/** In the few words of an annotation. */
function nextOfPlace(pin: Pin): string {
  return pin.stops.length > 0 ? decisionWords.stop.next : remedyOfPin(pin.finding, deployOfPin(pin));
}

function nextOfPin(pin: Pin, { latestVersion, evidence }: PinDetails): string {
  const { finding, stops, firstHop, rollsTo } = pin;
  if (stops.length > 0) return decisionWords.stop.next;
  const rolling = finding.kind === 'recreate' ? rollsTo?.() : undefined;
  const deploy = deployOfPin(pin);
  const remedy = remedyOfPin(finding, deploy);
  if (rolling !== undefined) {
    const why = deployWords[deploy].canRoll ? 'is proven to roll in one step' : 'needs no such stop';
    return `Pin ${rolling}, which ${why}. Otherwise: ${remedy}`;
  }
  if (finding.kind !== 'not-proven' || latestVersion === undefined) return remedy;
  return nextOfCheck(finding.check, latestVersion, isDisputed(finding.check), {
    ...{ firstHop, evidence },
    deploy,
  });
}

interface BumpDetails {
  readonly request: Pick<BumpRequest, 'to' | 'allowRecreate'>;
  readonly pin: string;
  readonly otherPlaces: readonly string[];
  readonly check: boolean;
  readonly described: readonly FindingInWords[];
  /** What the facts of the instance say; undefined if none were seen. */
  readonly instance?: Question | undefined;
  readonly accepted: readonly AcceptedRisk[];
  readonly demands: Demands;
  readonly deploy: DeployKind;
  readonly evidence: readonly string[];
  /** Whether a rolling hop leaves the pinned release. */
  readonly rollsOn: boolean;
  /** The end of the hop that the index lacks. */
  readonly noRelease?: NoRelease | undefined;
}

function outcomeOfBump(
  { decision, result, blockedBy }: Bump,
  stops: readonly FindingInWords[],
  noRelease: NoRelease | undefined,
): Outcome {
  if (decision === 'at-target') return nothingToDo(result.toVersion);
  if (decision === 'rolling') return { kind: 'rolls' };
  if (decision === 'recreate') return { kind: 'downtime-accepted' };
  const stopped = outcomeOfStops(stops);
  if (stopped !== undefined) return stopped;
  if (noRelease !== undefined) return negativeOutcome(describeNoRelease(noRelease));
  const isAboutRolling =
    blockedBy === null || blockedBy.kind === 'unsafe-release' || blockedBy.kind === 'unknown-release';
  if (!isAboutRolling || (blockedBy !== null && result.jump !== true))
    return negativeOutcome(describeBlock(blockedBy));
  const outcome = outcomeOfSpan(result, { isDisputed: isDisputed(result) });
  if (outcome.kind !== 'downtime-only') return outcome;
  return blockedBy === null
    ? { kind: 'downtime-not-accepted', option: '--allow-recreate' }
    : negativeOutcome(`no rolling hop leaves ${result.fromVersion}: ${describeBlock(blockedBy)}`);
}

function nextOf({ decision, stops, result }: Bump, details: BumpDetails): Answer['next'] {
  const { request, check, evidence, deploy, rollsOn, noRelease } = details;
  if (stops.length > 0) return decisionWords.stop.next;
  if (decision === 'at-target') return undefined;
  if (noRelease !== undefined)
    return noRelease.version === result.fromVersion
      ? 'check the pinned version, and the age of the index.'
      : 'name a release that the index has with --to.';
  const { fromVersion, toVersion } = result;
  const target = typeof request.to === 'object' ? request.to.onTheWayTo : request.to;
  const ahead = { fromVersion, toVersion, target, check, deploy, evidence };
  return decision === 'refused'
    ? nextOfRefusedBump(request, { ...ahead, rollsOn: rollsOn && deployWords[deploy].canRoll })
    : nextOfBump(ahead);
}

export function answerOfBump(bump: Bump, details: BumpDetails): Answer {
  const { result, decision, blockedBy } = bump;
  const { request, described, instance, accepted, demands, deploy } = details;
  const { safe, verdict, rolling } = result;
  const isRefused = decision === 'refused' && bump.stops.length === 0;
  const against = blockedBy === null ? result.reasons : [blockedBy];
  const answer: Answer = {
    ...emptyAnswer,
    ...noHops,
    title: titleOfBump(bump, details),
    headline: headlineOf(outcomeOfBump(bump, described, details.noRelease), {
      accepted: [
        ...(decision === 'recreate' && request.allowRecreate ? ['--allow-recreate'] : []),
        ...namesOfAccepted({ accepted }),
      ],
      deploy,
    }),
    safe,
    verdict,
    strategy: rolling ? 'RollingUpdate' : 'Recreate',
    questions: questionsOfBump(bump, details),
    provenance: accepted.map(factOfAcceptance),
    remarks: compact<string>(
      (decision === 'rolling' || decision === 'recreate') && describeBackupOfHop(decision, deploy),
      linesOfAllDemands(demands),
    ).map((text) => ({ text })),
    why: isRefused ? against.map(({ kind }) => kind) : [],
    next: nextOf(bump, details),
  };
  return decision === 'at-target' ? answer : withInstance(answer, instance);
}

function titleOfBump(
  { result: { fromVersion, toVersion }, decision, stops }: Bump,
  { pin, otherPlaces, check, described, deploy }: BumpDetails,
): string {
  const { canRoll, restart, needed } = deployWords[deploy];
  const moved = `${pin} ${check ? 'would move' : 'moved'} from ${fromVersion} to ${toVersion}`;
  const withIt = otherPlaces.length === 0 ? '' : ` With it: ${otherPlaces.join(', ')}.`;
  const stays = `${pin} stays at ${fromVersion}`;
  switch (decision) {
    case 'rolling':
      return canRoll
        ? `${moved} (RollingUpdate: old and new pods may overlap).${withIt}`
        : `${moved}.${withIt}`;
    case 'recreate':
      return canRoll
        ? `${moved} (RECREATE, not proven to roll: ${restart}).${withIt}`
        : `${moved} (needs ${needed}).${withIt}`;
    case 'at-target':
      return `${stays}: there is nothing to move to.`;
    case 'refused': {
      const isOfMajor = described.every(({ check }) => check === 'majors');
      if (stops.length > 0)
        return `${stays}: ${isOfMajor ? 'a major stops' : 'the facts of the instance stop'} the upgrade to ${toVersion}.`;
      const none = toVersion === fromVersion ? 'no release is' : `${toVersion} is not`;
      return `${stays}: ${none} proven to ${canRoll ? 'be one rolling step away' : 'run beside it'}.`;
    }
  }
}

/** What speaks against the hop, or what the facts of the instance leave open. */
function questionsOfBump(
  { decision, result, blockedBy, stops }: Bump,
  { described, instance, deploy }: BumpDetails,
): readonly Question[] {
  if (stops.length > 0)
    return [{ name: 'Preflight', answer: 'no', yes: false, why: linesOfStops(described) }];
  if (decision !== 'refused') return instance?.answer === 'not checked' ? [instance] : [];
  // What never rolls replaces one service after the other, unless all were stopped.
  const name = deployWords[deploy].canRoll ? 'Rolling update' : 'One service at a time';
  if (blockedBy !== null) return [{ name, answer: 'no', yes: false, why: [describeBlock(blockedBy)] }];
  return questionsOfSpan(result)
    .filter(({ yes }) => !yes)
    .map((question) => (question.name === 'Rolling update' ? { ...question, name } : question));
}
