import type { SpanResult } from '../../core/span.js';
import { formatNumber } from '../../words/phrase.js';
import type { Palette } from '../formats/palette.js';
import { wrapWords } from '../formats/wrap.js';

export interface StripOptions {
  readonly palette: Palette;
  readonly width: number;
  /** Whether the terminal has no other letters. */
  readonly isAscii?: boolean;
  /** The releases on which the hops of a route end, but for the last. */
  readonly landings?: readonly string[];
}

/**
 * They differ in shape as well as in colour. A gap may stand for any number of releases. The later one is shown where
 * several share a cell.
 */
const marks = [
  { shape: '▁', ascii: '.', paint: 'good', name: 'true' },
  { shape: '▄', ascii: '?', paint: 'warn', name: 'unknown' },
  { shape: '█', ascii: '#', paint: 'bad', name: 'false' },
  { shape: '┃', ascii: '|', paint: 'bold', name: 'end of a hop' },
  { shape: '◆', ascii: '^', paint: 'bold', name: 'required stop' },
  { shape: '╳', ascii: 'x', paint: 'bad', name: 'gap in the index' },
] as const satisfies readonly { shape: string; ascii: string; paint: keyof Palette; name: string }[];
type Mark = (typeof marks)[number];
const [proven, unknown, unsafe, landing, stopped, gap] = marks;

/**
 * The span drawn as one line, oldest first, between a caption and a key with counts. Releases that are missing from the
 * index have a mark of their own. If there are more marks than columns, a cell stands for several of them, and shows
 * the gravest.
 */
export function renderStrip(result: SpanResult, options: StripOptions): string[] {
  const { palette, width, isAscii = false, landings = [] } = options;
  const line = marksOf(result, new Set(landings));
  if (line.length === 0) return [];
  const perCell = Math.ceil(line.length / width);
  const cells = Array.from({ length: Math.ceil(line.length / perCell) }, (_, i) =>
    gravestOf(line.slice(i * perCell, (i + 1) * perCell)),
  );
  const shapeOf = ({ shape, ascii }: Mark) => (isAscii ? ascii : shape);
  const key = marks.flatMap((mark) => {
    const count = line.filter((markOfCell) => markOfCell === mark).length;
    return count === 0 ? [] : [{ mark, text: `${shapeOf(mark)} ${formatNumber(count)} ${mark.name}` }];
  });
  const painted = ({ mark, text }: (typeof key)[number]) =>
    `${palette[mark.paint](text.slice(0, 1))}${text.slice(1)}`;
  const wrapped = wrapWords(key.map(({ text }) => text).join('  '), width);
  const caption = perCell === 1 ? 'one per cell' : `${perCell} per cell, of which it shows the gravest`;
  return [
    wrapWords(`Releases, oldest first, ${caption}:`, width),
    cells.map((mark) => palette[mark.paint](shapeOf(mark))).join(''),
    key.reduce((text, entry) => text.replace(entry.text, painted(entry)), wrapped),
  ];
}

function gravestOf(line: readonly Mark[]): Mark {
  return line.reduce(
    (gravest, mark) => (marks.indexOf(mark) > marks.indexOf(gravest) ? mark : gravest),
    proven,
  );
}

function marksOf(
  { fromVersion, toVersion, coveredVersions, requiredStops, missingRanges, reasons }: SpanResult,
  landings: ReadonlySet<string>,
): Mark[] {
  const markOf = new Map<string, Mark>();
  for (const reason of reasons) {
    if (reason.kind === 'unknown-release') markOf.set(reason.version, unknown);
    if (reason.kind === 'unsafe-release') markOf.set(reason.version, unsafe);
  }
  for (const version of landings) markOf.set(version, landing);
  for (const stop of requiredStops) markOf.set(stop, stopped);
  const gapsBefore = new Set(missingRanges.map((range) => range.beforeVersion));
  const line: Mark[] = gapsBefore.has(fromVersion) ? [gap] : [];
  // A missing start and missing releases right after it are one gap.
  const addGap = () => {
    if (line.at(-1) !== gap) line.push(gap);
  };
  for (const version of coveredVersions) {
    if (gapsBefore.has(version)) addGap();
    line.push(markOf.get(version) ?? proven);
  }
  if ((coveredVersions.at(-1) ?? fromVersion) !== toVersion) addGap();
  return line;
}
