import { describeVerifyFinding, verifyStatusWords } from '../../checks/after-upgrade/describe.js';
import { type FindingStatus, pasteInWords } from '../../checks/check.js';
import {
  decisionWords,
  describeCounts,
  describeDecision,
  describeStatuses,
  describeWay,
  isNo,
  isOpen,
} from '../../checks/decision.js';
import { describeFinding, findingStatusWords } from '../../checks/describe.js';
import { compact } from '../../core/text/compact.js';
import { describeAge } from '../../core/text/measures.js';
import {
  describeInstanceState,
  nextOfInstance,
  wordOfInstanceState,
} from '../../instance/words/instance-state.js';
import { type Answer, emptyAnswer, type Fact, type Question } from '../answer.js';
import type { PreflightDocument, PreflightOfReport, UsedFacts, VerifyDocument } from '../json/upgrade.js';
import { factsOfJudgedBy } from '../words/judged-by.js';
import { type FoundGroup, gravestKinds, groupFindings } from './findings.js';

export function answerOfPreflight(document: PreflightDocument): Answer {
  const { result, decision, failOn, hops, fromSource, judgedBy } = document;
  const { from, to, checks, findings, counts } = result;
  const yes = decision === 'go' || decision === 'go-with-care';
  const way = describeWay(hops, result);
  const decided = describeDecision(decision, result);
  return {
    ...emptyAnswer,
    title: `Upgrade preflight: ${from} -> ${to}`,
    yes,
    safe: yes,
    verdict: yes ? true : decision === 'stop' ? false : 'unknown',
    strategy: undefined,
    headline: `${decided}. ${describeCounts(counts)}`,
    facts: compact<Fact>(
      fromSource !== '--from' && { label: 'Current version', text: `${from} (${fromSource})` },
      factsOfPreflight(document),
      { label: 'Answer', text: decided, tone: yes ? 'good' : 'bad' },
      { label: 'Checks', text: describeStatuses(counts) },
      way !== undefined && { label: 'Route', text: way },
    ),
    questions: checks.map((check) => {
      const own = findings.filter((finding) => finding.check === check.id);
      const isAgainst = own.some((finding) => isNo(finding, failOn));
      return {
        name: check.id,
        yes: !isAgainst && !isOpen(check, failOn),
        isDetail: true,
        why: own.filter(({ status }) => status !== 'ok').flatMap(linesOfFinding),
        answer: isAgainst ? 'no' : answers[check.status],
      };
    }),
    findings: groupsOfPreflight(result),
    provenance: factsOfJudgedBy(judgedBy),
    why: gravestKinds(findings),
    next: decisionWords[decision].next,
  };
}

function linesOfFinding(finding: PreflightDocument['result']['findings'][number]): string[] {
  const { description, remedy } = describeFinding(finding);
  return compact(
    `${findingStatusWords[finding.status].label}: ${description}`,
    remedy && `To do: ${remedy.text}`,
    remedy?.pasteIn && [pasteInWords[remedy.pasteIn], ...remedy.commands],
  );
}

const answers: Readonly<Record<FindingStatus, Question['answer']>> = {
  stop: 'no',
  'not-checked': 'not checked',
  warn: 'warn',
  ok: 'yes',
};

export function groupsOfPreflight({ findings }: PreflightDocument['result']): readonly FoundGroup[] {
  return groupFindings(findings, findingStatusWords, describeFinding);
}

/** What a preflight is about, and what it leaves out. */
export function factsOfPreflight({ result: { notAsked }, facts }: PreflightOfReport): Fact[] {
  return compact<Fact>(
    factOfFacts(facts),
    notAsked.length > 0 && { label: 'Not requested', text: notAsked.join(', ') },
  );
}

function factOfFacts({ source, collectedAt, ageMs }: UsedFacts): Fact {
  return { label: 'Facts', text: `${source}, collected ${collectedAt} (${describeAge(ageMs)})` };
}

export function answerOfVerify(document: VerifyDocument): Answer {
  const { safe, outcome, instance, version, lastState, polls, pollsInRow, elapsedMs } = document;
  const { facts, findings } = document;
  const isReady = pollsInRow >= polls && lastState.kind === 'ready' && lastState.version === version;
  const state = outcome === 'superseded' ? outcome : wordOfInstanceState(lastState);
  const verified = safe ? 'Verified' : 'NOT VERIFIED';
  const superseded = safe ? 'Superseded' : 'NOT VERIFIED, superseded';
  // While other checks are awaited, there may be more polls than required.
  const seen = `(${Math.min(pollsInRow, polls)} of ${polls} polls in a row, after ${Math.round(elapsedMs / 1000)} s)`;
  return {
    ...emptyAnswer,
    title: `${outcome === 'superseded' ? superseded : verified}: ${instance}: ${describeInstanceState(lastState, version)} ${seen}`,
    yes: safe,
    safe,
    verdict: safe ? true : 'unknown',
    strategy: undefined,
    facts: facts === null ? [] : [factOfFacts(facts)],
    questions: [],
    findings: groupFindings(findings, verifyStatusWords, describeVerifyFinding),
    // The state of the instance, if that alone makes it a no, and the findings.
    why: safe ? [] : compact(!isReady && state, gravestKinds(findings)),
    next: safe ? undefined : nextOfInstance(lastState, { instance, wanted: version }),
  };
}
