import { countOf } from '../phrase.js';
import { printable } from '../printable.js';
import { firstOf } from '../words/lists.js';

interface PinSearch {
  readonly before: readonly FoundPlace[];
  readonly after: readonly FoundPlace[];
  readonly searched: readonly string[];
  readonly notRead: readonly string[];
}

interface FoundPlace {
  readonly file: string;
  readonly path: readonly string[];
}

/** Where the pins of a change were looked for, and what was found. */
export function renderPinSearch({ before, after, searched, notRead }: PinSearch): string {
  const places = [...new Set([...after, ...before].map(({ file, path }) => `${file}#${path.join('.')}`))];
  const list = (names: readonly string[]) => printable(firstOf(names, 10));
  const isNothing = searched.length === 0 && places.length === 0;
  const lines = [
    ...(isNothing ? ['No file of this change can pin Lightdash.'] : []),
    ...(searched.length > 0
      ? [
          `Searched ${countOf(searched.length, 'file')} of the change for pins of Lightdash: ${list(searched)}`,
        ]
      : []),
    ...(places.length > 0 ? [`Found ${countOf(places.length, 'pin')}: ${list(places)}`] : []),
    ...(notRead.length > 0 ? [`Not read, because it is no plain YAML: ${list(notRead)}`] : []),
  ];
  return lines.map((line) => `${line}\n`).join('');
}
