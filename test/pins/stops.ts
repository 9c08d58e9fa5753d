import { comparePin } from '../../src/core/pins.js';
import { lookAtChange } from '../../src/pins/change.js';
import { pairPins } from '../../src/pins/compare/pairs.js';
import { treeOfTexts } from '../../src/pins/pin-tree.js';
import type { Files } from './moves.js';

/** What stops a change: pins that are not the same, and what is not judged. */
export async function stops(before: Files, after: Files): Promise<readonly string[]> {
  const renamed = new Map(
    Object.entries(before).flatMap(([old, text]) => {
      const now = Object.keys(after).find((name) => !(name in before) && after[name] === text);
      return old in after || now === undefined ? [] : [[old, now] as const];
    }),
  );
  const look = await lookAtChange(treeOfTexts(before), treeOfTexts(after), { tagSuffix: undefined, renamed });
  const pins = pairPins(look.before, look.after, renamed, look.patterns).flatMap((pair) => {
    const { kind } = comparePin(pair.before, pair.after, pair.facts);
    return kind === 'unchanged' || kind === 'untouched'
      ? []
      : [`${pair.place.file}#${pair.place.path.join('.')} ${kind}`];
  });
  return [
    ...pins,
    ...look.unexplained.map(
      ({ file, line, why, before, after }) => `${file}:${line} ${why} ${before} -> ${after}`,
    ),
  ];
}
