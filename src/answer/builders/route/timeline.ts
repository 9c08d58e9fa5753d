import { type ReleaseStatus, releaseStatuses } from '../../../core/kinds.js';
import type { DrawnRoute, ReportedRelease, UpgradeReport } from '../../../core/report.js';
import type { MissingRange } from '../../../core/span.js';
import { compact } from '../../../core/text/compact.js';
import { countOf, number } from '../../../core/text/phrase.js';
import type { Version } from '../../../core/version.js';
import { releaseStatusWords } from '../../../core/words/release.js';
import { describeHole } from '../../../instance/words/reasons.js';
import { html, type Markup } from '../../formats/markup.js';

/** The distance between marks, in units of the drawing, and how many stand in a row. */
const pitch = 16;
const perRow = 60;

/**
 * The span drawn as rows of marks, one per release, oldest first, and the key to them with counts. Marks differ in
 * shape as well as in colour, and each shows its release on hover.
 */
export function renderTimeline(report: UpgradeReport): Markup {
  const cells = cellsOf(report);
  if (cells.length === 0) return html``;
  const gaps = report.span.missingRanges.length;
  const keys = compact<{ kind: keyof typeof releaseMarks; label: string; what: string }>(
    releaseStatuses.flatMap((kind) => {
      const { label, brief } = releaseStatusWords[kind];
      const count = report.counts[kind];
      return count === 0 ? [] : [{ kind, label: `${number(count)} ${label}`, what: brief }];
    }),
    gaps > 0 && { kind: 'gap', label: countOf(gaps, 'gap'), what: 'the index does not cover these releases' },
  );
  const width = Math.min(cells.length, perRow) * pitch;
  const height = Math.ceil(cells.length / perRow) * pitch;
  const legend = html`<ul class="legend">${keys.map(
    ({ kind, label, what }) =>
      html`<li><svg class="key" width="16" height="16" viewBox="-2 -2 16 16" aria-hidden="true"><path class="m-${releaseMarks[kind].name}" d="${releaseMarks[kind].shape}"/></svg><span><b>${label}</b> ${what}</span></li>`,
  )}</ul>`;
  return html`<svg role="img" aria-label="${keys.map(({ label }) => label).join(', ')}" width="${width}" viewBox="0 0 ${width} ${height}">${cells.map(
    (cell, i) => renderCell(cell, (i % perRow) * pitch, Math.floor(i / perRow) * pitch),
  )}</svg><details><summary>${keys.map(({ label }) => label).join(', ')}</summary><p class="soft">One mark per release, oldest first. A cross stands for all releases missing from the index there. A frame is where a hop of the route lands, a line below it a required stop, a shade every second hop.</p>${legend}</details>`;
}

/**
 * Short names of classes keep 3,598 marks small. The outline of each is in a square of 12: a dot, a full square, a
 * triangle, a ring, a diamond, a cross.
 */
export const releaseMarks: Record<ReleaseStatus | 'gap', { readonly name: string; readonly shape: string }> =
  {
    proven: { name: 't', shape: 'M1.7 6a4.3 4.3 0 1 0 8.6 0a4.3 4.3 0 1 0 -8.6 0z' },
    unsafe: { name: 'f', shape: 'M0 0h12v12h-12z' },
    'unknown-recent': { name: 'u', shape: 'M6 0l6 12h-12z' },
    'unknown-backfilled': { name: 'b', shape: 'M2 6a4 4 0 1 0 8 0a4 4 0 1 0 -8 0z' },
    'not-borne-out': { name: 'n', shape: 'M6 0l6 6l-6 6l-6 -6z' },
    gap: { name: 'gap', shape: 'M0 0l12 12m0 -12l-12 12' },
  };

export type Cell =
  | { readonly kind: 'release'; readonly release: ReportedRelease }
  | { readonly kind: 'gap'; readonly range: MissingRange };

/** Releases that are missing from the index have a mark of their own, before the release that follows them. */
export function cellsOf({ releases, span }: DrawnRoute): Cell[] {
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

function renderCell(cell: Cell, x: number, y: number): Markup {
  const mark = (kind: keyof typeof releaseMarks, title: string) =>
    html`<path class="m-${releaseMarks[kind].name}" transform="translate(${x + 2} ${y + 2})" d="${releaseMarks[kind].shape}"><title>${title}</title></path>`;
  if (cell.kind === 'gap') return mark('gap', describeHole(cell.range));
  const { version, releaseDate, standing, landing, requiredStop, hop } = cell.release;
  const square = html`x="${x}" y="${y}" width="${pitch}" height="${pitch}"`;
  const title = `${version} (${releaseDate.slice(0, 10)}) ${releaseStatusWords[standing].label}`;
  return html`${
    hop !== null && hop % 2 === 0 ? html`<rect class="band" ${square}/>` : undefined
  }${landing === null && !requiredStop ? undefined : html`<rect class="landing" ${square}/>`}${mark(standing, title)}${
    requiredStop
      ? html`<rect class="stop" x="${x}" y="${y + pitch - 2}" width="${pitch}" height="2"/>`
      : undefined
  }`;
}
