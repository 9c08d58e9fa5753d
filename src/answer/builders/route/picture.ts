import { type ReleaseStatus, releaseStatuses } from '../../../core/kinds.js';
import type { DrawnRoute, ReportedRelease } from '../../../core/report.js';
import type { RouteHop } from '../../../core/route/route.js';
import type { MissingRange } from '../../../core/span.js';
import { compact } from '../../../core/text/compact.js';
import type { Version } from '../../../core/version.js';
import type { DeployKind } from '../../../instance/facts/fact-names.js';
import { releaseStatusWords } from '../../../words/evidence/release.js';
import { countOf, formatNumber } from '../../../words/phrase.js';
import { rollsWith } from '../../../words/route/route.js';

/** One element of a drawing, as data: the page makes elements of it, and a report writes it. */
export interface Shape {
  readonly tag: 'path' | 'rect' | 'text';
  readonly attributes: Readonly<Record<string, string | number>>;
  readonly text?: string;
}

/** A route as a line of its releases, oldest first, with the hops above it and what else marks a release below it. */
export interface LinePicture {
  readonly cells: readonly Cell[];
  readonly shapes: readonly Shape[];
  /** In pixels: what `viewBox` takes, and how wide a release is. */
  readonly viewBox: string;
  readonly step: number;
  /** In pixels: the middle of a place. */
  readonly middle: (place: number) => number;
  readonly placeOf: ReadonlyMap<string, number>;
  readonly marks: readonly (readonly PlaceMark[])[];
  readonly deploy: DeployKind;
}

export type PlaceMark = 'stop' | 'minimum' | 'issue';

/** In pixels of the drawing: where its rows begin, and how tall the bar of each verdict is. */
export const rows = { hops: 62, line: 92, marks: 160, axis: 184, end: 216 } as const;
const heights = {
  proven: 14,
  unsafe: 62,
  'unknown-recent': 48,
  'unknown-backfilled': 38,
  'not-borne-out': 54,
} as const;
export const margin = 8;
/** One release among thousands stays in sight, in pixels: what is not proven is seen first. */
const minimumWidths = {
  proven: 0.5,
  unsafe: 3.5,
  'unknown-recent': 3,
  'unknown-backfilled': 1,
  'not-borne-out': 3,
} as const;
/** The bold letters of a hop, and the width of a month with its count, in pixels. */
const letterWidth = 6.8;
const month = 78;

interface PictureDetails {
  readonly minimums?: ReadonlySet<string>;
  readonly deploy: DeployKind;
}

/** @param width in pixels */
export function linePicture(
  report: DrawnRoute,
  width: number,
  { minimums = new Set(), deploy }: PictureDetails,
): LinePicture {
  const cells = cellsOf(report);
  const { hops } = report.route;
  const step = (width - 2 * margin) / Math.max(cells.length, 1);
  const scale = {
    ...{ width, step },
    left: (place: number) => round(margin + place * step),
    middle: (place: number) => round(margin + (place + 0.5) * step),
  };
  const placeOf = new Map(
    cells.flatMap((cell, i) => (cell.kind === 'release' ? [[cell.release.version as string, i]] : [])),
  );
  const issues = new Set(
    hops.flatMap(({ knownIssues, landingIssues }) =>
      [...knownIssues, ...landingIssues].map(({ version }) => version as string),
    ),
  );
  const marks = cells.map((cell): readonly PlaceMark[] => {
    if (cell.kind === 'gap') return [];
    const { version, requiredStop } = cell.release;
    return compact<PlaceMark>(
      requiredStop && 'stop',
      minimums.has(version) && 'minimum',
      issues.has(version) && 'issue',
    );
  });
  const { shapes, lines } = shapesOfHops({ hops, deploy }, placeOf, scale);
  const top = rows.hops - 8 - 14 * Math.max(lines, 1);
  return {
    ...{ cells, step, placeOf, marks, middle: scale.middle, deploy },
    viewBox: `0 ${top} ${width} ${rows.end - top}`,
    shapes: [
      ...shapesOfAxis(cells, scale),
      ...shapesOfRuns(cells, scale),
      ...shapes,
      ...cells.flatMap((cell, i) =>
        cell.kind === 'gap' ? [outlineOf('gap', scale.middle(i) - 6, rows.marks - 40)] : [],
      ),
      ...marks.flatMap((marksOfRelease, i) =>
        marksOfRelease.map((mark, row) => markShape(mark, scale.middle(i), rows.marks + 5 + row * 8)),
      ),
    ],
  };
}

interface Scale {
  readonly width: number;
  readonly step: number;
  readonly left: (place: number) => number;
  readonly middle: (place: number) => number;
}

export function statusOf(cell: Cell | undefined): ReleaseStatus | undefined {
  return cell?.kind === 'release' ? cell.release.standing : undefined;
}

/** Releases in a row that have the same status share a bar. */
function shapesOfRuns(cells: readonly Cell[], { width, step, left }: Scale): Shape[] {
  const bars: Partial<Record<ReleaseStatus, string>> = {};
  for (let i = 0; i < cells.length; ) {
    const start = i;
    const status = statusOf(cells[i]);
    while (i < cells.length && statusOf(cells[i]) === status) i++;
    if (status === undefined) continue;
    const wide = round(Math.max((i - start) * step - (step > 6 ? 1 : 0), minimumWidths[status]));
    const x = Math.min(left(start), round(width - margin - wide));
    bars[status] = `${bars[status] ?? ''}M${x} ${rows.marks}v-${heights[status]}h${wide}v${heights[status]}z`;
  }
  return [...releaseStatuses].reverse().flatMap((status): Shape[] => {
    const d = bars[status];
    return d === undefined
      ? []
      : [{ tag: 'path', attributes: { class: `l-${releaseMarks[status].name}`, d } }];
  });
}

/** The hops above the line: each over its releases, and named where it ends as long as there is room. */
function shapesOfHops(
  { hops, deploy }: { readonly hops: readonly RouteHop[]; readonly deploy: DeployKind },
  placeOf: ReadonlyMap<string, number>,
  { width, left, middle }: Scale,
): { readonly shapes: readonly Shape[]; readonly lines: number } {
  const ends: number[] = [];
  const drawn = hops.map((hop, i) => {
    const to = placeOf.get(hop.toVersion) ?? -1;
    const [x, end] = [left((placeOf.get(hop.fromVersion) ?? -1) + 1), left(to + 1)];
    const wide = hop.toVersion.length * 6.6 + 8;
    const at = Math.min(Math.max(middle(to), wide / 2), width - wide / 2);
    const free = [0, 1, 2, 3].find((row) => (ends[row] ?? -1) < at - wide / 2);
    if (free !== undefined) ends[free] = at + wide / 2;
    const y = rows.hops - 8 - (free ?? 0) * 14;
    const size = { x: x + 0.5, y: rows.hops, width: round(Math.max(end - x - 1, 1)), height: 16, rx: 3 };
    const line = `M${middle(to)} ${free === undefined ? rows.hops : y + 3}V${rows.marks}`;
    const name = nameOf(hop, i, { room: end - x - 8, deploy });
    const names: readonly (Shape | false)[] = [
      name !== '' && textShape('hop-name', name, { x: round((x + end) / 2), y: rows.hops + 12 }),
      free !== undefined && textShape('version', hop.toVersion, { x: round(at), y }),
    ];
    const bars: readonly Shape[] = [
      { tag: 'rect', attributes: { class: `hop ${hopClass(hop, deploy)}`, ...size } },
      { tag: 'path', attributes: { class: 'landing', d: line } },
    ];
    return { bars, names: compact<Shape>(...names) };
  });
  return {
    shapes: [...drawn.flatMap(({ bars }) => bars), ...drawn.flatMap(({ names }) => names)],
    lines: ends.length,
  };
}

function shapesOfAxis(cells: readonly Cell[], { width, left }: Scale): Shape[] {
  let place = 0;
  let end = -100;
  return groupByMonth(cells).flatMap(({ name, cells: cellsOfMonth }): Shape[] => {
    const x = left(place);
    place += cellsOfMonth.length;
    const tick: Shape = {
      tag: 'path',
      attributes: { class: 'tick', d: `M${x} ${rows.line}V${rows.axis + 4}` },
    };
    const isLast = x > width - month;
    if (x < end + (isLast ? month : 0)) return [tick];
    end = x + month;
    const title = name === '' ? '' : monthTitle(name).replace(/^(...)\w*/, '$1');
    const at = isLast ? { x: x - 3, 'text-anchor': 'end' } : { x: x + 3 };
    return [
      tick,
      textShape('month', title, { ...at, y: rows.axis + 12 }),
      textShape('month', countOf(cellsOfMonth.length, 'release'), { ...at, y: rows.axis + 26 }),
    ];
  });
}

function textShape(className: string, text: string, attributes: Shape['attributes']): Shape {
  return { tag: 'text', attributes: { class: className, ...attributes }, text };
}

/** The longest name of a hop that fits. */
function nameOf(
  hop: RouteHop,
  at: number,
  { room, deploy }: { readonly room: number; readonly deploy: DeployKind },
): string {
  const ends = `${hop.fromVersion} \u2192 ${hop.toVersion}`;
  const how = mannerOf(hop, deploy);
  const names = [`Hop ${at + 1}: ${ends}, ${how}`, `${ends}, ${how}`, ends, `${at + 1}`];
  return names.find((name) => name.length * letterWidth <= room) ?? '';
}

export function mannerOf({ strategy, certified }: RouteHop, deploy: DeployKind): string {
  return `${rollsWith(strategy, deploy) ? 'rolling' : 'with downtime'}${certified ? '' : ', unproven'}`;
}

function hopClass({ strategy, certified }: RouteHop, deploy: DeployKind): string {
  if (!certified) return 'uncertified';
  return rollsWith(strategy, deploy) ? 'rolls' : 'recreate';
}

/** The legend of a drawing: each kind of mark in a box of 24 by 16, with its words. */
export function legendOf(
  { cells, marks, deploy }: LinePicture,
  { counts, route }: DrawnRoute,
): readonly { readonly shapes: readonly Shape[]; readonly text: string; readonly status?: ReleaseStatus }[] {
  const hops = new Map(route.hops.map((hop) => [hopClass(hop, deploy), hop]));
  return [
    ...releaseStatuses
      .filter((status) => counts[status] > 0)
      .map((status) => ({
        shapes: [barOf(status), outlineOf(status, 10, 2)],
        text: `${formatNumber(counts[status])} ${releaseStatusWords[status].label}`,
        status,
      })),
    ...(cells.some(({ kind }) => kind === 'gap')
      ? [{ shapes: [outlineOf('gap', 2, 2)], text: 'not in the index' }]
      : []),
    ...[...new Set(marks.flat())].map((mark) => ({ shapes: [markShape(mark, 8, 5)], text: markNames[mark] })),
    ...[...hops].map(([name, hop]) => ({
      shapes: [
        {
          tag: 'rect' as const,
          attributes: { class: `hop ${name}`, x: 0.5, y: 3, width: 15, height: 10, rx: 2 },
        },
      ],
      text: `hop ${mannerOf(hop, deploy)}`,
    })),
  ];
}

/** A bar as the line has it. */
function barOf(status: ReleaseStatus): Shape {
  const height = Math.round(heights[status] / 4.5);
  return {
    tag: 'path',
    attributes: { class: `l-${releaseMarks[status].name}`, d: `M2 15v-${height}h4v${height}z` },
  };
}

/**
 * Marks differ in shape as well as in colour. The outline of each is in a square of 12: a dot, a full square, a
 * triangle, a ring, a diamond, a cross.
 */
const releaseMarks: Record<ReleaseStatus | 'gap', { readonly name: string; readonly shape: string }> = {
  proven: { name: 't', shape: 'M1.7 6a4.3 4.3 0 1 0 8.6 0a4.3 4.3 0 1 0 -8.6 0z' },
  unsafe: { name: 'f', shape: 'M0 0h12v12h-12z' },
  'unknown-recent': { name: 'u', shape: 'M6 0l6 12h-12z' },
  'unknown-backfilled': { name: 'b', shape: 'M2 6a4 4 0 1 0 8 0a4 4 0 1 0 -8 0z' },
  'not-borne-out': { name: 'n', shape: 'M6 0l6 6l-6 6l-6 -6z' },
  gap: { name: 'gap', shape: 'M0 0l12 12m0 -12l-12 12' },
};

export function outlineOf(kind: ReleaseStatus | 'gap', x: number, y: number): Shape {
  const { name, shape } = releaseMarks[kind];
  return {
    tag: 'path',
    attributes: { class: `m-${name}`, transform: `translate(${round(x)} ${y})`, d: shape },
  };
}

const markNames: Readonly<Record<PlaceMark, string>> = {
  stop: 'required stop',
  minimum: 'minimum version of later releases',
  issue: 'known issue',
};

/** A bar, a triangle and a cross, each six pixels high. */
export function markShape(mark: PlaceMark, x: number, y: number): Shape {
  const d = { stop: 'M-3 0h6v6h-6z', minimum: 'M0 0l4 6h-8z', issue: 'M-3 0l6 6m0 -6l-6 6' }[mark];
  return { tag: 'path', attributes: { class: `mark-${mark}`, d, transform: `translate(${x} ${y})` } };
}

export type Cell =
  | { readonly kind: 'release'; readonly release: ReportedRelease }
  | { readonly kind: 'gap'; readonly range: MissingRange };

/** Releases that are missing from the index have a mark of their own, before the release that follows them. */
function cellsOf({ releases, span }: DrawnRoute): Cell[] {
  const gaps = new Map(span.missingRanges.map((range) => [range.beforeVersion, range]));
  const gapBefore = (version: Version): Cell[] => {
    const range = gaps.get(version);
    gaps.delete(version);
    return range === undefined ? [] : [{ kind: 'gap', range }];
  };
  return [
    ...gapBefore(span.fromVersion),
    ...releases.flatMap((release): Cell[] => [...gapBefore(release.version), { kind: 'release', release }]),
    ...gapBefore(span.toVersion),
  ];
}

export interface Month {
  /** `2026-08`; empty if it has no release. */
  readonly name: string;
  readonly cells: Cell[];
}

/** A release that is dated before the previous one stays after it, in its month; so does one without a date. */
export function groupByMonth(cells: readonly Cell[]): Month[] {
  const months: Month[] = [];
  for (const cell of cells) {
    const last = months.at(-1);
    const name = cell.kind === 'release' ? monthOf(cell.release.releaseDate) : '';
    if (last === undefined || (last.name !== '' && name > last.name)) months.push({ name, cells: [cell] });
    else {
      last.cells.push(cell);
      if (last.name === '' && name !== '') months.splice(-1, 1, { name, cells: last.cells });
    }
  }
  return months;
}

/**
 * The month of a date, `2026-08`. The page does this for thousands of dates at every change, so dates in the form of
 * the publisher are cut and not parsed.
 */
function monthOf(date: string): string {
  return (date.endsWith('Z') ? date : new Date(date).toISOString()).slice(0, 7);
}

const monthAndYear = new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric', timeZone: 'UTC' });

/** @param month `2026-08` */
export function monthTitle(month: string): string {
  return monthAndYear.format(new Date(month));
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
