import { printable } from '../printable.js';
import type { ReportDocument } from '../report/document.js';
import { headOf } from '../report/head.js';
import { describeDisagreement } from '../words/disagreements.js';
import { capped } from '../words/lists.js';
import { describeReason } from '../words/reasons.js';

/** Says that a report was written to its file, and why it is not a yes: a user of a pipeline sees only this. */
export function renderReportWritten(document: ReportDocument, file: string): string {
  const { safe, span, toVersion } = document.report;
  const written = `Report written to ${printable(file)}\n`;
  if (safe) return written;
  const preflight = headOf(document).answers.filter(
    ({ question, answer }) => question === 'Preflight' && answer !== 'yes',
  );
  const why = [
    ...span.reasons.map((reason) => describeReason(reason, span.fromVersion)),
    ...span.disagreements.map(describeDisagreement),
  ];
  return [
    written.trimEnd(),
    ...preflight.flatMap(({ answer, why }) => [`Preflight: ${answer}.`, ...listed(why)]),
    ...(why.length === 0 && preflight.length > 0
      ? []
      : [
          `${toVersion} is not proven to be reached in one rolling step from ${span.fromVersion}.`,
          ...listed(why),
        ]),
    '',
  ].join('\n');
}

function listed(lines: readonly string[]): string[] {
  return capped(lines, 10).map((line) => `  - ${line}`);
}
