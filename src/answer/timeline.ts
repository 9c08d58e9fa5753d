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
  const cells = cellsOf(report);
  const columns = cells.length <= 120 ? 15 : 30;
  return html`<div class="months">${groupByMonth(cells).map((month) => renderMonth(month, columns, report))}</div>`;
}

export function renderLegend({ counts, span }: UpgradeReport): Markup {
  const gaps = span.missingRanges.length;
  const key = (kind: ReleaseStatus | 'gap', label: string, what: string) =>
    html`<li><svg class="key" width="16" height="16" viewBox="-2 -2 16 16" aria-hidden="true"><path class="m-${short[kind]}" d="${shapes[kind]}"/></svg><span><b>${label}</b> ${what}</span></li>`;
  return html`<ul class="legend">${releaseStatuses
    .filter((status) => counts[status] > 0)
    .map((status) => {
      const { label, brief } = releaseStatusWords[status];
      return key(status, `${number(counts[status])} ${label}`, brief);
    })}${
    gaps === 0 ? undefined : key('gap', countOf(gaps, 'gap'), 'the index does not cover these releases')
  }</ul>`;
}

/** Short class names keep 3,598 marks small. */
export const short: Record<ReleaseStatus | 'gap', string> = {
  proven: 't',
  unsafe: 'f',
  'unknown-recent': 'u',
  'unknown-backfilled': 'b',
  'not-borne-out': 'n',
  gap: 'gap',
};

/** The outline of each mark in a square of 12: a dot, a full square, a triangle, a ring, a diamond, a cross. */
export const shapes: Record<ReleaseStatus | 'gap', string> = {
  proven: 'M1.7 6a4.3 4.3 0 1 0 8.6 0a4.3 4.3 0 1 0 -8.6 0z',
  unsafe: 'M0 0h12v12h-12z',
  'unknown-recent': 'M6 0l6 12h-12z',
  'unknown-backfilled': 'M2 6a4 4 0 1 0 8 0a4 4 0 1 0 -8 0z',
  'not-borne-out': 'M6 0l6 6l-6 6l-6 -6z',
  gap: 'M0 0l12 12m0 -12l-12 12',
};

export type Cell =
  | { readonly kind: 'release'; readonly release: ReportedRelease }
  | { readonly kind: 'gap'; readonly range: MissingRange };

export interface Month {
  /** `2026-08`. */
  readonly name: string;
  readonly cells: Cell[];
}

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

/** The distance between marks, in units of the drawing. */
const pitch = 16;

function renderMonth({ name, cells }: Month, columns: number, { route }: UpgradeReport): Markup {
  const releases = cells.flatMap((cell) => (cell.kind === 'release' ? [cell.release] : []));
  const tally = releaseStatuses.flatMap((status) => {
    const count = releases.filter(({ standing }) => standing === status).length;
    return count === 0 ? [] : [`${number(count)} ${releaseStatusWords[status].label}`];
  });
  const total = countOf(releases.length, 'release');
  const title = name === '' ? 'Not in the index' : monthTitle(name);
  const box = `0 0 ${columns * pitch} ${Math.ceil(cells.length / columns) * pitch}`;
  const place = (i: number) => [(i % columns) * pitch, Math.floor(i / columns) * pitch] as const;
  return html`<figure class="month"><figcaption><b>${title}</b> <span>${total}</span></figcaption><svg role="img" aria-label="${title}: ${[total, ...tally].join(', ')}" width="300" viewBox="${box}">${cells.map((cell, i) => renderCell(cell, ...place(i)))}</svg>${releases
    .filter(({ landing }) => landing !== null)
    .map(({ version, hop }) => {
      const landed = route.hops[(hop ?? 0) - 1];
      return html`<p>Hop ${hop ?? 0} lands on ${version}${landed && `, ${describeLanding(landed)}`}</p>`;
    })}</figure>`;
}

function renderCell(cell: Cell, x: number, y: number): Markup {
  const mark = (kind: ReleaseStatus | 'gap', title: string) =>
    html`<path class="m-${short[kind]}" transform="translate(${x + 2} ${y + 2})" d="${shapes[kind]}"><title>${title}</title></path>`;
  if (cell.kind === 'gap') return mark('gap', describeHole(cell.range));
  const { version, standing, landing, requiredStop, hop } = cell.release;
  const place = html`x="${x}" y="${y}" width="${pitch}" height="${pitch}"`;
  const shade = (hop ?? 1) % 2 === 0 ? html`<rect class="band" ${place}/>` : undefined;
  const frame = landing === null && !requiredStop ? undefined : html`<rect class="landing" ${place}/>`;
  const line = html`<rect class="stop" x="${x}" y="${y + pitch - 2}" width="${pitch}" height="2"/>`;
  return html`${shade}${frame}${mark(standing, `${version} ${releaseStatusWords[standing].label}`)}${requiredStop ? line : undefined}`;
}

const monthAndYear = new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric', timeZone: 'UTC' });

export function monthTitle(month: string): string {
  return monthAndYear.format(new Date(month));
}
