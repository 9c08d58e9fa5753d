import type { SpanResult } from '../../release-safety/span.js';
import type { Palette } from '../palette.js';

/** What one cell can show, the gravest last: a cell that stands for several releases shows the gravest of them. */
const marks = ['true', 'unknown', 'false', 'stop', 'gap'] as const;
type Mark = (typeof marks)[number];

/** Told apart by shape as well as by colour. */
const cells: Record<Mark, { readonly shape: string; readonly paint: keyof Palette }> = {
  true: { shape: '▁', paint: 'good' },
  unknown: { shape: '▄', paint: 'doubtful' },
  false: { shape: '█', paint: 'bad' },
  stop: { shape: '◆', paint: 'strong' },
  gap: { shape: '╳', paint: 'bad' },
};

/**
 * The span drawn as one line with its key, one cell a release, oldest first; several releases share a cell where the
 * line would be longer than `width`. Releases that the index lacks have a cell of their own.
 */
export function renderStrip(result: SpanResult, palette: Palette, width: number): string {
  const line = marksOf(result);
  const present = marks.filter((mark) => line.includes(mark));
  const keyWidth = present.reduce((sum, mark) => sum + mark.length + 4, 0);
  const draw = (mark: Mark) => palette[cells[mark].paint](cells[mark].shape);
  const strip = fit(line, Math.max(10, width - keyWidth))
    .map(draw)
    .join('');
  return `${strip}${present.map((mark) => `  ${draw(mark)} ${mark}`).join('')}`;
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

/** An absent start and what is missing behind it are one hole. */
function addGap(line: Mark[]): void {
  if (line.at(-1) !== 'gap') line.push('gap');
}

/** Shares the cells out evenly; each shows the gravest mark among those that fall to it. */
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
