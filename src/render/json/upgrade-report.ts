import { printable } from '../printable.js';
import type { ReportDocument } from '../report/document.js';
import { renderDocument } from './document.js';

/** The whole report for a program: one line, with a schemaVersion of its own. Nothing in it is shortened. */
export function renderUpgradeReportJson({ report, index, madeAt, madeBy }: ReportDocument): string {
  const { safe, ...rest } = report;
  const line = renderDocument({ safe, index, madeAt: madeAt.toISOString(), madeBy, ...rest });
  return `${printable(line.trimEnd())}\n`;
}
