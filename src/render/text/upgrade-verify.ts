import { plainPalette } from '../palette.js';
import type { UsedFacts } from '../preflight/document.js';
import { printable } from '../printable.js';
import type { VerifyDocument } from '../verify/document.js';
import { describeAge } from '../words/age.js';
import { describeInstanceState, nextOfInstance, wordOfInstanceState } from '../words/instance.js';
import { pointToExplain } from '../words/next.js';
import { describeVerifyFinding, verifyStatusWords } from '../words/verify.js';
import { wrapWords } from '../wrap.js';
import { findingLines } from './findings.js';

/** The answer for a person: the instance's last state, then the other checks, the gravest first. */
export function renderUpgradeVerifyText(
  document: VerifyDocument,
  { width }: { readonly width: number | undefined },
): string {
  const { instance, version, lastState, polls, pollsInRow, elapsedMs, facts, before, findings } = document;
  // While other checks are awaited, there may be more polls than required.
  const seen = `(${Math.min(pollsInRow, polls)} of ${polls} polls in a row, after ${Math.round(elapsedMs / 1000)} s)`;
  return [
    `${headOf(document)}: ${instance}: ${describeInstanceState(lastState, version)} ${seen}`,
    ...lineOfFacts('Facts', facts, width),
    ...lineOfFacts('Before', before, width),
    ...findingLines(findings, {
      palette: plainPalette,
      width,
      labels: verifyStatusWords,
      describe: describeVerifyFinding,
    }),
    ...pointToExplain(wordsBehind(document)),
    ...nextOf(document),
    '',
  ].join('\n');
}

function lineOfFacts(label: string, facts: UsedFacts | null, width: number | undefined): string[] {
  if (facts === null) return [];
  const { source, collectedAt, ageMs } = facts;
  return [
    wrapWords(`${label}: ${printable(source)}, collected ${collectedAt} (${describeAge(ageMs)})`, width),
  ];
}

function headOf({ safe, outcome }: VerifyDocument): string {
  if (outcome === 'superseded') return safe ? 'Superseded' : 'NOT VERIFIED, superseded';
  return safe ? 'Verified' : 'NOT VERIFIED';
}

/** What to do where another release answers, or nobody can. */
function nextOf({ safe, instance, version, lastState }: VerifyDocument): string[] {
  const next = safe ? undefined : nextOfInstance(lastState, { instance, wanted: version });
  return next === undefined ? [] : [`Next: ${next}`];
}

/** The words behind a no: the state of the instance, if that alone makes it one, and the findings. */
function wordsBehind({
  safe,
  outcome,
  lastState,
  version,
  polls,
  pollsInRow,
  findings,
}: VerifyDocument): string[] {
  if (safe) return [];
  const isReady = pollsInRow >= polls && lastState.kind === 'ready' && lastState.version === version;
  return [
    ...(outcome === 'superseded' ? [outcome] : isReady ? [] : [wordOfInstanceState(lastState)]),
    ...findings
      .filter(({ status }) => status === 'stop' || status === 'not-checked')
      .map(({ evidence }) => evidence.kind),
  ];
}
