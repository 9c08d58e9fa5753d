import { type Cell, cellsOf, releaseMarks } from '../src/answer/builders/route/timeline.js';
import type { ReleaseSafetyIndex } from '../src/core/index/release-safety-index.js';
import { releaseStatuses } from '../src/core/kinds.js';
import type { DrawnRoute } from '../src/core/report.js';
import type { RouteHop } from '../src/core/route/route.js';
import { countOf, number, sentence } from '../src/core/text/phrase.js';
import { releaseStatusWords } from '../src/core/words/release.js';
import { describeHole, describeLanding, describeOneIssue } from '../src/instance/words/reasons.js';
import { type Child, h, list, svg, table } from './dom.js';

/** The way as a picture, and what is at the place that is pointed at. */
export interface Picture {
  readonly line: SVGSVGElement;
  /** The number of places: those of releases and gaps, oldest first. */
  readonly places: number;
  /** Where a reader looks first: the first release that is not safe, else the first of which it is not known, else the target. */
  readonly firstPlace: number;
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
  proven: 14,
  unsafe: 62,
  'unknown-recent': 48,
  'unknown-backfilled': 38,
  'not-borne-out': 54,
} as const;
const edge = 8;
/** One release among thousands stays in sight, in pixels: what is not proven is seen first. */
const thinnest = {
  proven: 0.5,
  unsafe: 3.5,
  'unknown-recent': 3,
  'unknown-backfilled': 1,
  'not-borne-out': 3,
} as const;
/** The bold letters of a hop, in pixels each. */
const letter = 6.8;
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
      const wide = round(Math.max((i - start) * step - (step > 6 ? 1 : 0), thinnest[status]));
      const x = Math.min(left(start), round(width - edge - wide));
      bars[status] = `${bars[status] ?? ''}M${x} ${rows.marks}v-${tall[status]}h${wide}v${tall[status]}z`;
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
          svg(
            'text',
            { class: 'hop-name', x: (x + end) / 2, y: rows.hops + 12 },
            nameOf(hop, i, end - x - 8),
          ),
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
      const isLast = x > width - 78;
      if (x < end + (isLast ? 78 : 0)) return tick;
      end = x + 78;
      const title = name === '' ? '' : monthTitle(name).replace(/^(...)\w*/, '$1');
      const at = isLast ? { x: x - 3, 'text-anchor': 'end' } : { x: x + 3 };
      return [
        tick,
        svg('text', { class: 'month', ...at, y: rows.axis + 12 }, title),
        svg('text', { class: 'month', ...at, y: rows.axis + 26 }, countOf(own.length, 'release')),
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
        : `Hop ${hop}, ${own.fromVersion} \u2192 ${own.toVersion}, ${mannerOf(own)}`;
    return {
      title: `${version}, ${releaseDate.slice(0, 10)}: ${label}`,
      lines: [
        // The page reads no artifact.
        wordsOfIndex[standing] ?? sentence(brief),
        ...(way === undefined
          ? []
          : [own?.toVersion === version ? `${way}: ends here, ${describeLanding(own)}` : way]),
        ...(requiredStop ? ['A required stop'] : []),
        ...(minimums.has(version) ? ['A minimum version: later releases require it or a newer one'] : []),
        ...(issues.get(version) ?? []),
      ],
    };
  }

  return {
    line,
    places: cells.length,
    firstPlace: firstPlaceOf(),
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
            [barOf(status), drawShape(status, 10, 2)],
            `${number(report.counts[status])} ${releaseStatusWords[status].label}`,
          ),
        ),
      ...(cells.some(({ kind }) => kind === 'gap') ? [key(drawShape('gap', 2, 2), 'not in the index')] : []),
      ...[...new Set(marksOf.flat())].map((mark) => key(drawMark(mark, 8, 5), markNames[mark])),
      ...[...new Map(hops.map((hop) => [classOf(hop), hop])).values()].map((hop) =>
        key(
          svg('rect', { class: `hop ${classOf(hop)}`, x: 0.5, y: 3, width: 15, height: 10, rx: 2 }),
          `hop ${mannerOf(hop)}`,
        ),
      ),
      key(svg('path', { class: 'cursor', d: 'M8 1V15' }), 'chosen release'),
    ],
  };

  function firstPlaceOf(): number {
    const wanted = ['unsafe', 'not-borne-out', 'unknown-recent', 'unknown-backfilled'] as const;
    const places = wanted.map((status) => cells.findIndex((_, place) => statusAt(place) === status));
    return places.find((place) => place >= 0) ?? cells.length - 1;
  }

  function within(place: number): number {
    return Math.min(Math.max(place, 0), cells.length - 1);
  }
}

/** What is said of a release where only the index was read. */
const wordsOfIndex: Readonly<Partial<Record<keyof typeof tall, string>>> = {
  proven: 'True in the index; no artifact was read here',
  unsafe: 'False in the index',
};

/** As much of what a hop is as there is room for. */
function nameOf(hop: RouteHop, at: number, room: number): string {
  const ends = `${hop.fromVersion} \u2192 ${hop.toVersion}`;
  const names = [`Hop ${at + 1}: ${ends}, ${mannerOf(hop)}`, `${ends}, ${mannerOf(hop)}`, ends, `${at + 1}`];
  return names.find((name) => name.length * letter <= room) ?? '';
}

function mannerOf({ strategy, certified }: RouteHop): string {
  return `${strategy === 'RollingUpdate' ? 'rolling' : 'with downtime'}${certified ? '' : ', not certified'}`;
}

/** A bar as the line has it. */
function barOf(status: keyof typeof tall): SVGPathElement {
  const height = Math.round(tall[status] / 4.5);
  return svg('path', { class: `l-${releaseMarks[status].name}`, d: `M2 15v-${height}h4v${height}z` });
}

function key(shape: Child, text: string): HTMLLIElement {
  return h(
    'li',
    {},
    svg('svg', { class: 'key', width: 24, height: 16, 'aria-hidden': 'true' }, shape),
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
