import {
  type Decision,
  decisionWords,
  describeCounts,
  describeDecision,
  manyHops,
} from '../checks/decision.js';
import { releaseStatuses } from '../release-safety/kinds.js';
import type { UpgradeReport } from '../release-safety/report.js';
import { compact } from '../shared/compact.js';
import { factsOfJudgedBy, restsOnAccepted } from '../words/judged-by.js';
import { describeAge } from '../words/measures.js';
import { nextOfReport } from '../words/next.js';
import { pageAddress } from '../words/page-address.js';
import { clip, countOf } from '../words/phrase.js';
import { describeBlock } from '../words/reasons.js';
import {
  describeHopDetails,
  describeTarget,
  goesNoFurther,
  remarksOfRoute,
  wordsOfRoute,
} from '../words/route.js';
import { type Answer, emptyAnswer, type Fact, type Question } from './answer.js';
import { gravestKinds } from './findings.js';
import { factOfRoute, factsOfRoute } from './hops.js';
import { type PreflightOfReport, type ReportDocument, shownHops } from './json/upgrade.js';
import { factsOfPreflight, groupsOfPreflight } from './preflight.js';
import { factOfVerdict, questionsOfReport } from './questions.js';
import { sectionsOf } from './sections.js';

export function answerOfReport(document: ReportDocument, { verbose }: { readonly verbose: boolean }): Answer {
  const { report, times, preflight } = document;
  const { fromVersion, safe, span, route, blockedBy, releases } = report;
  const hops = shownHops(document);
  const target = describeTarget(report);
  const verdict = factOfVerdict(report, restsOnAccepted(document.judgedBy));
  const dates = [releases[0], releases.at(-1)].flatMap((one) => one?.releaseDate.slice(0, 10) ?? []);
  const extent =
    releases.length === 0
      ? 'no release of the span is in the index'
      : `${countOf(releases.length, 'release')}, ${dates.join(' to ')}`;
  return {
    ...emptyAnswer,
    title: `Upgrade report: ${fromVersion} -> ${target}`,
    asked: `upgrade-report ${fromVersion} -> ${target}`,
    yes: safe,
    safe,
    verdict: span.verdict,
    strategy: route.hops.length === 0 ? undefined : route.rolling ? 'RollingUpdate' : 'Recreate',
    headline: `${verdict.text}: ${extent}`,
    facts: [
      verdict,
      { label: 'Releases', text: extent },
      { ...factOfRoute(route), items: route.blockedBy === null ? [] : [describeBlock(route.blockedBy)] },
      ...factsOfRoute(hops),
      ...(preflight === undefined ? [] : factsOfPreflight(preflight)),
    ],
    warnings: nothingRead(document),
    questions: compact<Question>(preflight && questionOfPreflight(preflight, hops.length), [
      ...questionsOfReport(report),
    ]),
    hops,
    remarks: [
      ...remarksOfRoute(hops, { whole: verbose }),
      ...(hops.length === 0 ? [] : goesNoFurther(blockedBy).map((text) => ({ text: `${text}.` }))),
      ...describeHopDetails(hops).map((text) => ({ text })),
    ],
    findings: preflight === undefined ? [] : groupsOfPreflight(preflight.result),
    sections: sectionsOf(document),
    provenance: provenanceOf(document),
    why: wordsOf(document),
    next:
      preflight?.decision === 'stop' || preflight?.decision === 'not-known'
        ? decisionWords[preflight.decision].next
        : nextOfReport(report, times?.[0]),
    picture: report,
    page: pageAddress({ from: fromVersion, to: report.requestedTarget }),
  };
}

function questionOfPreflight({ result, decision }: PreflightOfReport, hops: number): Question {
  const answer = preflightAnswers[decision];
  const why = compact(
    `${describeDecision(decision, result)}. ${describeCounts(result.counts)}`,
    hops > 1 && `The route has ${hops} hops. ${manyHops}`,
    groupsOfPreflight(result)
      .filter(({ status }) => status !== 'ok')
      .map(({ label, brief, description }) => `${label}: ${brief}: ${description}`),
  );
  return { name: 'Preflight', answer, yes: answer === 'yes', why };
}

const preflightAnswers: Record<Decision, Question['answer']> = {
  go: 'yes',
  'go-with-care': 'yes',
  stop: 'no',
  'not-known': 'not checked',
};

/**
 * If no artifact was read: that the information in them is not known, and how to have them read. Empty if one was read,
 * or if there is no release to read one of.
 */
function nothingRead({ report: { artifacts, releases, ...report }, offline }: ReportDocument): string[] {
  if (artifacts.read > 0 || releases.length === 0) return [];
  const none = `No artifact of the ${countOf(releases.length, 'release')} was read`;
  const unknown = 'What they break, migrate and change is not known.';
  if (artifacts.notRead === 0) {
    return [`${none}: they are backfilled, and none was published. ${unknown}`];
  }
  const { fromVersion, toVersion } = report;
  const mirror = `lightspan index mirror --out ./mirror --from ${fromVersion} --to ${toVersion}`;
  return [
    `${none}. ${unknown}`,
    `To have them read, ${offline === true ? 'run this without --offline on' : 'use'} a machine with a network, or write a mirror there with ${mirror}, and run this here with --index ./mirror.`,
  ];
}

function provenanceOf({ index, judgedBy, madeAt, madeBy }: ReportDocument): Fact[] {
  const { source, generatedAt, latestVersion, sha256 } = index;
  const age = describeAge(madeAt.getTime() - Date.parse(generatedAt));
  return [
    ...factsOfJudgedBy(judgedBy),
    {
      label: 'Index',
      text: `${clip(source, 300)}, generated ${generatedAt} (${age}), ends at ${latestVersion}, SHA-256 ${sha256}`,
    },
    { label: 'Made', text: `${madeAt.toISOString()} by ${madeBy}` },
  ];
}

/** The status of each release covers what the reasons of the span say about it. */
function wordsOf({ report, preflight }: ReportDocument): string[] {
  const { span, counts, blockedBy, route }: UpgradeReport = report;
  const kinds = [...span.reasons.map(({ kind }) => kind), ...wordsOfRoute(route)];
  return compact<string>(
    preflight && gravestKinds(preflight.result.findings),
    kinds.filter((kind) => kind !== 'unsafe-release' && kind !== 'unknown-release'),
    blockedBy?.kind,
    releaseStatuses.filter((status) => status !== 'proven' && counts[status] > 0),
    span.disagreements.map(({ kind }) => kind),
  );
}
