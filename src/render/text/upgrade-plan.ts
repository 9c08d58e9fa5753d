import { hasTooManyHops, type RouteHop } from '../../release-safety/route.js';
import type { RenderedHop } from '../deployment/hop-block.js';
import { beforeYouBegin, pasteAsOneBlock, type RenderedStep } from '../deployment-steps.js';
import { narrowHopTable } from '../hop-table.js';
import type { Palette } from '../palette.js';
import type { PlanDetails } from '../plan-details.js';
import { printable } from '../printable.js';
import { textOf } from '../report/section.js';
import { shellWord } from '../shell-word.js';
import type { ShownRoute } from '../shown-route.js';
import { decisionWords } from '../words/decisions.js';
import { type JudgedBy, judgedByLine } from '../words/judged-by.js';
import { describeLeastDowntime } from '../words/least-downtime.js';
import { renderVersionList } from '../words/lists.js';
import { nextOfPlan, whyAndNext } from '../words/next.js';
import { linesOfAnswer } from '../words/questions.js';
import { describeBlock } from '../words/reasons.js';
import {
  describeDowntimeOfRoute,
  describeHopDetails,
  describeNoRelease,
  describeRoute,
  describeTarget,
  describeTooManyHops,
  notesOfHop,
  titleOfHop,
  wordsOfRoute,
} from '../words/route.js';
import { describeAllWaysBack } from '../words/way-back.js';
import { wrapWords } from '../wrap.js';
import { renderCurrentVersion } from './current-version.js';
import { renderTable } from './table.js';

export interface UpgradePlanTextOptions extends PlanDetails {
  readonly palette: Palette;
  /** Whether to list, under each hop, every release that is not proven, and every one that requires the landing. */
  readonly verbose: boolean;
  /** Columns of the terminal; undefined if the output is not a terminal. */
  readonly width: number | undefined;
  /** Where the current version was found; undefined if it was given. */
  readonly fromSource: string | undefined;
  readonly judgedBy: JudgedBy;
}

/** The plan for a person: the hops as a table, what blocks the route, then what to do for each hop. */
export function renderUpgradePlanText(route: ShownRoute, options: UpgradePlanTextOptions): string {
  const { palette, verbose, width, fromSource, startIsNoRelease, maxHops, renderedHops, scripts } = options;
  const { leastDowntime, instance, judgedBy } = options;
  const { fromVersion, hops, blockedBy } = route;
  const lines = [`Upgrade plan: ${fromVersion} -> ${describeTarget(route)}`];
  if (fromSource !== undefined) {
    lines.push(renderCurrentVersion({ version: fromVersion, source: fromSource }).trimEnd());
  }
  lines.push(`Route: ${palette.bold(describeRoute(route, palette))}`);
  const downtime = describeDowntimeOfRoute(hops);
  if (downtime !== undefined) lines.push(`Downtime: ${downtime}`);
  if (leastDowntime !== undefined) {
    lines.push(wrapWords(`Preferred: ${describeLeastDowntime(leastDowntime)}`, width ?? 80, '  '));
  }
  const wayBack = describeAllWaysBack(hops.map((hop) => hop.wayBack));
  if (wayBack !== undefined) lines.push(`Going back: ${wayBack}`);
  if (blockedBy !== null) {
    lines.push(`Blocked by: ${describeBlock(blockedBy)}`);
  }
  if (startIsNoRelease) lines.push(palette.bad(`! ${describeNoRelease(fromVersion)}.`));
  const tooManyHops = hasTooManyHops(route, maxHops);
  if (tooManyHops) lines.push(palette.bad(`! ${describeTooManyHops(route, maxHops)}.`));
  if (instance !== undefined) lines.push(...linesOfAnswer(instance));
  lines.push(judgedByLine(judgedBy));
  if (hops.length > 0) {
    lines.push('', ...renderHops(hops, palette, width));
    // If each hop has its steps, this is shown above them.
    const details = renderedHops === undefined && !startIsNoRelease ? describeHopDetails(hops) : [];
    if (details.length > 0) lines.push('', ...details.map((line) => wrapWords(line, width ?? 80, '  ')));
  }
  for (const [i, hop] of hops.entries()) {
    const rendered = renderedHops?.[i];
    if (rendered === undefined && !verbose) break;
    lines.push('', palette.bold(titleOfHop(hop, i + 1)));
    if (verbose) lines.push(...describeHop(hop));
    if (rendered === undefined) continue;
    lines.push(...rendered.before.map((line) => `  ${wrapWords(line, (width ?? 80) - 2, '    ')}`));
    lines.push(...describeCommands(rendered, scripts?.[i], palette));
  }
  const next =
    instance?.answer === 'no'
      ? decisionWords.stop.next
      : nextOfPlan(route, { startIsNoRelease, tooManyHops, hasSteps: renderedHops !== undefined });
  return `${[...lines, '', ...whyAndNext(wordsOfRoute(route), next)].join('\n')}\n`;
}

/** One row per hop, and remarks on hops below them. */
export function renderHops(hops: readonly RouteHop[], palette: Palette, width: number | undefined): string[] {
  const { columns, rows } = narrowHopTable(hops);
  const header = columns.map(({ title }) => title.toUpperCase());
  const notes = hops.flatMap((hop, i) => notesOfHop(hop, i + 1));
  return [
    renderTable(
      header,
      rows.map((row) => row.map(textOf)),
      palette,
      width,
    ).trimEnd(),
    ...(notes.length > 0 ? [''] : []),
    ...notes.map(({ text, bad }) => {
      const note = wrapWords(`${bad ? '! ' : ''}${text}.`, width ?? 80, '  ');
      return bad ? palette.bad(note) : note;
    }),
  ];
}

function describeHop(hop: RouteHop): string[] {
  const list = (versions: readonly string[]) => renderVersionList(versions, { whole: true });
  return [
    `  Demanded by: ${list(hop.demandedBy)}`,
    `  Unsafe rolling-update safety: ${list(hop.unsafeVersions)}`,
    `  Unknown rolling-update safety: ${list(hop.unknownVersions)}`,
  ];
}

function describeCommands(
  { steps, block }: RenderedHop,
  script: string | undefined,
  palette: Palette,
): string[] {
  return [
    ...steps.flatMap((step, i) => describeStep(step, i + 1, palette)),
    '',
    ...(script === undefined
      ? [pasteAsOneBlock, '', block.trimEnd()]
      : [`Run: sh ${shellWord(printable(script))}`]),
  ];
}

function describeStep({ title, values, notes }: RenderedStep, number: number, palette: Palette): string[] {
  const indent = (text: string, by: string) => text.trimEnd().replaceAll(/^/gm, by);
  return [
    `  ${number}. ${printable(title)}`,
    ...(values === undefined
      ? []
      : [`     ${printable(beforeYouBegin(values))}`, indent(values.yaml, '       ')]),
    ...notes.map((note) => palette.dim(indent(note, '     '))),
  ];
}
