import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LightspanError } from '../../errors.js';
import { findPins } from '../../sources/found-pins.js';
import { type PinPattern, parsePinPattern } from '../../sources/pin-pattern.js';
import { treeOfTexts } from '../../sources/pin-tree.js';
import { unreadable } from '../../sources/read-file.js';

/**
 * The places that pins of settings name, as `--from-file` takes them, from their folder. Without a path, a file pins
 * Lightdash in one place.
 *
 * @throws {LightspanError} `usage` if one names nothing
 */
export async function placesOfPins(pins: readonly string[], folder: string): Promise<readonly string[]> {
  const places = await Promise.all(pins.map((pin) => placesOf(pin, folder)));
  return [...new Set(places.flat())];
}

async function placesOf(pin: string, folder: string): Promise<readonly string[]> {
  if (!/[*?[{]/.test(pin)) return [pin];
  const pattern = parsePinPattern(pin.includes('#') ? pin : `${pin}#*`);
  const files = filesOf(pattern, folder);
  if (files.length === 0) throw new LightspanError('usage', `pins: ${JSON.stringify(pin)} names no file`);
  if (!pin.includes('#')) return files;
  if (!pattern.path.includes('*')) return files.map((file) => `${file}#${pattern.path.join('.')}`);
  const texts = files.map((file) => [file, readFileSync(join(folder, file), 'utf8')]);
  const found = await findPins(treeOfTexts(Object.fromEntries(texts)), [pattern], { tagSuffix: undefined });
  return found.filter(({ isOther }) => !isOther).map(({ file, path }) => `${file}#${path.join('.')}`);
}

/** The files of a pattern, below a folder. Links to folders are not followed. */
export function filesOf(
  { matches, leadsThrough }: Pick<PinPattern, 'matches' | 'leadsThrough'>,
  folder: string,
  below = '',
): readonly string[] {
  try {
    return readdirSync(join(folder, below), { withFileTypes: true })
      .toSorted((a, b) => (a.name < b.name ? -1 : 1))
      .flatMap((entry) => {
        const name = `${below}${entry.name}`;
        if (entry.isDirectory())
          return leadsThrough(name) ? filesOf({ matches, leadsThrough }, folder, `${name}/`) : [];
        return matches(name) && (entry.isFile() || entry.isSymbolicLink()) ? [name] : [];
      });
  } catch (error) {
    throw unreadable(join(folder, below), error);
  }
}
