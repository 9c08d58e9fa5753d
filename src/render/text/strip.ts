import type { SpanResult } from '../../release-safety/span.js';
import type { Palette } from '../palette.js';
import { wrapWords } from '../wrap.js';

/** What one cell can show, the gravest last: a cell for several releases shows the gravest of them. */
const marks = ['true', 'unknown', 'false', 'stop', 'gap'] as const;
type Mark = (typeof marks)[number];

/** They differ in shape as well as in colour. A gap may stand for any number of releases. */
const cells: Record<Mark, { readonly shape: string; readonly paint: keyof Palette; readonly name: string }> =
  {
    true: { shape: '▁', paint: 'good', name: 'true' },
    unknown: { shape: '▄', paint: 'warn', name: 'unknown' },
    false: { shape: '█', paint: 'bad', name: 'false' },
    stop: { shape: '◆', paint: 'bold', name: 'required stop' },
    gap: { shape: '╳', paint: 'bad', name: 'gap in the index' },
  };

/**
 * The span drawn as one line, one cell per release, oldest first, between a caption and a key with counts. If the line
 * would be longer than `width`, several releases share a cell, and the caption says so. Releases that are missing from
 * the index have a cell of their own.
 */
export function renderStrip(result: SpanResult, palette: Palette, width: number): string[] {
  const line = marksOf(result);
  if (line.length === 0) return [];
  const draw = (mark: Mark) => palette[cells[mark].paint](cells[mark].shape);
  const shared = Math.ceil(line.length / width);
  const caption =
    shared === 1
      ? 'Releases, oldest first, one per cell:'
      : `Releases, oldest first, up to ${shared} per cell, which shows the worst of them:`;
  const key = marks.flatMap((mark) => {
    const count = line.filter((one) => one === mark).length;
    return count === 0 ? [] : [{ mark, words: `${count} ${cells[mark].name}` }];
  });
  return [
    wrapWords(caption, width),
    fit(line, width).map(draw).join(''),
    ...wrapKey(key, width).map((items) =>
      items.map(({ mark, words }) => `${draw(mark)} ${words}`).join('  '),
    ),
  ];
}

interface KeyItem {
  readonly mark: Mark;
  readonly words: string;
}

/** No item is broken across lines. */
function wrapKey(items: readonly KeyItem[], width: number): KeyItem[][] {
  const lines: KeyItem[][] = [];
  let room = 0;
  for (const item of items) {
    const needed = item.words.length + 4;
    const line = lines.at(-1);
    if (line === undefined || needed > room) {
      lines.push([item]);
      room = width + 2;
    } else line.push(item);
    room -= needed;
  }
  return lines;
}

function marksOf(result: SpanResult): Mark[] {
  const { fromVersion, toVersion, coveredVersions, requiredStops, missingRanges, reasons } = result;
  const markOf = new Map<string, Mark>();
  for (const reason of reasons) {
    if (reason.kind === 'unknown-release') markOf.set(reason.version, 'unknown');
    if (reason.kind === 'unsafe-release') markOf.set(reason.version, 'false');
  }
  for (const stop of requiredStops) markOf.set(stop, 'stop');
  const gapsBefore = new Set(missingRanges.map((range) => range.beforeVersion));

  const line: Mark[] = gapsBefore.has(fromVersion) ? ['gap'] : [];
  for (const version of coveredVersions) {
    if (gapsBefore.has(version)) addGap(line);
    line.push(markOf.get(version) ?? 'true');
  }
  const reached = coveredVersions.at(-1) ?? fromVersion;
  if (reached !== toVersion) addGap(line);
  return line;
}

/** A missing start and missing releases right after it are one gap. */
function addGap(line: Mark[]): void {
  if (line.at(-1) !== 'gap') line.push('gap');
}

/** Distributes the marks evenly over the cells; each cell shows the gravest of its marks. */
function fit(line: readonly Mark[], width: number): Mark[] {
  if (line.length <= width) return [...line];
  return Array.from({ length: width }, (_, cell) => {
    const shared = line.slice(
      Math.floor((cell * line.length) / width),
      Math.floor(((cell + 1) * line.length) / width),
    );
    return shared.reduce((gravest, mark) => (marks.indexOf(mark) > marks.indexOf(gravest) ? mark : gravest));
  });
}
