import { type Cell, cellsOf, releaseMarks } from '../src/answer/builders/route/timeline.js';
import type { ReleaseSafetyIndex } from '../src/core/index/release-safety-index.js';
import { releaseStatuses } from '../src/core/kinds.js';
import type { DrawnRoute } from '../src/core/report.js';
import type { RouteHop } from '../src/core/route/route.js';
import { number, sentence } from '../src/core/text/phrase.js';
import { releaseStatusWords } from '../src/core/words/release.js';
import { describeHole, describeLanding, describeOneIssue } from '../src/instance/words/reasons.js';
import { type Child, h, list, svg, table } from './dom.js';

/** The way as a picture, and what is at the place that is pointed at. */
export interface Picture {
  readonly line: SVGSVGElement;
  /** The number of places: those of releases and gaps, oldest first. */
  readonly places: number;
  /** @param share of the width, from 0 to 1 */
  readonly placeAt: (share: number) => number;
  /** Moves the pointer to a place, and tells of it. */
  readonly pointAt: (place: number) => { readonly title: string; readonly lines: readonly string[] };
  /** The releases around a place, each as a mark of its own. */
  readonly lens: (place: number, marks: number) => SVGSVGElement;
  /** The text of the picture: month by month. */
  readonly table: () => HTMLElement;
  readonly legend: Child[];
}

/** In pixels of the drawing: where its rows begin, and how tall the bar of each verdict is. */
const rows = { hops: 62, line: 92, marks: 160, axis: 184, end: 216 } as const;
const tall = {
  proven: 26,
  unsafe: 62,
  'unknown-recent': 48,
  'unknown-backfilled': 38,
  'not-borne-out': 54,
} as const;
const edge = 8;
/** A release with a mark is found from so far away, in pixels. */
const reach = 4;

export function drawPicture(report: DrawnRoute, index: ReleaseSafetyIndex, width: number): Picture {
  const cells = cellsOf(report);
  const { hops } = report.route;
  const step = (width - 2 * edge) / Math.max(cells.length, 1);
  const left = (place: number) => round(edge + place * step);
  const middle = (place: number) => round(edge + (place + 0.5) * step);
  const placeOf = new Map(
    cells.flatMap((cell, i) => (cell.kind === 'release' ? [[cell.release.version as string, i]] : [])),
  );
  const minimums = new Set(index.entries.flatMap(({ minPreviousVersion }) => minPreviousVersion ?? []));
  const issues = new Map<string, Set<string>>();
  for (const issue of hops.flatMap(({ knownIssues, landingIssues }) => [...knownIssues, ...landingIssues])) {
    issues.set(
      issue.version,
      (issues.get(issue.version) ?? new Set()).add(sentence(describeOneIssue(issue))),
    );
  }
  const marksOf = cells.map((cell) => {
    if (cell.kind === 'gap') return [];
    const { version, requiredStop } = cell.release;
    return [
      ...(requiredStop ? (['stop'] as const) : []),
      ...(minimums.has(version) ? (['minimum'] as const) : []),
      ...(issues.has(version) ? (['issue'] as const) : []),
    ];
  });
  const isMarked = (place: number) => {
    const cell = cells[place];
    return (marksOf[place]?.length ?? 0) > 0 || (cell?.kind === 'release' && cell.release.landing !== null);
  };

  const ends: number[] = [];
  const way = drawHops();
  const top = rows.hops - 8 - 14 * Math.max(ends.length, 1);
  const cursor = svg('path', { class: 'cursor', d: `M0 ${rows.hops}V${rows.marks + 20}` });
  const line = svg(
    'svg',
    { viewBox: `0 ${top} ${width} ${rows.end - top}`, 'aria-hidden': 'true' },
    drawAxis(),
    drawRuns(),
    way,
    cells.map((cell, i) =>
      cell.kind === 'gap' ? drawShape('gap', middle(i) - 6, rows.marks - 40) : undefined,
    ),
    marksOf.map((marks, i) => marks.map((mark, row) => drawMark(mark, middle(i), rows.marks + 5 + row * 8))),
    cursor,
  );

  /** Releases in a row that have the same status share a bar. */
  function drawRuns(): Child[] {
    const bars: Record<string, string> = {};
    for (let i = 0; i < cells.length; ) {
      const start = i;
      const status = statusAt(i);
      while (i < cells.length && statusAt(i) === status) i++;
      if (status === undefined) continue;
      // One release among thousands stays in sight.
      const thin = status === 'unsafe' ? 1.5 : 0.5;
      const wide = Math.max((i - start) * step - (step > 6 ? 1 : 0), thin);
      bars[status] =
        `${bars[status] ?? ''}M${left(start)} ${rows.marks}v-${tall[status]}h${round(wide)}v${tall[status]}z`;
    }
    return [...releaseStatuses]
      .reverse()
      .map((status) =>
        bars[status] === undefined
          ? undefined
          : svg('path', { class: `l-${releaseMarks[status].name}`, d: bars[status] }),
      );
  }

  function statusAt(place: number) {
    const cell = cells[place];
    return cell?.kind === 'release' ? cell.release.standing : undefined;
  }

  /** The hops above the line: each over its releases, and named where it lands as long as there is room. */
  function drawHops(): Child[] {
    const drawn = hops.map((hop, i) => {
      const to = placeOf.get(hop.toVersion) ?? -1;
      const [x, end] = [left((placeOf.get(hop.fromVersion) ?? -1) + 1), left(to + 1)];
      const wide = hop.toVersion.length * 6.6 + 8;
      const at = Math.min(Math.max(middle(to), wide / 2), width - wide / 2);
      const free = [0, 1, 2, 3].find((row) => (ends[row] ?? -1) < at - wide / 2);
      if (free !== undefined) ends[free] = at + wide / 2;
      const y = rows.hops - 8 - (free ?? 0) * 14;
      const size = { x: x + 0.5, y: rows.hops, width: round(Math.max(end - x - 1, 1)), height: 16, rx: 3 };
      return {
        lines: [
          svg('rect', { class: `hop ${classOf(hop)}`, ...size }),
          svg('path', {
            class: 'landing',
            d: `M${middle(to)} ${free === undefined ? rows.hops : y + 3}V${rows.marks}`,
          }),
        ],
        words: [
          end - x > 14
            ? svg('text', { class: 'hop-number', x: (x + end) / 2, y: rows.hops + 12 }, String(i + 1))
            : undefined,
          free === undefined ? undefined : svg('text', { class: 'version', x: at, y }, hop.toVersion),
        ],
      };
    });
    return [drawn.map(({ lines }) => lines), drawn.map(({ words }) => words)];
  }

  function drawAxis(): Child[] {
    let place = 0;
    let end = -100;
    return groupByMonth(cells).map(({ name, cells: own }) => {
      const x = left(place);
      place += own.length;
      const tick = svg('path', { class: 'tick', d: `M${x} ${rows.line}V${rows.axis + 4}` });
      if (x < end || x > width - 52) return tick;
      end = x + 58;
      const title = name === '' ? '' : monthTitle(name).replace(/^(...)\w*/, '$1');
      return [
        tick,
        svg('text', { class: 'month', x: x + 3, y: rows.axis + 12 }, title),
        svg('text', { class: 'month', x: x + 3, y: rows.axis + 26 }, number(own.length)),
      ];
    });
  }

  function tell(place: number) {
    const cell = cells[place];
    if (cell === undefined) return { title: 'Nothing to do', lines: [] };
    if (cell.kind === 'gap') return { title: 'Gap', lines: [sentence(describeHole(cell.range))] };
    const { version, releaseDate, standing, hop, requiredStop } = cell.release;
    const { label, brief } = releaseStatusWords[standing];
    const own = hops[(hop ?? 0) - 1];
    const way =
      own === undefined
        ? undefined
        : `Hop ${hop}, ${own.fromVersion} \u2192 ${own.toVersion}, ${own.strategy}${own.certified ? '' : ', not certified'}`;
    return {
      title: `${version}, ${releaseDate.slice(0, 10)}: ${label}`,
      lines: [
        // The page reads no artifact.
        standing === 'proven' ? 'True in the index; no artifact was read here' : sentence(brief),
        ...(way === undefined
          ? []
          : [own?.toVersion === version ? `${way}: lands here, ${describeLanding(own)}` : way]),
        ...(requiredStop ? ['A required stop'] : []),
        ...(minimums.has(version) ? ['A minimum version: later releases require it or a newer one'] : []),
        ...(issues.get(version) ?? []),
      ],
    };
  }

  return {
    line,
    places: cells.length,
    placeAt: (share) => {
      const exact = within(Math.floor((share * width - edge) / step));
      const around = Math.floor(reach / step);
      for (let off = 0; off <= around; off++) {
        for (const place of [exact - off, exact + off]) if (isMarked(place)) return place;
      }
      return exact;
    },
    pointAt: (place) => {
      cursor.setAttribute('transform', `translate(${middle(place)})`);
      return tell(place);
    },
    lens: (place, marks) => {
      const first = Math.max(0, Math.min(place - (marks >> 1), cells.length - marks));
      const shown = cells.slice(first, first + marks);
      return svg(
        'svg',
        { viewBox: `0 0 ${marks * 24} 36`, width: marks * 24, height: 36, 'aria-hidden': 'true' },
        shown.map((cell, i) => {
          const [x, at] = [i * 24, first + i];
          const isHere = at === place;
          return svg(
            'g',
            { 'data-place': at },
            svg('rect', { class: isHere ? 'here' : 'free', x: x + 1, y: 1, width: 22, height: 34, rx: 4 }),
            cell.kind === 'gap'
              ? drawShape('gap', x + 6, 5)
              : [
                  cell.release.landing === null
                    ? undefined
                    : svg('rect', { class: 'landing', x: x + 3, y: 2.5, width: 18, height: 18, rx: 2 }),
                  drawShape(cell.release.standing, x + 6, 5.5),
                ],
            (marksOf[at] ?? []).map((mark, n) => drawMark(mark, x + 6 + n * 6, 24)),
          );
        }),
      );
    },
    table: () => {
      const known = releaseStatuses.filter((status) => report.counts[status] > 0);
      const rows = groupByMonth(cells).map(({ name, cells: own }) => {
        const releases = own.flatMap((cell) => (cell.kind === 'release' ? [cell.release] : []));
        const said = releases.flatMap(({ version }) => {
          const place = placeOf.get(version) ?? -1;
          return isMarked(place) ? [`${version}: ${tell(place).lines.slice(1).join('; ')}`] : [];
        });
        const gaps = own.flatMap((cell) => (cell.kind === 'gap' ? [describeHole(cell.range)] : []));
        const counts = known.map((status) => releases.filter(({ standing }) => standing === status).length);
        const month = name === '' ? 'Not in the index' : monthTitle(name);
        return [month, ...[releases.length, ...counts].map(number), list([...said, ...gaps])];
      });
      const labels = known.map((status) => sentence(releaseStatusWords[status].label));
      return table(['Month', 'Releases', ...labels, 'Marks'], rows);
    },
    legend: [
      ...releaseStatuses
        .filter((status) => report.counts[status] > 0)
        .map((status) =>
          key(
            drawShape(status, 2, 2),
            `${number(report.counts[status])} ${releaseStatusWords[status].label}`,
          ),
        ),
      ...(cells.some(({ kind }) => kind === 'gap') ? [key(drawShape('gap', 2, 2), 'not in the index')] : []),
      ...[...new Set(marksOf.flat())].map((mark) => key(drawMark(mark, 8, 5), markNames[mark])),
      key(svg('text', { class: 'month', x: 5, y: 12 }, '7'), 'releases in the month'),
      ...[...new Map(hops.map((hop) => [classOf(hop), hop])).values()].map((hop) =>
        key(
          svg('rect', { class: `hop ${classOf(hop)}`, x: 0.5, y: 3, width: 15, height: 10, rx: 2 }),
          `hop: ${hop.strategy}${hop.certified ? '' : ', not certified'}`,
        ),
      ),
    ],
  };

  function within(place: number): number {
    return Math.min(Math.max(place, 0), cells.length - 1);
  }
}

function key(shape: Child, text: string): HTMLLIElement {
  return h(
    'li',
    {},
    svg('svg', { class: 'key', width: 16, height: 16, 'aria-hidden': 'true' }, shape),
    h('span', text),
  );
}

function drawShape(kind: keyof typeof releaseMarks, x: number, y: number): SVGPathElement {
  const { name, shape } = releaseMarks[kind];
  return svg('path', { class: `m-${name}`, transform: `translate(${x} ${y})`, d: shape });
}

type Mark = 'stop' | 'minimum' | 'issue';

const markNames: Readonly<Record<Mark, string>> = {
  stop: 'required stop',
  minimum: 'minimum version of later releases',
  issue: 'known issue',
};

/** A bar, a triangle and a cross, each six pixels high. */
function drawMark(mark: Mark, x: number, y: number): SVGPathElement {
  const shape = { stop: 'M-3 0h6v6h-6z', minimum: 'M0 0l4 6h-8z', issue: 'M-3 0l6 6m0 -6l-6 6' }[mark];
  return svg('path', { class: `mark-${mark}`, d: shape, transform: `translate(${x} ${y})` });
}

function classOf({ strategy, certified }: RouteHop): string {
  return certified ? (strategy === 'RollingUpdate' ? 'rolls' : 'recreate') : 'uncertified';
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}

interface Month {
  /** `2026-08`; empty if it has no release. */
  readonly name: string;
  readonly cells: Cell[];
}

/** A release that is dated before the previous one stays after it, in its month; so does one without a date. */
function groupByMonth(cells: readonly Cell[]): Month[] {
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

/** Some thousands are asked for at every change: the form that the publisher writes is not parsed once more. */
function monthOf(date: string): string {
  return (date.endsWith('Z') ? date : new Date(date).toISOString()).slice(0, 7);
}

const monthAndYear = new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric', timeZone: 'UTC' });

function monthTitle(month: string): string {
  return monthAndYear.format(new Date(month));
}
