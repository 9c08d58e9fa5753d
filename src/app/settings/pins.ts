import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LightspanError } from '../../core/lightspan-error.js';
import { unreadable } from '../../gather/files/read-file.js';
import { splitExpression } from '../../pins/expression.js';
import { findPins } from '../../pins/named-pins.js';
import { type PinPattern, parsePinPattern } from '../../pins/pin-pattern.js';
import { treeOfTexts } from '../../pins/pin-tree.js';
import { nameOfPin } from '../../pins/yaml/pinned-version.js';

/** The places that pins of settings name, from their folder, as `--from-file` takes them. */
export async function placesOfPins(pins: readonly string[], folder: string): Promise<readonly string[]> {
  const places = await Promise.all(
    pins.map(async (pin) => {
      if (!/[*?[{]/.test(/^[^#]*/.exec(pin)?.[0] ?? '') && !isStarred(pin)) return [pin];
      const pattern = parsePinPattern(pin.includes('#') ? pin : `${pin}#image`);
      const files = filesOf(pattern, folder).toSorted();
      if (files.length === 0) throw new LightspanError('usage', `pins: ${JSON.stringify(pin)} names no file`);
      if (!isStarred(pin)) return files.map((file) => pin.replace(/^[^#]*/, () => file));
      const texts = files.map((file) => [file, readFileSync(join(folder, file), 'utf8')]);
      const found = await findPins(treeOfTexts(Object.fromEntries(texts)), [pattern], {
        tagSuffix: undefined,
      });
      return found.filter(({ isOther }) => !isOther).map(nameOfPin);
    }),
  );
  return [...new Set(places.flat())];
}

/** Whether the path after the file leads to several places. */
function isStarred(pin: string): boolean {
  return splitExpression(pin) === undefined && /#(?:.*\.)?\*(?:\.|$)/.test(pin);
}

export function filesOf(
  pattern: Pick<PinPattern, 'matches' | 'leadsThrough'>,
  folder: string,
  below = '',
): readonly string[] {
  try {
    return readdirSync(join(folder, below), { withFileTypes: true }).flatMap((entry) => {
      const name = `${below}${entry.name}`;
      if (!entry.isDirectory()) return pattern.matches(name) ? [name] : [];
      return pattern.leadsThrough(name) ? filesOf(pattern, folder, `${name}/`) : [];
    });
  } catch (error) {
    throw unreadable(join(folder, below), error);
  }
}
