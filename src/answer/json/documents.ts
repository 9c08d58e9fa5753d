import type { CheckEvidence, CheckId } from '../../checks/checks.js';
import type { PreflightResult } from '../../checks/run-checks.js';
import type { TimeRange } from '../../instance/forecast/work.js';
import type { ReplacedIssue } from '../../known-issues/join-records.js';
import type { UpgradeReport } from '../../release-safety/report.js';
import type { DeepReadonly } from '../../shared/deep-readonly.js';
import type { RenderedHop } from '../../steps/hop-block.js';
import type { ShownHop } from '../../steps/shown-route.js';
import type { VerifyFinding } from '../../verify/describe.js';
import type { LeastDowntime } from '../../words/downtime.js';
import type { JudgedBy } from '../../words/judged-by.js';
import type { UpgradeVerifyResult } from './answer-schemas.js';
import type { UpgradePreflightResult, UpgradeReportResult } from './upgrade-schemas.js';

/** What every form of a plan shows besides its route. */
export interface PlanDetails {
  /** The running version is not in the index, which should contain it. */
  readonly startIsNoRelease: boolean;
  readonly maxHops: number | undefined;
  /** What to do for each hop; undefined if not requested. */
  readonly renderedHops: readonly RenderedHop[] | undefined;
  /** The files with the scripts, one per hop. */
  readonly scripts: readonly string[] | undefined;
  /** Undefined if this is not the preference, or there is no route. */
  readonly leastDowntime?: LeastDowntime | undefined;
}

export interface PreflightDocument
  extends Pick<DeepReadonly<UpgradePreflightResult>, 'decision' | 'failOn' | 'hops' | 'fromSource'> {
  readonly result: PreflightResult<CheckId, CheckEvidence>;
  readonly index: DeepReadonly<UpgradeReportResult['index']>;
  readonly facts: UsedFacts;
  readonly judgedBy: JudgedBy;
}

export interface UsedFacts {
  /** A file, or the database, without a password. */
  readonly source: string;
  /** ISO 8601. */
  readonly collectedAt: string;
  readonly ageMs: number;
}

/** The part of it that a report contains, too. */
export type PreflightOfReport = Pick<PreflightDocument, 'result' | 'decision' | 'facts'>;

/** A report and its provenance: the input of every renderer of it. */
export interface ReportDocument {
  readonly report: UpgradeReport;
  /** How long the migrations of each hop take, without waits for locks; undefined without facts of a database. */
  readonly times?: readonly TimeRange[] | undefined;
  /** Undefined if nothing of the instance was seen. */
  readonly preflight?: PreflightOfReport | undefined;
  readonly acceptedIssues?: readonly string[];
  readonly replacedIssues?: readonly ReplacedIssue[];
  readonly index: DeepReadonly<UpgradeReportResult['index']>;
  readonly judgedBy: JudgedBy;
  /** Whether the network was forbidden. */
  readonly offline?: boolean | undefined;
  readonly madeAt: Date;
  /** Name and version of the program. */
  readonly madeBy: string;
}

/** The hops of the route with what is shown of each. */
export function shownHops({ report, times }: Pick<ReportDocument, 'report' | 'times'>): readonly ShownHop[] {
  const { hops } = report.route;
  return times === undefined ? hops : hops.map((hop, i) => ({ ...hop, time: times[i] }));
}

export interface VerifyDocument
  extends Omit<DeepReadonly<UpgradeVerifyResult>, 'schemaVersion' | 'verified' | 'facts' | 'findings'> {
  /** Null if nothing was checked besides readiness. */
  readonly facts: UsedFacts | null;
  /** The findings besides readiness; empty if nothing else was requested. */
  readonly findings: readonly VerifyFinding[];
}
