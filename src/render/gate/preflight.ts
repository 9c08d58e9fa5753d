import { isOpen } from '../../preflight/decision.js';
import type { PreflightDocument } from '../preflight/document.js';
import { pasteInWords } from '../words/checks/check-words.js';
import { describeFinding, findingStatusWords } from '../words/checks.js';
import { decisionWords, describeCounts, describeWay } from '../words/decisions.js';
import type { GateAnswer, GateQuestion } from './answer.js';

/** One question for every requested check. */
export function gateAnswerOfPreflight({ result, decision, failOn, hops }: PreflightDocument): GateAnswer {
  const { from, to, checks, findings, notAsked, counts } = result;
  const yes = decision === 'go' || decision === 'go-with-care';
  const questions = checks.map((check): GateQuestion => {
    const own = findings.filter((finding) => finding.check === check.id);
    const isNo = own.some(({ status }) => status === 'stop' || (status === 'warn' && failOn === 'warn'));
    return {
      name: check.id,
      yes: !isNo && !isOpen(check, failOn),
      why: own.flatMap((finding) => {
        if (finding.status === 'ok') return [];
        const { description, remedy } = describeFinding(finding);
        return [
          `${findingStatusWords[finding.status].label}: ${description}`,
          ...(remedy === null ? [] : [`To do: ${remedy.text}`]),
          ...(remedy?.pasteIn ? [pasteInWords[remedy.pasteIn], ...remedy.commands] : []),
        ];
      }),
      ...(check.status === 'ok' || isNo ? {} : { answer: check.status === 'warn' ? 'warn' : 'not checked' }),
    };
  });
  const way = describeWay(hops, result);
  const limited =
    notAsked.length === 0 ? '' : `, for the requested checks only (left out: ${notAsked.join(', ')})`;
  return {
    title: `upgrade-preflight ${from} -> ${to}`,
    yes,
    safe: yes,
    verdict: yes ? true : decision === 'stop' ? false : 'unknown',
    strategy: undefined,
    headline: [
      `${decisionWords[decision].label}${limited}`,
      describeCounts(counts),
      ...(way === undefined ? [] : [way]),
    ].join('. '),
    hops: [],
    questions,
  };
}
