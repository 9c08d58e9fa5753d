import { type ReportDocument, shownHops } from '../report/document.js';
import { renderVersioned } from './document.js';
import { preflightPart } from './upgrade-preflight.js';
import type { UpgradeReportResult } from './upgrade-report-schema.js';

/** The whole report for a program: one line, with its own schemaVersion. Nothing in it is shortened. */
export function renderUpgradeReportJson(document: ReportDocument): string {
  const {
    report,
    index,
    judgedBy,
    madeAt,
    madeBy,
    preflight,
    acceptedIssues = [],
    replacedIssues = [],
  } = document;
  const { safe, ...rest } = report;
  const hops = shownHops(document).map(({ time, ...hop }) =>
    time === undefined ? hop : { ...hop, migrationTime: time },
  );
  return renderVersioned<UpgradeReportResult>({
    schemaVersion: '2',
    safe,
    index,
    judgedBy,
    madeAt: madeAt.toISOString(),
    madeBy,
    acceptedIssues,
    replacedIssues,
    ...rest,
    route: { ...rest.route, hops },
    ...(preflight === undefined ? {} : { preflight: preflightPart(preflight) }),
  });
}
