import type { TimeRange } from '../../instance/forecast/work.js';
import type { ReplacedIssue } from '../../known-issues/join-records.js';
import type { UpgradeReport } from '../../release-safety/report.js';
import type { DeepReadonly } from '../../shared/deep-readonly.js';
import type { UpgradeReportResult } from '../json/upgrade-schemas.js';
import type { PreflightOfReport } from '../preflight/document.js';
import type { ShownHop } from '../shown-route.js';
import type { JudgedBy } from '../words/judged-by.js';

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
