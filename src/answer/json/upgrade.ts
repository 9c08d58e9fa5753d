import type { VerifyFinding } from '../../checks/after-upgrade/describe.js';
import { describeVerifyFinding } from '../../checks/after-upgrade/describe.js';
import type { CheckEvidence, CheckId } from '../../checks/checks.js';
import { type FindingInWords, findingInWords } from '../../checks/describe.js';
import type { PreflightResult } from '../../checks/run-checks.js';
import type { DeepReadonly } from '../../core/common/deep-readonly.js';
import type { ReplacedIssue } from '../../core/notice.js';
import { checkOfFinding, type PinCheck, type PinFinding } from '../../core/pins.js';
import type { UpgradeReport } from '../../core/report.js';
import { hasTooManyHops } from '../../core/route/route.js';
import { majorsCrossed } from '../../core/span.js';
import type { Version } from '../../core/version.js';
import type { DeployKind } from '../../instance/facts/fact-names.js';
import type { UsedFacts } from '../../instance/facts/facts-schema.js';
import type { TimeRange } from '../../instance/forecast/work-time.js';
import type { MeasuredHop } from '../../instance/rehearsed.js';
import type { Demands } from '../../known-issues/demands.js';
import type { RenderedHop } from '../../steps/hop-block.js';
import type { RenderedStep } from '../../steps/step-schema.js';
import type { JudgedBy } from '../../words/evidence/judged-by.js';
import type { LeftOut } from '../../words/evidence/notices.js';
import { upgradeNotesUrl } from '../../words/evidence/release.js';
import { deployOfPin, describePinFinding } from '../../words/pin-changes.js';
import type { LeastDowntime } from '../../words/route/downtime.js';
import type { ShownHop, ShownRoute } from '../../words/route/route.js';
import type { PinCheckResult, UpgradeVerifyResult } from './answer-schemas.js';
import { renderDocument, renderJsonLine, upgradeCheckFields } from './document.js';
import type {
  PreflightPart,
  UpgradePlanResult,
  UpgradePreflightResult,
  UpgradeReportResult,
} from './upgrade-schemas.js';

export interface PlanDetails {
  /** The running version is not in the index, which should contain it. */
  readonly startIsNoRelease: boolean;
  readonly maxHops: number | undefined;
  /** What to do for each hop; undefined if not requested. */
  readonly renderedHops: readonly RenderedHop[] | undefined;
  /** Those of each hop by Argo CD or Flux, where one of them applies what runs. */
  readonly gitOpsSteps?: readonly (readonly RenderedStep[])[] | undefined;
  /** The files of each hop. */
  readonly scripts: readonly { readonly script: string; readonly back: string }[] | undefined;
  /** Undefined if this is not the preference, or there is no route. */
  readonly leastDowntime?: LeastDowntime | undefined;
  /** The newest release that is proven to roll from the start in one step, where one is. */
  readonly rollsTo?: (() => Version | undefined) | undefined;
  readonly demands: Demands;
  /** `--require-rolling` with docker compose, which has no rolling hop. */
  readonly neverRolls?: boolean | undefined;
}

export interface PreflightDocument
  extends Pick<DeepReadonly<UpgradePreflightResult>, 'decision' | 'failOn' | 'hops' | 'fromSource'> {
  readonly result: PreflightResult<CheckId, CheckEvidence>;
  readonly index: DeepReadonly<UpgradeReportResult['index']>;
  readonly facts: UsedFacts;
  /** The line that collects the facts of a database in a service of docker compose; undefined if none was seen. */
  readonly collectInService?: string | undefined;
  readonly judgedBy: JudgedBy;
  readonly demands: Demands;
}

/** The part of it that a report contains, too. */
export type PreflightOfReport = Pick<PreflightDocument, 'result' | 'decision' | 'facts' | 'collectInService'>;

/** A report and its provenance: the input of every renderer of it. */
export interface ReportDocument {
  readonly report: UpgradeReport;
  /** Whether index and artifacts prove it, whatever the instance says; absent if nothing was seen of one. */
  readonly proven?: boolean;
  readonly deploy: DeployKind;
  /** How long the migrations of each hop take, without waits for locks; undefined without facts of a database. */
  readonly times?: readonly TimeRange[] | undefined;
  /** What a rehearsal measured, by hop; undefined for a hop that it did not measure. */
  readonly measured?: readonly (MeasuredHop | undefined)[] | undefined;
  /** Undefined if nothing of the instance was seen. */
  readonly preflight?: PreflightOfReport | undefined;
  /** What stops it although nothing of the instance was seen: a major, with --fail-on major. */
  readonly refused?: PreflightDocument['result'] | undefined;
  readonly acceptedIssues?: readonly string[];
  readonly replacedIssues?: readonly ReplacedIssue[];
  readonly index: DeepReadonly<UpgradeReportResult['index']>;
  readonly judgedBy: JudgedBy;
  readonly demands: Demands;
  readonly madeAt: Date;
  /** Name and version of the program. */
  readonly madeBy: string;
}

export function shownHops({
  report,
  times,
  measured,
}: Pick<ReportDocument, 'report' | 'times' | 'measured'>): readonly ShownHop[] {
  const { hops } = report.route;
  return hops.map((hop, i) => ({
    ...hop,
    ...(times && { time: times[i] }),
    ...(measured && { measured: measured[i] }),
  }));
}

export interface VerifyDocument
  extends Omit<DeepReadonly<UpgradeVerifyResult>, 'schemaVersion' | 'verified' | 'facts' | 'findings'> {
  /** Null if nothing was checked besides readiness. */
  readonly facts: UsedFacts | null;
  /** The findings besides readiness; empty if nothing else was requested. */
  readonly findings: readonly VerifyFinding[];
}

/**
 * The plan for a program: one line, with its own schemaVersion. `safe` is `rolling`, in no more hops than are allowed:
 * a plan with Recreate hops can be `certified`, but is not safe to roll.
 */
export function renderUpgradePlanJson(
  route: ShownRoute,
  details: PlanDetails &
    Pick<DeepReadonly<UpgradePlanResult>, 'index' | 'fromSource' | 'prefer' | 'judgedBy' | 'stops'> & {
      readonly leftOut: LeftOut;
    },
): string {
  const { fromVersion, toVersion, requestedTarget, certified, rolling, recreateHops, blockedBy } = route;
  const { index, fromSource, prefer, leftOut, judgedBy, stops, leastDowntime, maxHops } = details;
  return renderDocument<UpgradePlanResult>({
    safe: rolling && !hasTooManyHops(route, maxHops) && stops.length === 0 && details.neverRolls !== true,
    fromVersion,
    fromSource,
    toVersion,
    requestedTarget,
    prefer,
    index,
    ...leftOut,
    judgedBy,
    ...demandFields(details.demands),
    stops,
    certified,
    hops: route.hops.map((hop, i) => {
      const { steps = details.gitOpsSteps?.[i], preamble, block, back } = details.renderedHops?.[i] ?? {};
      const files = details.scripts?.[i];
      return {
        ...hopFields(hop),
        ...{ steps, preamble, block, script: files?.script },
        back: back && { steps: back.steps, preamble: back.preamble, block: back.block, script: files?.back },
      };
    }),
    rolling,
    recreateHops,
    underRecreate: leastDowntime,
    blockedBy,
  });
}

/** Left out where there are none. */
function demandFields({ majors, notes }: Pick<Demands, 'majors' | 'notes'>) {
  return {
    ...(majors.length === 0 ? {} : { majors, upgradeNotes: upgradeNotesUrl }),
    ...(notes.length === 0 ? {} : { notes }),
  };
}

function hopFields({ time, measured, ...hop }: ShownHop) {
  return { ...hop, migrationTime: time, rehearsed: measured };
}

export function renderUpgradePreflightJson(document: PreflightDocument, leftOut: LeftOut): string {
  const { result, failOn, fromSource, index, hops, judgedBy } = document;
  const { decision, ...part } = preflightPart(document);
  return renderDocument<UpgradePreflightResult>({
    safe: decision === 'go' || decision === 'go-with-care',
    decision,
    failOn,
    fromVersion: result.from,
    fromSource,
    toVersion: result.to,
    hops,
    index,
    ...leftOut,
    judgedBy,
    ...demandFields(document.demands),
    ...part,
  });
}

function preflightPart({ result, decision, facts }: PreflightOfReport): DeepReadonly<PreflightPart> {
  const { counts, checks, notAsked, findings } = result;
  const { source, collectedAt } = facts;
  const described = findings.map(findingInWords);
  return { decision, facts: { source, collectedAt }, counts, checks, notAsked, findings: described };
}

/** The whole report for a program: one line, with its own schemaVersion. Nothing in it is shortened. */
export function renderUpgradeReportJson(document: ReportDocument): string {
  const { index, judgedBy, madeAt, madeBy, preflight } = document;
  const { safe, ...report } = document.report;
  return renderJsonLine({
    schemaVersion: '2',
    safe,
    index,
    judgedBy,
    ...demandFields(document.demands),
    madeAt: madeAt.toISOString(),
    madeBy,
    acceptedIssues: document.acceptedIssues ?? [],
    replacedIssues: document.replacedIssues ?? [],
    ...report,
    route: { ...report.route, hops: shownHops(document).map(hopFields) },
    preflight: preflight && preflightPart(preflight),
  } satisfies DeepReadonly<UpgradeReportResult>);
}

export function renderUpgradeVerifyJson(document: VerifyDocument): string {
  const { safe, outcome, instance, version, polls, pollsInRow, elapsedMs, lastState } = document;
  const { facts, findings } = document;
  return renderDocument<UpgradeVerifyResult>({
    safe,
    instance,
    version,
    verified: outcome === 'verified',
    outcome,
    polls,
    pollsInRow,
    elapsedMs,
    lastState,
    facts: facts && { source: facts.source, collectedAt: facts.collectedAt },
    findings: findings.map((finding) => {
      const { check, status, subject, evidence } = finding;
      return { check, status, subject, ...describeVerifyFinding(finding), evidence: { ...evidence } };
    }),
  });
}

/** The answer about the pins of a change for a program: one line, with its own schemaVersion. */
export function renderPinCheckJson(
  { passes, safe, before, after, accepted, pins }: PinCheck<FindingInWords>,
  {
    leftOut,
    index,
    judgedBy,
    searched,
    lookedAt,
  }: Pick<DeepReadonly<PinCheckResult>, 'index' | 'judgedBy' | 'searched' | 'lookedAt'> & {
    readonly leftOut: LeftOut;
  },
): string {
  return renderDocument<PinCheckResult>({
    passes,
    safe,
    before: { name: before.name, commit: before.commit ?? null },
    after: { name: after.name, commit: after.commit ?? null },
    accepted,
    index,
    ...leftOut,
    judgedBy,
    searched,
    lookedAt,
    pins: pins.map(({ file, path, line, previousFile, from, to, finding, stops, ...pin }) => ({
      file,
      path: path.join('.'),
      line: line ?? null,
      previousFile: previousFile ?? null,
      fromVersion: from ?? null,
      toVersion: to ?? null,
      finding: finding.kind,
      passes: pin.passes,
      message: describePinFinding(finding, deployOfPin(pin)),
      ...demandFields({ majors: from && to ? majorsCrossed({ from, to }) : [], notes: [] }),
      check: checkFieldsOf(finding),
      stops,
    })),
  });
}

function checkFieldsOf(finding: PinFinding) {
  const check = checkOfFinding(finding);
  return check === undefined ? null : upgradeCheckFields(check);
}
