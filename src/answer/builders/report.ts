import { decisionWords, manyHops } from '../../checks/decision.js';
import type { FindingInWords } from '../../checks/describe.js';
import { findingInWords } from '../../checks/describe.js';
import { isDisputed } from '../../core/judge.js';
import { releaseStatuses } from '../../core/kinds.js';
import type { UpgradeReport } from '../../core/report.js';
import { compact } from '../../core/text/compact.js';
import { linesBesideChanges } from '../../words/evidence/demands.js';
import { factsOfJudgedBy, namesOfAccepted } from '../../words/evidence/judged-by.js';
import { describeLeftOut } from '../../words/evidence/notices.js';
import { countOf, describeAge, truncate } from '../../words/phrase.js';
import { nextOfReport } from '../../words/route/next.js';
import { describeBlock } from '../../words/route/reasons.js';
import {
  describeFurthest,
  describeHopDetails,
  describeTarget,
  remarksOfRoute,
  whyBeforeMajor,
  wordsOfRoute,
} from '../../words/route/route.js';
import { type Answer, emptyAnswer, type Fact, type Question } from '../answer.js';
import { headlineOf, type Outcome } from '../headline.js';
import { type ReportDocument, shownHops } from '../json/upgrade.js';
import { tableOfChanges, variablesIn } from './changes.js';
import { detailsOf } from './details.js';
import { gravestKinds } from './findings.js';
import { notAllChecked, questionOfInstance } from './instance/question.js';
import { outcomeOfSpan, outcomeOfStops } from './outcomes.js';
import { describeMissing, factsOfPreflight, groupsOfPreflight, nextOfPreflight } from './preflight.js';
import { factOfVerdict, questionsOfSpan } from './questions.js';
import { factsOfRoute } from './route/hops.js';
import { outcomeOfRoute } from './route/route-outcome.js';

export function answerOfReport(
  document: ReportDocument,
  { verbose, noRelease }: { readonly verbose: boolean; readonly noRelease?: Fact | undefined },
): Answer {
  const { report, preflight, judgedBy, demands, replacedIssues = [], deploy } = document;
  const { fromVersion, safe, span, route, blockedBy, releases, artifacts } = report;
  const hops = shownHops(document);
  const target = describeTarget(report);
  const extent = describeExtent(report);
  const preflightResult = preflight?.result ?? document.refused;
  const stops = preflightResult?.findings.filter(({ status }) => status === 'stop') ?? [];
  const described = stops.map(findingInWords);
  const instance = preflightResult && questionOfInstance(preflightResult, described);
  const verdict = factOfVerdict(
    safe,
    namesOfAccepted(judgedBy).length > 0,
    span.jump === true && stops.length === 0,
  );
  return {
    ...emptyAnswer,
    report,
    title: `Upgrade report: ${fromVersion} -> ${target}`,
    headline: headlineOf(outcomeOfReport(document, described), {
      accepted: namesOfAccepted(judgedBy),
      deploy,
    }),
    deploy,
    safe,
    verdict: span.verdict,
    strategy: hops.length === 0 ? undefined : route.rolling ? 'RollingUpdate' : 'Recreate',
    facts: compact<Fact>(
      noRelease,
      verdict,
      { label: 'Releases', text: extent },
      releases.length > 0 && artifacts.read === 0 && { label: 'Artifacts', text: describeUnread(report) },
      factsOfRoute(route, hops, {
        items: compact(route.blockedBy && describeBlock(route.blockedBy)),
        deploy,
      }),
      preflight && factsOfPreflight(preflight),
    ),
    questions: compact<Question>(
      instance && { ...instance, yes: instance.answer === 'yes' },
      questionsOfReport(report),
    ),
    hops,
    remarks: compact(
      [...linesBesideChanges(demands), ...whyBeforeMajor(hops, demands.majors)].map((text) => ({
        text,
      })),
      remarksOfRoute(hops, { verbose, deploy }),
      hops.length > 0 && describeFurthest(blockedBy).map((text) => ({ text: `${text}.` })),
      describeHopDetails(hops).map((text) => ({ text })),
      preflight && hops.length > 1 && { text: `Preflight: ${manyHops}` },
    ),
    changes: tableOfChanges(
      demands.notes,
      report.config.variablesSet === null ? variablesIn(preflight?.result) : report.config.ofVariablesSet,
    ),
    findings: preflight === undefined ? [] : groupsOfPreflight(preflight.result),
    details: detailsOf(report),
    notices: describeLeftOut({ publisherOnly: report.publisherOnly, replacedIssues }),
    provenance: [...factsOfJudgedBy(judgedBy), ...factsOfMaking(document)],
    why: wordsOf(document),
    next: nextOf(document, stops.length > 0),
  };
}

/**
 * The report is read by a board that decides whether to upgrade, and how: what needs a downtime is shown with all of
 * its steps.
 */
function outcomeOfReport(
  { report, proven = report.safe, preflight }: ReportDocument,
  stops: readonly FindingInWords[],
): Outcome {
  const { span, route } = report;
  const stopped = outcomeOfStops(stops);
  if (stopped !== undefined) return stopped;
  if (proven) {
    const isOpen = preflight?.decision === 'not-known';
    return isOpen
      ? { kind: 'not-known', missing: describeMissing(preflight) }
      : outcomeOfSpan(span, { isDisputed: false });
  }
  const outcome = outcomeOfRoute(route);
  if (outcome.kind === 'nothing-to-do') return outcomeOfSpan(span, { isDisputed: isDisputed(span) });
  if (outcome.kind !== 'route') return outcome;
  const { steps } = outcome;
  if (steps.withDowntime === 0) return { kind: 'rolls-in-steps', steps };
  const but = compact(
    isDisputed(span) && 'index and artifacts disagree',
    preflight?.decision === 'not-known' && notAllChecked,
  );
  return { kind: 'downtime-only', steps, but: but.join(', and ') || undefined };
}

/** How many releases there are, and from when to when. */
function describeExtent({ releases }: UpgradeReport): string {
  if (releases.length === 0) return 'no release of the span is in the index';
  const dates = [releases[0], releases.at(-1)].flatMap((release) => release?.releaseDate.slice(0, 10) ?? []);
  return `${countOf(releases.length, 'release')}, ${dates.join(' to ')}`;
}

/** Of which index the report was made, when and by what. */
function factsOfMaking({ index, madeAt, madeBy }: ReportDocument): readonly Fact[] {
  const age = describeAge(madeAt.getTime() - Date.parse(index.generatedAt));
  return [
    {
      label: 'Index',
      text:
        `${truncate(index.source, 300)}, generated ${index.generatedAt} (${age}), ends at ${index.latestVersion}, ` +
        `SHA-256 ${index.sha256}`,
    },
    { label: 'Made', text: `${madeAt.toISOString()} by ${madeBy}` },
  ];
}

function nextOf({ report, preflight, times, deploy }: ReportDocument, isStopped: boolean): Answer['next'] {
  if (preflight?.decision === 'stop' || preflight?.decision === 'not-known')
    return nextOfPreflight(preflight);
  return isStopped ? decisionWords.stop.next : nextOfReport(report, { timeOfFirstHop: times?.[0], deploy });
}

/** What is not known as no artifact was read, and how to have them read. */
function describeUnread({ artifacts, fromVersion, toVersion }: UpgradeReport): string {
  const unknown = 'what the releases break, migrate and change is not known';
  return artifacts.notRead === 0
    ? `none was published, so ${unknown}`
    : `none was read, so ${unknown}; a machine with a network reads them, or writes a mirror (lightspan index ` +
        `mirror --out ./mirror --from ${fromVersion} --to ${toVersion}), which --index ./mirror reads here`;
}

/** The status of each release covers what the reasons of the span say about it. */
function wordsOf({ report, preflight, deploy }: ReportDocument): string[] {
  const { span, counts, blockedBy, route } = report;
  const kinds = [...span.reasons.map(({ kind }) => kind), ...wordsOfRoute(route, deploy)];
  return compact<string>(
    preflight && gravestKinds(preflight.result.findings),
    kinds.filter((kind) => kind !== 'unsafe-release' && kind !== 'unknown-release'),
    blockedBy?.kind,
    releaseStatuses.filter((status) => status !== 'proven' && counts[status] > 0),
    span.disagreements.map(({ kind }) => kind),
  );
}

/** The same by index and artifacts together. */
export function questionsOfReport({ span, indexAlone, blockedBy, fromVersion, toVersion }: UpgradeReport) {
  const { length } = span.disagreements;
  const disputes = compact(
    blockedBy !== null && toVersion === fromVersion && describeBlock(blockedBy),
    // If the index alone says no as well, the artifacts make no difference.
    indexAlone.rolling &&
      length > 0 &&
      `the index alone says yes; ${countOf(length, 'disagreement')} with the artifacts`,
  );
  return questionsOfSpan(span, { disputes });
}
