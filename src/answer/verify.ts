import type { VerifyDocument } from '../render/verify/document.js';
import { describeInstanceState, nextOfInstance, wordOfInstanceState } from '../render/words/instance.js';
import { describeVerifyFinding, verifyStatusWords } from '../verify/describe.js';
import { type Answer, emptyAnswer } from './answer.js';
import { groupFindings } from './findings.js';
import { factOfFacts } from './preflight.js';

/** The instance's last state, then what the other checks found. */
export function answerOfVerify(document: VerifyDocument): Answer {
  const { safe, outcome, instance, version, lastState, polls, pollsInRow, elapsedMs } = document;
  const { facts, findings } = document;
  const verified = safe ? 'Verified' : 'NOT VERIFIED';
  const superseded = safe ? 'Superseded' : 'NOT VERIFIED, superseded';
  // While other checks are awaited, there may be more polls than required.
  const seen = `(${Math.min(pollsInRow, polls)} of ${polls} polls in a row, after ${Math.round(elapsedMs / 1000)} s)`;
  return {
    ...emptyAnswer,
    title: `${outcome === 'superseded' ? superseded : verified}: ${instance}: ${describeInstanceState(lastState, version)} ${seen}`,
    asked: `upgrade-verify ${instance} ${version}`,
    yes: safe,
    safe,
    verdict: safe ? true : 'unknown',
    strategy: undefined,
    facts: facts === null ? [] : [factOfFacts('Facts', facts)],
    questions: [],
    findings: groupFindings(findings, { labels: verifyStatusWords, describe: describeVerifyFinding }),
    why: wordsBehind(document),
    next: safe ? undefined : nextOfInstance(lastState, { instance, wanted: version }),
  };
}

/** The words behind a no: the state of the instance, if that alone makes it one, and the findings. */
function wordsBehind(document: VerifyDocument): string[] {
  const { safe, outcome, lastState, version, polls, pollsInRow, findings } = document;
  if (safe) return [];
  const isReady = pollsInRow >= polls && lastState.kind === 'ready' && lastState.version === version;
  return [
    ...(outcome === 'superseded' ? [outcome] : isReady ? [] : [wordOfInstanceState(lastState)]),
    ...findings
      .filter(({ status }) => status === 'stop' || status === 'not-checked')
      .map(({ evidence }) => evidence.kind),
  ];
}
