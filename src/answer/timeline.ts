import { type ReleaseStatus, releaseStatuses } from '../release-safety/kinds.js';
import type { DrawnRoute, ReportedRelease, UpgradeReport } from '../release-safety/report.js';
import type { MissingRange } from '../release-safety/span.js';
import type { Version } from '../release-safety/version.js';
import { countOf, number } from '../words/phrase.js';
import { describeHole, describeLanding } from '../words/reasons.js';
import { releaseStatusWords } from '../words/release.js';
import { html, type Markup } from './markup.js';

/**
 * The span drawn month by month, one mark per release, oldest first. Marks differ in shape as well as in colour. Each
 * shows its release on hover, and each month has a text description for screen readers.
 */
export function renderTimeline(report: UpgradeReport): Markup {
  const months = groupByMonth(cellsOf(report));
  const cells = months.reduce((sum, month) => sum + month.cells.length, 0);
  const grid = cells <= 120 ? sparse : dense;
  return html`<div class="months">${months.map((month) => renderMonth(month, grid, report))}</div>`;
}

export function renderLegend({ counts, span, route, releases }: UpgradeReport): Markup {
  const gaps = span.missingRanges.length;
  const present = releaseStatuses.filter((status) => counts[status] > 0);
  const key = (shape: Markup, label: string, what: string) =>
    html`<li><svg class="key" width="16" height="16" viewBox="0 0 16 16" aria-hidden="true">${shape}</svg><span><b>${label}</b> ${what}</span></li>`;
  return html`<ul class="legend">${present.map((status) =>
    key(
      html`<path class="m-${short[status]}" d="${draw(status, 2, 2, 12)}"/>`,
      `${number(counts[status])} ${releaseStatusWords[status].label}`,
      releaseStatusWords[status].brief,
    ),
  )}${gaps === 0 ? undefined : key(html`<path class="m-gap" d="${drawCross(2, 2, 12)}"/>`, countOf(gaps, 'gap'), 'the index does not cover these releases')}${
    route.hops.length === 0
      ? undefined
      : [
          key(
            html`<rect class="landing" x="1.5" y="1.5" width="13" height="13" rx="2"/>`,
            'framed',
            'a hop of the route lands here',
          ),
          releases.some(({ requiredStop }) => requiredStop)
            ? key(
                html`<rect class="landing" x="1.5" y="1.5" width="13" height="10" rx="2"/><rect class="stop" x="1" y="12.5" width="14" height="3"/>`,
                'framed and underlined',
                'a required stop',
              )
            : undefined,
          route.hops.length === 1
            ? undefined
            : key(
                html`<rect class="band" x="0" y="0" width="16" height="16"/>`,
                'shaded',
                'every second hop',
              ),
        ]
  }</ul>`;
}

/** Short class names keep 3,598 marks small. */
export const short: Record<ReleaseStatus, string> = {
  proven: 't',
  unsafe: 'f',
  'unknown-recent': 'u',
  'unknown-backfilled': 'b',
  'not-borne-out': 'n',
};

export type Cell =
  | { readonly kind: 'release'; readonly release: ReportedRelease }
  | { readonly kind: 'gap'; readonly range: MissingRange };

export interface Month {
  /** `2026-08`. */
  readonly name: string;
  readonly cells: Cell[];
}

interface Grid {
  /** The distance between marks, in units of the drawing. */
  readonly pitch: number;
  readonly columns: number;
}

const dense: Grid = { pitch: 10, columns: 30 };
const sparse: Grid = { pitch: 20, columns: 15 };

/** Releases that are missing from the index have a mark of their own, before the release that follows them. */
export function cellsOf({ releases, span }: DrawnRoute): Cell[] {
  const gapBefore = new Map(span.missingRanges.map((range) => [range.beforeVersion, range]));
  const cells: Cell[] = [];
  const gap = (version: Version) => {
    const range = gapBefore.get(version);
    if (range === undefined) return;
    cells.push({ kind: 'gap', range });
    gapBefore.delete(version);
  };
  gap(span.fromVersion);
  for (const release of releases) {
    gap(release.version);
    cells.push({ kind: 'release', release });
  }
  gap(span.toVersion);
  return cells;
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

function monthOf(date: string): string {
  return new Date(date).toISOString().slice(0, 7);
}

function renderMonth({ name, cells }: Month, { pitch, columns }: Grid, { route }: UpgradeReport): Markup {
  const width = pitch * columns;
  const height = pitch * Math.ceil(cells.length / columns);
  const place = (i: number) => [(i % columns) * pitch, Math.floor(i / columns) * pitch] as const;
  const tally = releaseStatuses.flatMap((status) => {
    const found = cells.filter((cell) => cell.kind === 'release' && cell.release.standing === status);
    return found.length === 0 ? [] : [`${number(found.length)} ${releaseStatusWords[status].label}`];
  });
  const releases = countOf(cells.filter((cell) => cell.kind === 'release').length, 'release');
  const landings = cells.flatMap((cell) =>
    cell.kind === 'release' && cell.release.landing !== null ? [cell.release] : [],
  );
  const title = name === '' ? 'Not in the index' : monthTitle(name);
  return html`<figure class="month"><figcaption><b>${title}</b> <span>${releases}</span></figcaption><svg role="img" aria-label="${title}: ${[releases, ...tally].join(', ')}" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">${renderBands(cells, { pitch, columns })}${cells.map((cell, i) => renderCell(cell, ...place(i), pitch))}</svg>${landings.map(
    ({ version, hop }) => {
      const landed = route.hops[(hop ?? 0) - 1];
      return html`<p>Hop ${hop ?? 0} lands on ${version}${landed === undefined ? undefined : `, ${describeLanding(landed)}`}</p>`;
    },
  )}</figure>`;
}

/** A shade behind every second hop: marks in a row share one rectangle. */
function renderBands(cells: readonly Cell[], { pitch, columns }: Grid): Markup {
  const shaded = cells.map((cell) => cell.kind === 'release' && (cell.release.hop ?? 1) % 2 === 0);
  let d = '';
  for (let i = 0; i < cells.length; ) {
    const start = i;
    const rowEnd = (Math.floor(i / columns) + 1) * columns;
    while (i < Math.min(rowEnd, cells.length) && shaded[i] === true) i++;
    if (i === start) i++;
    else {
      const x = (start % columns) * pitch;
      const y = Math.floor(start / columns) * pitch;
      d += `M${x} ${y}h${(i - start) * pitch}v${pitch}h-${(i - start) * pitch}z`;
    }
  }
  return html`<path class="band" d="${d}"/>`;
}

function renderCell(cell: Cell, x: number, y: number, pitch: number): Markup {
  const inset = pitch * 0.15;
  const size = pitch - 2 * inset;
  if (cell.kind === 'gap') {
    return html`<path class="m-gap" d="${drawCross(x + inset, y + inset, size)}"><title>${describeHole(cell.range)}</title></path>`;
  }
  const { version, standing: status, landing, requiredStop } = cell.release;
  const { label } = releaseStatusWords[status];
  const mark = html`<path class="m-${short[status]}" d="${draw(status, x + inset, y + inset, size)}"><title>${version} ${label}</title></path>`;
  if (landing === null && !requiredStop) return mark;
  const stop = requiredStop
    ? html`<rect class="stop" x="${x}" y="${y + pitch - 1.5}" width="${pitch}" height="1.5"/>`
    : undefined;
  return html`<rect class="landing" x="${x + 0.5}" y="${y + 0.5}" width="${pitch - 1}" height="${pitch - 1}" rx="1.5"/>${mark}${stop}`;
}

/** The outline of a mark in a square: a dot, a full square, a triangle, a ring, a diamond. */
export function draw(status: ReleaseStatus, x: number, y: number, size: number): string {
  const half = size / 2;
  switch (status) {
    case 'proven':
      return circle(x + half, y + half, half * 0.72);
    case 'unsafe':
      return `M${at(x, y)}h${round(size)}v${round(size)}h-${round(size)}z`;
    case 'unknown-recent':
      return `M${at(x + half, y)}l${at(half, size)}h-${round(size)}z`;
    case 'unknown-backfilled':
      return circle(x + half, y + half, half * 0.66);
    case 'not-borne-out':
      return `M${at(x + half, y)}l${at(half, half)}l${at(-half, half)}l${at(-half, -half)}z`;
  }
}

function circle(x: number, y: number, radius: number): string {
  const r = round(radius);
  return `M${at(x - radius, y)}a${r} ${r} 0 1 0 ${round(2 * radius)} 0a${r} ${r} 0 1 0 -${round(2 * radius)} 0z`;
}

export function drawCross(x: number, y: number, size: number): string {
  return `M${at(x, y)}l${at(size, size)}m0 -${round(size)}l-${round(size)} ${round(size)}`;
}

function at(x: number, y: number): string {
  return `${round(x)} ${round(y)}`;
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}

const monthAndYear = new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric', timeZone: 'UTC' });

export function monthTitle(month: string): string {
  return monthAndYear.format(new Date(month));
}
