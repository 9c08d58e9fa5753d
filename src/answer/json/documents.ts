import type { CheckEvidence, CheckId } from '../../checks/checks.js';
import type { Decision, FailOn } from '../../checks/decision.js';
import type { PreflightResult } from '../../checks/run-checks.js';
import type { TimeRange } from '../../instance/forecast/work.js';
import type { InstanceState, VerifyOutcome } from '../../instance-state.js';
import type { ReplacedIssue } from '../../known-issues/join-records.js';
import type { UpgradeReport } from '../../release-safety/report.js';
import type { Version } from '../../release-safety/version.js';
import type { DeepReadonly } from '../../shared/deep-readonly.js';
import type { RenderedHop } from '../../steps/hop-block.js';
import type { ShownHop } from '../../steps/shown-route.js';
import type { VerifyFinding } from '../../verify/describe.js';
import type { LeastDowntime } from '../../words/downtime.js';
import type { JudgedBy } from '../../words/judged-by.js';
import type { UpgradeReportResult } from './upgrade-schemas.js';

/** What every form of a plan shows besides its route. */
export interface PlanDetails {
  /** The running version is not in the index, which should contain it. */
  readonly startIsNoRelease: boolean;
  /** The maximum number of hops for a yes; undefined if there is no limit. */
  readonly maxHops: number | undefined;
  /** What to do for each hop; undefined if not requested. */
  readonly renderedHops: readonly RenderedHop[] | undefined;
  /** The files with the scripts, one per hop. */
  readonly scripts: readonly string[] | undefined;
  /** Undefined if this is not the preference, or there is no route. */
  readonly leastDowntime?: LeastDowntime | undefined;
}

/** A preflight in the form that every format uses. */
export interface PreflightDocument {
  readonly result: PreflightResult<CheckId, CheckEvidence>;
  readonly decision: Decision;
  readonly failOn: FailOn;
  /** How many hops the index requires for the route; 0 if there is no route. */
  readonly hops: number;
  /** Where the running version was found. */
  readonly fromSource: string;
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
  /** What was found in the instance; undefined if nothing of it was seen. */
  readonly preflight?: PreflightOfReport | undefined;
  /** Known issues that the user accepted and that do not count. */
  readonly acceptedIssues?: readonly string[];
  /** Built-in known issues that a source replaced or withdrew. */
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

/** The result of upgrade-verify, in the form that every format uses. */
export interface VerifyDocument {
  /** Whether the exit code is 0. */
  readonly safe: boolean;
  readonly outcome: VerifyOutcome;
  readonly instance: string;
  readonly version: Version;
  readonly polls: number;
  readonly pollsInRow: number;
  readonly elapsedMs: number;
  readonly lastState: InstanceState;
  /** Null if nothing was checked besides readiness. */
  readonly facts: UsedFacts | null;
  /** The findings besides readiness; empty if nothing else was requested. */
  readonly findings: readonly VerifyFinding[];
}
