import type { CheckGroup, FindingStatus } from '../checks/check.js';
import { pasteInWords } from '../checks/check.js';
import {
  decisionWords,
  describeCounts,
  describeDecision,
  describeStatuses,
  describeWay,
  isNo,
  isOpen,
} from '../checks/decision.js';
import { describeFinding, findingStatusWords } from '../checks/describe.js';
import type { PreflightDocument, UsedFacts } from '../render/preflight/document.js';
import { describeAge } from '../render/words/age.js';
import { factsOfJudgedBy } from '../render/words/judged-by.js';
import { type Answer, emptyAnswer, type Fact, type Question } from './answer.js';
import { type FoundGroup, gravestKinds, groupFindings } from './findings.js';

/** One question for every requested check. */
export function answerOfPreflight(document: PreflightDocument): Answer {
  const { result, decision, failOn, hops, fromSource, facts, judgedBy } = document;
  const { from, to, checks, findings, notAsked, counts } = result;
  const yes = decision === 'go' || decision === 'go-with-care';
  const questions = checks.map((check): Question => {
    const own = findings.filter((finding) => finding.check === check.id);
    const isAgainst = own.some((finding) => isNo(finding, failOn));
    return {
      name: check.id,
      yes: !isAgainst && !isOpen(check, failOn),
      isDetail: true,
      why: own.flatMap((finding) => {
        if (finding.status === 'ok') return [];
        const { description, remedy } = describeFinding(finding);
        return [
          `${findingStatusWords[finding.status].label}: ${description}`,
          ...(remedy === null ? [] : [`To do: ${remedy.text}`]),
          ...(remedy?.pasteIn ? [pasteInWords[remedy.pasteIn], ...remedy.commands] : []),
        ];
      }),
      answer: isAgainst ? 'no' : answers[check.status],
    };
  });
  const way = describeWay(hops, result);
  const decided = describeDecision(decision, result);
  const leftOut = notAsked.length === 0 ? '' : ` (left out: ${notAsked.join(', ')})`;
  return {
    ...emptyAnswer,
    title: `Upgrade preflight: ${from} -> ${to}`,
    asked: `upgrade-preflight ${from} -> ${to}`,
    yes,
    safe: yes,
    verdict: yes ? true : decision === 'stop' ? false : 'unknown',
    strategy: undefined,
    headline: `${decided}${leftOut}. ${describeCounts(counts)}`,
    facts: [
      ...(fromSource === '--from' ? [] : [{ label: 'Current version', text: `${from} (${fromSource})` }]),
      factOfFacts('Facts', facts),
      { label: 'Answer', text: decided, tone: yes ? 'good' : 'bad' },
      { label: 'Checks', text: describeStatuses(counts) },
      ...(way === undefined ? [] : [{ label: 'Route', text: way }]),
      ...(notAsked.length === 0 ? [] : [{ label: 'Not requested', text: notAsked.join(', ') }]),
    ],
    questions,
    findings: groupsOfPreflight(result),
    provenance: factsOfJudgedBy(judgedBy),
    why: gravestKinds(findings),
    next: decisionWords[decision].next,
  };
}

const answers: Readonly<Record<FindingStatus, Question['answer']>> = {
  stop: 'no',
  'not-checked': 'not checked',
  warn: 'warn',
  ok: 'yes',
};

/** What the checks found, in groups. */
export function groupsOfPreflight({ checks, findings }: PreflightDocument['result']): readonly FoundGroup[] {
  const groups = new Map<string, CheckGroup>(checks.map(({ id, group }) => [id, group]));
  return groupFindings(findings, {
    labels: findingStatusWords,
    describe: describeFinding,
    groupOf: (check) => groups.get(check),
  });
}

/** Which facts were judged, and how old they are. */
export function factOfFacts(label: string, { source, collectedAt, ageMs }: UsedFacts): Fact {
  return { label, text: `${source}, collected ${collectedAt} (${describeAge(ageMs)})` };
}
