import { releaseStatuses } from '../../release-safety/kinds.js';
import type { Palette } from '../palette.js';
import { clip, number } from '../phrase.js';
import { gravestKinds } from '../preflight/described-findings.js';
import { printable } from '../printable.js';
import { provenanceOf, type ReportDocument } from '../report/document.js';
import { type Head, headOf } from '../report/head.js';
import { type Block, lineOf, type Section } from '../report/section.js';
import { sectionsOf } from '../report/sections.js';
import { capped, longestList, renderVersionList } from '../words/lists.js';
import { whyAndNext } from '../words/next.js';
import { describeBlock } from '../words/reasons.js';
import { releaseStatusWords } from '../words/release-status.js';
import { describeRoute, goesNoFurther, wordsOfRoute } from '../words/route.js';
import { wrapWords } from '../wrap.js';
import { renderHops } from './upgrade-plan.js';

export interface UpgradeReportTextOptions {
  readonly palette: Palette;
  /** Whether to list everything, however much. */
  readonly verbose: boolean;
  /** Columns of the terminal; undefined if the output is not a terminal. */
  readonly width: number | undefined;
}

/** Longer texts from outside are cut here: the JSON of the report has them whole. */
const longest = 500;

/** The report for a terminal. */
export function renderUpgradeReportText(document: ReportDocument, options: UpgradeReportTextOptions): string {
  const { report } = document;
  const { palette } = options;
  const head = headOf(document);
  const { target, verdict, warnings, answers, next } = head;
  const paint = report.safe ? palette.good : palette.bad;
  const lines = [
    `Upgrade report: ${report.fromVersion} -> ${target}`,
    ...warnings.map((line) => palette.warn(line)),
    `Verdict: ${palette.bold(paint(verdict))}`,
    ...answers.flatMap(({ question, answer, why }) => [`${question}: ${answer}`, ...items(why, options)]),
    `Route: ${describeRoute(report.route, palette)}`,
    ...(report.route.blockedBy === null ? [] : items([describeBlock(report.route.blockedBy)], options)),
    ...whyAndNext(wordsOfReport(document), next),
    ...renderRoute(document, head, options),
    ...sectionsOf(document).flatMap((section) => renderSection(section, options)),
    '',
    ...provenanceOf(document).map(([name, fact]) => palette.dim(`${name}: ${printable(fact)}`)),
  ];
  return lines.map((line) => `${line}\n`).join('');
}

/** The status of each release covers what the reasons of the span say about it. */
function wordsOfReport({ report, preflight }: ReportDocument): string[] {
  const { span, counts, blockedBy, route } = report;
  const kinds = [...span.reasons.map(({ kind }) => kind), ...wordsOfRoute(route)];
  return [
    ...(preflight === undefined ? [] : gravestKinds(preflight.result.findings)),
    ...kinds.filter((kind) => kind !== 'unsafe-release' && kind !== 'unknown-release'),
    ...(blockedBy === null ? [] : [blockedBy.kind]),
    ...releaseStatuses.filter((status) => status !== 'proven' && counts[status] > 0),
    ...span.disagreements.map(({ kind }) => kind),
  ];
}

/** A list of lines; a long one is cut unless everything was requested, and says so. */
function items(lines: readonly string[], { verbose }: Pick<UpgradeReportTextOptions, 'verbose'>): string[] {
  const shown = verbose ? lines : capped(lines, longestList, ' (--verbose lists them)');
  return shown.map((line) => `  - ${printable(line)}`);
}

function renderRoute(
  { report: { route, blockedBy } }: ReportDocument,
  { downtime, ofHops }: Head,
  { palette, width }: UpgradeReportTextOptions,
): string[] {
  if (route.hops.length === 0) return [];
  return [
    '',
    ...renderHops(route.hops, palette, width),
    ...goesNoFurther(blockedBy),
    '',
    ...(downtime === undefined ? [] : [wrapWords(`Downtime: ${downtime}.`, width, '  ')]),
    ...ofHops.map((line) => wrapWords(line, width, '  ')),
  ];
}

function renderSection({ title, blocks, notes }: Section, options: UpgradeReportTextOptions): string[] {
  return [
    '',
    options.palette.bold(title),
    ...blocks.flatMap((block) => renderBlock(block, options)),
    ...notes,
  ];
}

function renderBlock(block: Block, { verbose }: UpgradeReportTextOptions): string[] {
  if (block.kind === 'table') {
    const { lead, columns, rows, whole = verbose } = block;
    const lines = rows.map((row) => lineOf(columns, row, longest));
    return [`${lead}${rows.length === 0 ? '' : ':'}`, ...items(lines, { verbose: whole })];
  }
  const { status, releases } = block;
  const { label, brief } = releaseStatusWords[status];
  const versions = renderVersionList(
    releases.map(({ release }) => release.version),
    { whole: verbose },
  );
  const why = releases.flatMap(({ release, why }) => why.map((line) => `${release.version}: ${line}`));
  return [
    `${number(releases.length)} ${label} (${brief}): ${versions}`,
    ...items(
      why.map((line) => clip(line, longest)),
      { verbose },
    ),
  ];
}
