import { LightspanError } from '../../errors.js';
import type { FoundPin } from '../../sources/found-pins.js';
import { type PinPattern, parsePinPattern } from '../../sources/pin-pattern.js';
import type { PinTree } from '../../sources/pin-tree.js';
import { pinsFileName, readPinsFile } from '../../sources/pins-file.js';
import type { Sides } from './sides.js';

export interface PatternOptions {
  readonly pin?: readonly string[];
  readonly config?: string;
}

/**
 * The pins to judge: those of the command line, or those that the pins file names on either side. So a pin that a
 * change removes from that file is judged once more, and one that it adds is judged at once.
 *
 * @throws {LightspanError} `usage` if there are none
 */
export async function choosePatterns(
  { pin = [], config }: PatternOptions,
  { beforeTree, afterTree }: Sides,
): Promise<readonly PinPattern[]> {
  const file = config ?? pinsFileName;
  const named =
    pin.length > 0 && config === undefined
      ? []
      : [...(await pinsOf(beforeTree, file)), ...(await pinsOf(afterTree, file))];
  if (config !== undefined && named.length === 0) {
    throw new LightspanError('usage', `there is no ${file} on either side of the change`, {
      hint: 'Name it from the root of the repository, and commit it.',
    });
  }
  const texts = new Set([...pin, ...named]);
  if (texts.size > 0) return [...texts].map(parsePinPattern);
  throw new LightspanError('usage', 'no pin is named', {
    hint: `Give --pin 'values.yaml#image.tag', once for each pin, or commit a ${pinsFileName} that lists them.`,
  });
}

async function pinsOf(tree: PinTree, file: string): Promise<readonly string[]> {
  const entry = tree.files.get(file);
  if (entry === undefined) return [];
  if (entry.kind !== 'file') throw new LightspanError('usage', `${file} is not a file`);
  return readPinsFile(new TextDecoder().decode(await tree.read(entry)), file);
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
