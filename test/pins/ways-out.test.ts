import fc from 'fast-check';
import { expect, it } from 'vitest';
import { notJudged } from '../../src/app/change/not-judged.js';
import { pinsFor } from '../../src/app/change/ways-out.js';
import { comparePin } from '../../src/core/pins.js';
import { lookAtChange } from '../../src/pins/change.js';
import { pairPins } from '../../src/pins/compare/pairs.js';
import { findPins } from '../../src/pins/named-pins.js';
import { parsePinPattern } from '../../src/pins/pin-pattern.js';
import { treeOfTexts } from '../../src/pins/pin-tree.js';
import { movesChosen } from './chosen.js';
import { movesFilledIn, versionsBeside, versionsFilledIn } from './filled-in.js';
import { freshMoves } from './fresh.js';
import { movesHandedOn, versionsHandedOn } from './handed-on.js';
import { movesElsewhere, versionsElsewhere } from './kept-elsewhere.js';
import { type Files, moves, versions } from './moves.js';
import { shapes } from './shapes.js';
import { movesTakenOver, versionsTakenOver } from './taken-over.js';

const later = (files: Files): Files => JSON.parse(JSON.stringify(files).replaceAll('1.2.0', '1.156.0'));
const all: readonly (readonly [Files, Files])[] = [
  ...[versions, versionsElsewhere, versionsTakenOver, versionsFilledIn, versionsBeside, versionsHandedOn]
    .flatMap((table) => Object.values(table))
    .map((files) => [files, later(files)] as const),
  ...[moves, movesElsewhere, movesTakenOver, movesFilledIn, movesHandedOn, movesChosen, freshMoves].flatMap(
    (table) => Object.values(table),
  ),
  ...Object.values(shapes).flatMap((shape) => Object.values(shape.moves)),
];

/** The pins as a shell takes them from what is printed. */
function pinsPrinted(hint: string): readonly string[] {
  return [...hint.matchAll(/--pin ('(?:[^']|'\\'')*')/g)].map(([, quoted = '']) =>
    quoted.slice(1, -1).replaceAll("'\\''", "'"),
  );
}

it('the pins that are printed for what is not judged have all of it judged, and each of them moves', async () => {
  let tried = 0;
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...all), async ([before, after]) => {
      const trees = [treeOfTexts(before), treeOfTexts(after)] as const;
      const change = { trees, tagSuffix: undefined, renamed: new Map<string, string>() };
      const { unexplained } = await lookAtChange(...trees, change);
      const hint = unexplained.length > 0 && notJudged(unexplained, await pinsFor(unexplained, change)).hint;
      const patterns = pinsPrinted(hint || '').map(parsePinPattern);
      if (patterns.length === 0) return;
      const was = await findPins(trees[0], patterns, change);
      const is = await findPins(trees[1], patterns, change);
      const looked = await lookAtChange(...trees, {
        ...change,
        named: { before: was, after: is },
        isSearched: (file) => patterns.some(({ matches }) => matches(file)),
      });
      expect(looked.unexplained).toEqual([]);
      for (const pair of pairPins(was, is, new Map(), patterns)) {
        expect(comparePin(pair.before, pair.after, pair.facts).kind).not.toMatch(/^un/);
      }
      tried += 1;
    }),
    // All of them at every share: fewer would not meet enough that print pins.
    { numRuns: 200 },
  );
  expect(tried).toBeGreaterThan(20);
});
