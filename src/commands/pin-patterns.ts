import { LightspanError } from '../errors.js';
import { countOf } from '../render/phrase.js';
import { firstOf } from '../render/words/lists.js';
import type { ChangedPins } from '../sources/changed-pins.js';
import type { FoundPin } from '../sources/found-pins.js';
import { type PinPattern, parsePinPattern } from '../sources/pin-pattern.js';
import type { PinTree } from '../sources/pin-tree.js';
import { pinsFileName, readPinsFile } from '../sources/pins-file.js';
import type { Sides } from './pin-sides.js';

export interface PatternOptions {
  readonly pin?: readonly string[];
  readonly config?: string;
}

/** The pins that are named, and whether others are looked for in what the change touches. */
export interface ChosenPatterns {
  readonly patterns: readonly PinPattern[];
  readonly searches: boolean;
}

/**
 * The pins to judge: those of the command line, or those that the pins file and settings name on either side. So a pin
 * that a change removes from such a file is judged once more, and one that it adds is judged at once. If none are named,
 * or a file without the path of its pins, they are looked for.
 *
 * @param ofSettings the pins that settings name on either side
 */
export async function choosePatterns(
  { pin = [], config }: PatternOptions,
  { beforeTree, afterTree }: Sides,
  ofSettings: readonly string[],
): Promise<ChosenPatterns> {
  const file = config ?? pinsFileName;
  const named =
    pin.length > 0 && config === undefined
      ? []
      : [...(await pinsOf(beforeTree, file)), ...(await pinsOf(afterTree, file))];
  const isGiven = pin.length > 0 || config !== undefined;
  if (config !== undefined && named.length === 0) {
    throw new LightspanError('usage', `there is no ${file} on either side of the change`, {
      hint: 'Name it from the root of the repository, and commit it.',
    });
  }
  const texts = [...new Set([...pin, ...named, ...(isGiven ? [] : ofSettings)])];
  const withPath = isGiven ? texts : texts.filter((text) => text.includes('#') || named.includes(text));
  return {
    patterns: withPath.map(parsePinPattern),
    searches: texts.length === 0 || withPath.length < texts.length,
  };
}

async function pinsOf(tree: PinTree, file: string): Promise<readonly string[]> {
  const entry = tree.files.get(file);
  if (entry === undefined) return [];
  if (entry.kind !== 'file') throw new LightspanError('usage', `${file} is not a file`);
  return readPinsFile(new TextDecoder().decode(await tree.read(entry)), file);
}

/**
 * Where a change touches files that can pin an image, its pins must be found, or be named.
 *
 * @throws {LightspanError} `usage`
 */
export function requireSomeFound({ before, after, searched }: ChangedPins): void {
  if (searched.length === 0 || before.length + after.length > 0) return;
  throw new LightspanError(
    'usage',
    `the change touches ${countOf(searched.length, 'file that can pin an image', 'files that can pin an image')}, and no pin of Lightdash was found in ${firstOf(searched, 5)}`,
    {
      hint: `Name the pins with --pin 'values.yaml#image.tag', or commit a ${pinsFileName} that lists them: then a change of other files is a yes.`,
    },
  );
}

/**
 * A pin that is found on neither side has a wrong name, and would never be judged.
 *
 * @throws {LightspanError} `usage`
 */
export function requireFound(patterns: readonly PinPattern[], found: readonly FoundPin[]): void {
  const lost = patterns.find((pattern) => !found.some((pin) => pin.pattern === pattern && !pin.isOther));
  if (lost === undefined) return;
  throw new LightspanError(
    'usage',
    `--pin ${JSON.stringify(lost.text)} matches no pin of Lightdash on either side`,
    {
      hint: 'Check the file, from the root of the repository, and the path; if an image has another name, name its place without a star.',
    },
  );
}
