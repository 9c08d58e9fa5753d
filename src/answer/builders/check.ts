import { decisionWords } from '../../checks/decision.js';
import type { FindingInWords } from '../../checks/describe.js';
import type { ReconciledSpanResult } from '../../core/artifact/reconcile.js';
import { lazy } from '../../core/common/memoize.js';
import { isDisputed, isReconciled } from '../../core/judge.js';
import type { Route, RouteHop } from '../../core/route/route.js';
import { type SpanResult, strategyFor } from '../../core/span.js';
import { compact } from '../../core/text/compact.js';
import type { Version } from '../../core/version.js';
import type { DeployKind } from '../../instance/facts/fact-names.js';
import type { TimeRange } from '../../instance/forecast/work-time.js';
import type { Demands } from '../../known-issues/demands.js';
import { linesOfAllDemands } from '../../words/evidence/demands.js';
import { factsOfJudgedBy, type JudgedBy, namesOfAccepted } from '../../words/evidence/judged-by.js';
import { describeDisagreement } from '../../words/evidence/release.js';
import { renderVersionList } from '../../words/lists.js';
import { deployWords } from '../../words/route/deploy-words.js';
import { describeDowntime } from '../../words/route/downtime.js';
import { nextOfCheck } from '../../words/route/next.js';
import { describeRange, reasonsOfKind } from '../../words/route/reasons.js';
import { type Answer, emptyAnswer, type Fact, type Question } from '../answer.js';
import { headlineOf } from '../headline.js';
import { outcomeOfSpan, outcomeOfStops } from './outcomes.js';
import { factOfVerdict, questionsOfSpan } from './questions.js';

interface CheckDetails {
  readonly verbose: boolean;
  readonly latestVersion: Version;
  readonly judgedBy: JudgedBy;
  readonly demands: Demands;
  readonly time?: TimeRange | undefined;
  /** Whether nothing but accepted verdicts keeps it from rolling. */
  readonly acceptedToRoll?: boolean;
  /** What the facts of the instance say; undefined if none were seen. */
  readonly instance?: Question | undefined;
  readonly stops?: readonly FindingInWords[];
  /** Undefined where nothing says so. */
  readonly deploy: DeployKind | undefined;
  /** From and to the same releases, as the alternative; undefined if it is not shown. */
  readonly route?: Pick<Route, 'hops'> | undefined;
  /** The first hop of that route, whether it is shown or not; computed only where it is the next step. */
  readonly firstHop?: () => RouteHop | undefined;
  /** The newest release that is proven to roll from there; computed only where the target does not. */
  readonly rollsTo?: () => Version | undefined;
  /** The options of the request that say what it is judged by. */
  readonly evidence?: readonly string[];
}

/** The lines of the contract's text form, then what is allowed and what to do next. */
export function answerOfCheck(result: SpanResult | ReconciledSpanResult, details: CheckDetails): Answer {
  const {
    verbose,
    latestVersion,
    judgedBy,
    acceptedToRoll,
    time,
    instance,
    route,
    deploy = 'helm',
  } = details;
  const { fromVersion, toVersion, safe, rolling, coveredVersions, missingRanges, reasons } = result;
  const disagreements = isReconciled(result) ? result.disagreements : undefined;
  const disagree = isDisputed(result);
  const [direct, rollingUpdate] = questionsOfSpan(result, {
    disputes: disagree ? ['index and artifacts disagree, so neither is proven'] : [],
    verbose,
  });
  const strategy = strategyFor(rolling);
  const downtime = describeDowntime([{ releases: coveredVersions, missingRanges, time }]);
  const how = acceptedToRoll === true ? ', accepted to roll' : rolling ? '' : `, downtime: ${downtime}`;
  const accepted = namesOfAccepted(judgedBy);
  const firstHop = details.firstHop && lazy(details.firstHop);
  const outcome =
    outcomeOfStops(details.stops ?? []) ?? outcomeOfSpan(result, { firstHop, isDisputed: disagree });
  const list = (versions: readonly string[]) => renderVersionList(versions, { verbose });
  const listed = (kind: 'unsafe-release' | 'unknown-release') =>
    list(reasonsOfKind(reasons, kind).map(({ version }) => version));
  return {
    ...emptyAnswer,
    title: `Release safety check: ${fromVersion} -> ${toVersion}`,
    headline: headlineOf(outcome, { accepted, deploy }),
    isContract: true,
    safe,
    verdict: result.verdict,
    strategy,
    facts: compact<Fact>(
      { label: 'Direction', text: result.direction },
      factOfVerdict(safe, accepted.length > 0, outcome.kind === 'downtime-only'),
      { label: 'Unsafe rolling-update safety', text: listed('unsafe-release') },
      { label: 'Unknown rolling-update safety', text: listed('unknown-release') },
      { label: 'Minimum previous version', text: result.minPreviousVersion ?? 'none' },
      { label: 'Covered releases', text: list(coveredVersions) },
      result.requiredStops.length > 0 && { label: 'Required stops', text: result.requiredStops.join(', ') },
      missingRanges.length > 0 && {
        label: 'Missing release-safety index coverage',
        text: '',
        items: missingRanges.map(describeRange),
      },
      disagreements && {
        label: 'Artifact disagreements',
        text: String(disagreements.length || 'none'),
        items: disagreements.map(describeDisagreement),
      },
    ),
    questions: compact<Question>(
      direct,
      // Where nothing can roll, whether old and new may overlap decides nothing.
      { ...rollingUpdate, beside: `strategy ${strategy}${how}`, isDetail: !deployWords[deploy].canRoll },
      instance,
    ),
    hops: route?.hops ?? [],
    deploy,
    remarks: linesOfAllDemands(details.demands).map((text) => ({ text })),
    provenance: factsOfJudgedBy(judgedBy),
    why: [...reasons, ...(disagreements ?? [])].map(({ kind }) => kind),
    next:
      instance?.answer === 'no'
        ? decisionWords.stop.next
        : nextOfCheck(result, latestVersion, disagree, { ...details, firstHop }),
  };
}
