import type { Decision } from '../../preflight/decision.js';
import type { UpgradeReport } from '../../release-safety/report.js';
import { countOf } from '../phrase.js';
import { describeTogether } from '../preflight/described-findings.js';
import type { PreflightOfReport } from '../preflight/document.js';
import type { ShownHop } from '../shown-route.js';
import { describeFinding, findingStatusWords } from '../words/checks.js';
import { decisionWords, describeCounts } from '../words/decisions.js';
import { nextOfReport } from '../words/next.js';
import { type Answer, answersOfReport, describeVerdict } from '../words/questions.js';
import { describeDowntimeOfRoute, describeHopDetails, describeTarget, notesOfHop } from '../words/route.js';
import { describeAllWaysBack } from '../words/way-back.js';
import { type ReportDocument, shownHops } from './document.js';

/** What comes before the sections of a report, in every format. */
export interface Head {
  readonly target: string;
  readonly verdict: 'SAFE' | 'UNSAFE';
  /** Shown before everything else, one line each. */
  readonly warnings: readonly string[];
  readonly answers: readonly Answer[];
  /** How long the Recreate hops are down, if a database shows it. */
  readonly downtime: string | undefined;
  /** Why a hop is not certified, is a Recreate or lands where it does: one sentence each. */
  readonly notesOfHops: readonly string[];
  /** How long the migrations of each hop take, and the cost of going back from it: one sentence each. */
  readonly ofHops: readonly string[];
  /** The one thing to do now. */
  readonly next: string;
}

export function headOf(document: ReportDocument): Head {
  const { report, times, preflight } = document;
  const hops = shownHops(document);
  return {
    target: describeTarget(report),
    verdict: describeVerdict(report),
    warnings: describeNothingRead(report),
    answers: [...answersOfReport(report), ...(preflight === undefined ? [] : [answerOfPreflight(preflight)])],
    downtime: times === undefined ? undefined : describeDowntimeOfRoute(hops),
    notesOfHops: hops.flatMap((hop, i) => notesOfHop(hop, i + 1).map(({ text }) => `${text}.`)),
    ofHops: [...waysBackOfHops(hops), ...describeHopDetails(hops)],
    next: nextOfReport(report, { timeOfFirstHop: times?.[0], decision: preflight?.decision }),
  };
}

function waysBackOfHops(hops: readonly ShownHop[]): string[] {
  const all = describeAllWaysBack(hops.map(({ wayBack }) => wayBack));
  return all === undefined ? [] : [`Going back from every hop ${all}.`];
}

/** What stops, was not checked or is a warning, the gravest first. */
function answerOfPreflight({ result, decision }: PreflightOfReport): Answer {
  const limited = result.notAsked.length === 0 ? '' : ', for the requested checks only';
  const open = describeTogether(result.findings, describeFinding).filter(({ status }) => status !== 'ok');
  return {
    question: 'Preflight',
    answer: preflightAnswers[decision],
    why: [
      ...(open.length === 0 && limited === ''
        ? []
        : [`${decisionWords[decision].label}${limited}. ${describeCounts(result.counts)}`]),
      ...open.map(
        ({ checks, status, description }) =>
          `${findingStatusWords[status].label}: ${checks.join(', ')}: ${description}`,
      ),
    ],
  };
}

const preflightAnswers: Record<Decision, Answer['answer']> = {
  go: 'yes',
  'go-with-care': 'yes',
  stop: 'no',
  'not-known': 'unknown',
};

/**
 * If no artifact was read: that the information in them is not known, and how to have them read. Empty if one was read,
 * or if there is no release to read one of.
 */
function describeNothingRead({ artifacts, releases, fromVersion, toVersion }: UpgradeReport): string[] {
  if (artifacts.read > 0 || releases.length === 0) return [];
  const none = `No artifact of the ${countOf(releases.length, 'release')} was read`;
  const unknown = 'What they break, migrate and change is not known.';
  if (artifacts.notRead === 0) {
    return [`${none}: they are backfilled, and none was published. ${unknown}`];
  }
  return [
    `${none}. ${unknown}`,
    `To have them read, run this without --offline on a machine with a network. Or write a mirror there with lightspan index mirror --out ./mirror --from ${fromVersion} --to ${toVersion}, and run this here with --index ./mirror.`,
  ];
}
