import type { ReportDocument } from '../report/document.js';
import { renderVersioned } from './document.js';
import type { UpgradeReportResult } from './upgrade-report-schema.js';

/** The whole report for a program: one line, with a schemaVersion of its own. Nothing in it is shortened. */
export function renderUpgradeReportJson({ report, index, madeAt, madeBy }: ReportDocument): string {
  const { safe, ...rest } = report;
  return renderVersioned<UpgradeReportResult>({
    schemaVersion: '2',
    safe,
    index,
    madeAt: madeAt.toISOString(),
    madeBy,
    ...rest,
  });
}
