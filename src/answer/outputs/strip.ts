import type { SpanResult } from '../../core/span.js';
import type { Palette } from '../formats/palette.js';
import { wrapWords } from '../formats/wrap.js';

/** They differ in shape as well as in colour. A gap may stand for any number of releases. */
const marks = [
  { shape: '▁', paint: 'good', name: 'true' },
  { shape: '▄', paint: 'warn', name: 'unknown' },
  { shape: '█', paint: 'bad', name: 'false' },
  { shape: '◆', paint: 'bold', name: 'required stop' },
  { shape: '╳', paint: 'bad', name: 'gap in the index' },
] as const satisfies readonly { shape: string; paint: keyof Palette; name: string }[];
type Mark = (typeof marks)[number];
const [proven, unknown, unsafe, stopped, gap] = marks;

/**
 * The span drawn as one line, one cell per release, oldest first, between a caption and a key with counts; nothing if
 * the line would be longer than `width`. Releases that are missing from the index have a cell of their own.
 */
export function renderStrip(result: SpanResult, palette: Palette, width: number): string[] {
  const line = marksOf(result);
  if (line.length === 0 || line.length > width) return [];
  const key = marks.flatMap((mark) => {
    const count = line.filter((other) => other === mark).length;
    return count === 0 ? [] : [`${mark.shape} ${count} ${mark.name}`];
  });
  const painted = (text: string) =>
    marks.reduce((all, { shape, paint }) => all.replaceAll(shape, palette[paint](shape)), text);
  return [
    wrapWords('Releases, oldest first, one per cell:', width),
    line.map(({ shape }) => painted(shape)).join(''),
    painted(wrapWords(key.join('  '), width)),
  ];
}

function marksOf(result: SpanResult): Mark[] {
  const { fromVersion, toVersion, coveredVersions, requiredStops, missingRanges, reasons } = result;
  const markOf = new Map<string, Mark>();
  for (const reason of reasons) {
    if (reason.kind === 'unknown-release') markOf.set(reason.version, unknown);
    if (reason.kind === 'unsafe-release') markOf.set(reason.version, unsafe);
  }
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
