import type { Answer } from '../src/answer/answer.js';
import { questionOfInstance } from '../src/answer/builders/instance/question.js';
import { answerOfPlan } from '../src/answer/builders/plan.js';
import { withHopDetails } from '../src/answer/builders/route/hop-details.js';
import { withTarget } from '../src/answer/builders/target.js';
import { renderMarkdown } from '../src/answer/formats/markdown.js';
import { renderUpgradePlanJson } from '../src/answer/json/upgrade.js';
import { preflightOf } from '../src/checks/checks.js';
import { findingInWords } from '../src/checks/describe.js';
import { latestVersionOf } from '../src/core/index/index-summary.js';
import { type ReleaseSafetyIndex, withKnownIssues } from '../src/core/index/release-safety-index.js';
import { judgeRoute } from '../src/core/judge.js';
import { LightspanError } from '../src/core/lightspan-error.js';
import { type DrawnRoute, drawnRoute } from '../src/core/report.js';
import { recommend, recommendedMinAgeMs } from '../src/core/route/recommended.js';
import { isNoRelease, requireTargetAhead } from '../src/core/route/route.js';
import { withWaysBack } from '../src/core/route/way-back.js';
import { isMajorWithoutNote } from '../src/core/span.js';
import type { Target, Version } from '../src/core/version.js';
import { type Deployment, deploymentOf } from '../src/instance/deployment.js';
import { type Facts, isObserved } from '../src/instance/facts/fact-names.js';
import type { FactsFile } from '../src/instance/facts/facts-schema.js';
import { conditionFacts } from '../src/instance/facts/known-facts.js';
import { withStated } from '../src/instance/facts/read-facts.js';
import { requireChart } from '../src/instance/first-versions.js';
import { knownEdition } from '../src/instance/ledger.js';
import { releaseLine } from '../src/instance/release-line.js';
import { builtInKnownIssues, timeForRecords } from '../src/known-issues/built-in.js';
import { demandsOf } from '../src/known-issues/demands.js';
import { knownIssuesOf, notesOf as notesFor } from '../src/known-issues/known-issues.js';
import { type RenderedHop, renderHop } from '../src/steps/hop-block.js';
import type { ShownRoute } from '../src/words/route/route.js';
import { describeNothingRecommended, wordsOfTarget } from '../src/words/route/target.js';
import type { Question } from './question.js';

/** The index that is asked, and where it came from. */
export interface UsedIndex {
  readonly index: ReleaseSafetyIndex;
  readonly source: string;
  /** Undefined where a browser does not compute it. */
  readonly sha256: string | undefined;
}

export interface Plan {
  /** In the words of the program, as its Markdown has them. */
  readonly answer: Answer;
  /** What to do now, with what the page has. */
  readonly next: string | undefined;
  readonly picture: DrawnRoute;
  readonly markdown: () => string;
  /** What `upgrade-plan --json` prints; undefined without a checksum of the index. */
  readonly json: () => string | undefined;
}

/** What the page answers by. */
export interface Data {
  readonly used: UsedIndex;
  /** Those of the instance, and when the oldest was seen. */
  readonly facts: { readonly file: FactsFile; readonly source: string; readonly seenAt: string } | undefined;
}

/**
 * The answer of `upgrade-plan`, by the same functions, without any artifact.
 *
 * @throws {LightspanError} `downgrade`
 */
export function plan({ used, facts }: Data, { from, to: target, deploy, stated }: Question, now: Date): Plan {
  requireTargetAhead({ from, to: target });
  const file = facts && withStated(facts.file, stated, now);
  const { index, notesOf } = judgedIndex(used.index, stated, facts?.file, now);
  const { to, words } = chosenTarget(index, from, target, now);
  const seen =
    file !== undefined && isObserved(file.facts)
      ? { index, facts: file.facts, artifacts: new Map() }
      : undefined;
  const judged = judgeRoute(
    { index, preflightOf: seen && ((span) => preflightOf({ ...seen, begin: span.from }, span)) },
    { from, to },
  );
  const { fromVersion, toVersion } = judged.route;
  const known = seen && {
    line: releaseLine(index, { from: fromVersion, to: toVersion }, fromVersion, seen.artifacts),
    ...{ edition: knownEdition(seen.facts), facts: seen.facts },
  };
  const route = known === undefined ? withWaysBack(judged.route) : withHopDetails(judged.route, known);
  const stops = judged.stops.map(findingInWords);
  const startIsNoRelease = isNoRelease(index, from);
  const deployment = deploymentOf(file?.facts ?? {});
  // Commands for a deployment that was seen take care of more than is shown here: they are left to the program.
  const hasSteps = deploy !== undefined && !startIsNoRelease && stops.length === 0 && !isDeployed(file);
  const renderedHops = hasSteps ? stepsOf(route, deployment[deploy], stated) : undefined;
  const details = {
    demands: demandsOf({ notesOf, knownThrough: builtInKnownIssues.knownThrough }, index, {
      from,
      to: toVersion,
    }),
    ...{ startIsNoRelease, renderedHops, maxHops: undefined, scripts: undefined },
    judgedBy: {
      index: index.generatedAt,
      knownIssues: builtInKnownIssues.records.length,
      knownThrough: builtInKnownIssues.knownThrough,
      artifacts: judged.artifacts,
      facts: facts === undefined ? null : { source: facts.source, collectedAt: facts.file.collectedAt },
    },
  };
  const { preflight } = judged;
  const asked = preflight && questionOfInstance(preflight, stops);
  // What was asked for and could not be read is no yes.
  const instance = asked && { ...asked, yes: asked.yes && judged.unseen.length === 0 };
  const kind = (deploy === 'compose' ? deploy : deployment.kind) ?? 'helm';
  const shown = {
    ...details,
    stops,
    deploy: kind,
    requireRolling: false,
    verbose: false,
    instance,
    preflight,
  };
  const answer = withTarget(answerOfPlan(route, shown), words);
  return {
    answer,
    next: answerOfPlan(route, { ...shown, onPage: true }).next,
    picture: drawnRoute(index, judged.route),
    markdown: () => renderMarkdown(answer),
    json: () =>
      used.sha256 === undefined
        ? undefined
        : renderUpgradePlanJson(route, {
            ...details,
            index: {
              ...{ source: used.source, generatedAt: index.generatedAt },
              ...{ latestVersion: latestVersionOf(index), sha256: used.sha256 },
            },
            ...{ fromSource: '--from', prefer: 'fewest-hops', stops },
            leftOut: { publisherOnly: false, acceptedIssues: [], replacedIssues: [] },
          }),
  };
}

/** What `recommended` stands for today, as in the program: of the records in the page. */
function chosenTarget(index: ReleaseSafetyIndex, from: Version, target: Target, now: Date) {
  if (target !== 'recommended') return { to: target, words: undefined };
  const recommendation = recommend(index, {
    ...{ from, now, minAgeMs: recommendedMinAgeMs, rollingOnly: false },
    isOpenMajor: (major) => !isMajorWithoutNote(major),
  });
  const { release, tooYoung, passedOver } = recommendation;
  if (release === undefined && (tooYoung !== undefined || passedOver.length > 0))
    throw new LightspanError('nothing-recommended', describeNothingRecommended(target, from, recommendation));
  const { knownThrough } = builtInKnownIssues;
  const by = { minAgeMs: recommendedMinAgeMs, knownThrough, now };
  return { to: release?.version ?? from, words: wordsOfTarget(target, from, recommendation, by) };
}

interface Judged {
  readonly index: ReleaseSafetyIndex;
  readonly notesOf: ReturnType<typeof notesFor>;
}

let kept: ({ readonly by: readonly unknown[] } & Judged) | undefined;

/** With the known issues of an instance. Kept, because the next question is mostly of the same one. */
function judgedIndex(
  of: ReleaseSafetyIndex,
  stated: Question['stated'],
  file: FactsFile | undefined,
  now: Date,
): Judged {
  const by = [of, file, JSON.stringify([...stated])];
  if (kept?.by.every((one, i) => one === by[i])) return kept;
  const seen = file && conditionFacts(file.facts);
  const facts: Facts = { get: (name) => stated.get(name) ?? seen?.get(name) };
  const time = timeForRecords(now);
  const hold = knownIssuesOf(builtInKnownIssues.records, facts, time);
  kept = { by, index: withKnownIssues(of, hold), notesOf: notesFor(builtInKnownIssues.notes, facts, time) };
  return kept;
}

/** Whether facts tell of a deployment. */
export function isDeployed(file: FactsFile | undefined): boolean {
  const { deployment, helm, chartValues, compose, workloads } = file?.facts ?? {};
  return [deployment, helm, chartValues, compose, workloads].some((fact) => fact !== undefined);
}

function stepsOf({ hops }: ShownRoute, nothing: Deployment, stated: Question['stated']): RenderedHop[] {
  const [chart, job] = [stated.get('chart-version'), stated.get('migration-job')];
  const chartVersion = chart === undefined ? undefined : String(chart);
  if (chartVersion !== undefined) requireChart(chartVersion);
  const migrationJob = job === undefined ? undefined : job === 'on';
  const deployment = nothing.kind === 'helm' ? { ...nothing, chartVersion, migrationJob } : nothing;
  return hops.map((hop, i) => renderHop(hop, { at: i + 1, of: hops.length }, deployment, undefined));
}
