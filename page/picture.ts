import {
  groupByMonth,
  legendOf,
  linePicture,
  mannerOf,
  margin,
  markShape,
  monthTitle,
  outlineOf,
  rows,
  type Shape,
  statusOf,
} from '../src/answer/builders/route/picture.js';
import type { ReleaseSafetyIndex } from '../src/core/index/release-safety-index.js';
import { type ReleaseStatus, releaseStatuses } from '../src/core/kinds.js';
import type { DrawnRoute } from '../src/core/report.js';
import type { DeployKind } from '../src/instance/facts/fact-names.js';
import { releaseStatusWords } from '../src/words/evidence/release.js';
import { capitalize, formatNumber } from '../src/words/phrase.js';
import { describeHole, describeLanding, describeOneIssue } from '../src/words/route/reasons.js';
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

/** A release with a mark is found from so far away, in pixels. */
const reach = 4;

interface PictureRequest {
  readonly index: ReleaseSafetyIndex;
  readonly width: number;
  readonly deploy: DeployKind;
}

export function drawPicture(report: DrawnRoute, { index, width, deploy }: PictureRequest): Picture {
  const { hops } = report.route;
  const minimums = new Set(index.entries.flatMap(({ minPreviousVersion }) => minPreviousVersion ?? []));
  const drawn = linePicture(report, width, { minimums, deploy });
  const { cells, step, middle, placeOf, marks: marksOf } = drawn;
  const issues = new Map<string, Set<string>>();
  for (const issue of hops.flatMap(({ knownIssues, landingIssues }) => [...knownIssues, ...landingIssues])) {
    issues.set(
      issue.version,
      (issues.get(issue.version) ?? new Set()).add(capitalize(describeOneIssue(issue))),
    );
  }
  const isMarked = (place: number) => {
    const cell = cells[place];
    return (marksOf[place]?.length ?? 0) > 0 || (cell?.kind === 'release' && cell.release.landing !== null);
  };

  const cursor = svg('path', { class: 'cursor', d: `M0 ${rows.hops}V${rows.marks + 20}` });
  const line = svg(
    'svg',
    { class: 'picture', viewBox: drawn.viewBox, 'aria-hidden': 'true' },
    drawn.shapes.map(draw),
    cursor,
  );

  function tell(place: number) {
    const cell = cells[place];
    if (cell === undefined) return { title: 'Nothing to do', lines: [] };
    if (cell.kind === 'gap') return { title: 'Gap', lines: [capitalize(describeHole(cell.range))] };
    const { version, releaseDate, standing, hop, requiredStop } = cell.release;
    const { label, brief } = releaseStatusWords[standing];
    const own = hops[(hop ?? 0) - 1];
    const way =
      own === undefined
        ? undefined
        : `Hop ${hop}, ${own.fromVersion} \u2192 ${own.toVersion}, ${mannerOf(own, deploy)}`;
    return {
      title: `${version}, ${releaseDate.slice(0, 10)}: ${label}`,
      lines: [
        // The page reads no artifact.
        wordsOfIndex[standing] ?? capitalize(brief),
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
      const exact = within(Math.floor((share * width - margin) / step));
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
              ? draw(outlineOf('gap', x + 6, 5))
              : [
                  cell.release.landing === null
                    ? undefined
                    : svg('rect', { class: 'landing', x: x + 3, y: 2.5, width: 18, height: 18, rx: 2 }),
                  draw(outlineOf(cell.release.standing, x + 6, 5.5)),
                ],
            (marksOf[at] ?? []).map((mark, n) => draw(markShape(mark, x + 6 + n * 6, 24))),
          );
        }),
      );
    },
    table: () => {
      const known = releaseStatuses.filter((status) => report.counts[status] > 0);
      const months = groupByMonth(cells).map(({ name, cells: own }) => {
        const releases = own.flatMap((cell) => (cell.kind === 'release' ? [cell.release] : []));
        const said = releases.flatMap(({ version }) => {
          const place = placeOf.get(version) ?? -1;
          return isMarked(place) ? [`${version}: ${tell(place).lines.slice(1).join('; ')}`] : [];
        });
        const gaps = own.flatMap((cell) => (cell.kind === 'gap' ? [describeHole(cell.range)] : []));
        const counts = known.map((status) => releases.filter(({ standing }) => standing === status).length);
        const month = name === '' ? 'Not in the index' : monthTitle(name);
        return [month, ...[releases.length, ...counts].map(formatNumber), list([...said, ...gaps])];
      });
      const labels = known.map((status) => capitalize(releaseStatusWords[status].label));
      return table(['Month', 'Releases', ...labels, 'Marks'], months);
    },
    legend: [
      ...legendOf(drawn, report).map(({ shapes, text }) => key(shapes.map(draw), text)),
      key(svg('path', { class: 'cursor', d: 'M8 1V15' }), 'chosen release'),
    ],
  };

  function firstPlaceOf(): number {
    const wanted = ['unsafe', 'not-borne-out', 'unknown-recent', 'unknown-backfilled'] as const;
    const places = wanted.map((status) => cells.findIndex((_, place) => statusOf(cells[place]) === status));
    return places.find((place) => place >= 0) ?? cells.length - 1;
  }

  function within(place: number): number {
    return Math.min(Math.max(place, 0), cells.length - 1);
  }
}

/** The words for a release of which only the index was read. */
const wordsOfIndex: Readonly<Partial<Record<ReleaseStatus, string>>> = {
  proven: 'True in the index; no artifact was read here',
  unsafe: 'False in the index',
};

function draw({ tag, attributes, text }: Shape): SVGElement {
  return svg(tag, attributes, text);
}

function key(shape: Child, text: string): HTMLLIElement {
  return h(
    'li',
    {},
    svg('svg', { class: 'key', width: 24, height: 16, 'aria-hidden': 'true' }, shape),
    h('span', text),
  );
}
