import { longestLine } from '../names.js';
import type { WrittenPlace } from '../written-place.js';
import type { TextKind } from './kind.js';

/**
 * Any text: a version that a comment `lightspan: pin` marks, on its line or on the one before, as people know it from
 * Renovate.
 */
export const commentKind: TextKind = {
  matches: (_, text) => marksPin(text),
  places: async ({ text }) => markedIn(text),
};

/** Whether a text has such a comment: then it is of Lightdash, whatever it says. */
export function marksPin(text: string): boolean {
  return /lightspan:[ \t]*pin/i.test(text);
}

function markedIn(text: string): readonly WrittenPlace[] {
  const places: WrittenPlace[] = [];
  let start = 0;
  let isMarked = false;
  for (const line of text.split('\n')) {
    const mark = line.length <= longestLine ? marker.exec(line) : null;
    const code = mark === null ? line : line.slice(0, mark.index);
    const isBefore = mark !== null && code.trim() === '';
    const place = !isBefore && (mark !== null || isMarked) ? versionIn(code) : undefined;
    if (place !== undefined)
      places.push({ ...place, name: nameBefore(code, place.offset), offset: start + place.offset });
    isMarked = isBefore || (isMarked && line.trim() === '');
    start += line.length + 1;
  }
  return places;
}

const marker = /(?:#|\/\/|--|;|\/\*|<!--|%|\bREM )[ \t]*lightspan:[ \t]*pin\b/i;

/** The image of Lightdash in a line, or the only version in it. Of several, nobody says which is meant. */
function versionIn(line: string): Pick<WrittenPlace, 'written' | 'offset'> | undefined {
  if (line.length > longestLine) return undefined;
  const images = [...line.matchAll(image)].filter(([whole]) => /lightdash[^/]{0,80}:/i.test(whole));
  const matches = images.length > 0 ? images : [...line.matchAll(version)];
  const [only, second] = matches;
  if (only === undefined || second !== undefined) return undefined;
  return { written: only[0], offset: only.index };
}

const image = /(?<![\w./:-])[\w.:-]+(?:\/[\w.:-]+)*:v?\d+\.\d+\.\d+[\w.-]*(?:@sha256:[0-9a-f]+)?/gi;
const version = /(?<![\w.-])v?\d+\.\d+\.\d+(?:-[\w.-]*\w)?(?:@sha256:[0-9a-f]+)?(?![\w.])/gi;

/** The variable or the key to which a line gives it. */
function nameBefore(line: string, offset: number): string {
  return (
    /([A-Za-z_][\w-]{0,80})["']?\s{0,9}(?::=|=|:)\s{0,9}["'`]?$/.exec(line.slice(0, offset))?.[1] ?? 'pin'
  );
}
