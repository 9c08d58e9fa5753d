import type { UpgradeReport } from '../../release-safety/report-results.js';
import { printable } from '../printable.js';
import { describeDisagreement } from '../words/disagreements.js';
import { capped } from '../words/lists.js';
import { describeReason } from '../words/reasons.js';

/** That a report is in its file, and why it is no yes: who runs the command in a pipeline sees this alone. */
export function renderReportWritten({ safe, span, toVersion }: UpgradeReport, file: string): string {
  const written = `Report written to ${printable(file)}\n`;
  if (safe) return written;
  const why = [
    ...span.reasons.map((reason) => describeReason(reason, span.fromVersion)),
    ...span.disagreements.map(describeDisagreement),
  ];
  return [
    `${written}${toVersion} is not proven to be reached in one rolling step from ${span.fromVersion}.`,
    ...capped(why, 10).map((line) => `  - ${line}`),
    '',
  ].join('\n');
}
