import { isDeepStrictEqual } from 'node:util';
import { LightspanError } from '../../core/lightspan-error.js';
import { lookAtChange } from '../../pins/change.js';
import type { Unexplained } from '../../pins/compare/unexplained.js';
import { findPins } from '../../pins/named-pins.js';
import { type PinPattern, parsePinPattern } from '../../pins/pin-pattern.js';
import { type PinTree, readText } from '../../pins/pin-tree.js';
import { nameOfPin } from '../../pins/yaml/pinned-version.js';

interface Change {
  readonly trees: readonly [before: PinTree, after: PinTree];
  readonly tagSuffix: string | undefined;
  readonly renamed: ReadonlyMap<string, string>;
}

/** More places than these are not named one by one. */
const mostPlaces = 8;

/**
 * The pins that would have places judged, each as `--pin` takes it: the path of the value where there is one, else an
 * expression that matches the line. They are tried before they are proposed.
 *
 * @returns none if not every place has one, or if they do not do
 */
export async function pinsFor(places: readonly Unexplained[], change: Change): Promise<readonly string[]> {
  if (places.length > mostPlaces) return [];
  const pins: string[] = [];
  for (const place of places) {
    const pin = await pinFor(place, change);
    if (pin === undefined) return [];
    if (!pins.includes(pin)) pins.push(pin);
  }
  return (await doTheyDo(pins, change)) ? pins : [];
}

async function pinFor(place: Unexplained, change: Change): Promise<string | undefined> {
  for (const pin of await candidates(place, change)) if (await isPin(pin, place, change)) return pin;
  return undefined;
}

async function candidates({ file, path, line }: Unexplained, { trees }: Change): Promise<readonly string[]> {
  const text = await readText(trees[1], file).catch(() => undefined);
  const written = line === undefined ? undefined : text?.split('\n')[line - 1];
  const [version = ''] = /v?\d{1,9}\.\d{1,9}\.\d{1,9}/.exec(written ?? '') ?? [];
  const before = version === '' ? '' : (written ?? '').slice(0, written?.indexOf(version)).replace(/\r$/, '');
  return [
    ...(path === undefined || path.length === 0 ? [] : [nameOfPin({ file, path })]),
    ...(version === '' || before.length > 300
      ? []
      : [before.trimStart().slice(-40), `^${before}`].map(
          (start) => `${file}#/${expressionOf(start)}([\\w.-]+)/`,
        )),
  ];
}

/** A text as an expression of RE2 that matches it; a `^` at its beginning is that of a line. */
function expressionOf(text: string): string {
  const [, anchor = '', rest = ''] = /^(\^?)(.*)$/s.exec(text) ?? [];
  return anchor + rest.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

/** Whether a name leads to one release on each side that has the file, to another one on each, and to the line of the place. */
async function isPin(
  pin: string,
  { file, line }: Unexplained,
  { trees, tagSuffix }: Change,
): Promise<boolean> {
  try {
    const patterns = [parsePinPattern(pin)];
    const [was, is] = await pinsOnBoth(trees, patterns, tagSuffix);
    const isOne = (found: typeof was, tree: PinTree) =>
      !tree.files.has(file) || (found.length === 1 && found[0]?.side.state === 'pinned');
    // A pin that stays would have the change pass although something else on its line differs.
    const isMoved = !isDeepStrictEqual(was[0]?.side, is[0]?.side);
    return isMoved && isOne(was, trees[0]) && isOne(is, trees[1]) && (is[0] ?? was[0])?.line === line;
  } catch (error) {
    if (isUsage(error)) return false;
    throw error;
  }
}

/** What the patterns match before a change, and after it. */
export async function pinsOnBoth(
  [before, after]: Change['trees'],
  patterns: readonly PinPattern[],
  tagSuffix: string | undefined,
) {
  const options = { tagSuffix };
  return [await findPins(before, patterns, options), await findPins(after, patterns, options)] as const;
}

function isUsage(error: unknown): error is LightspanError {
  return error instanceof LightspanError && error.code === 'usage';
}

/** Whether nothing of a change is left that is not judged if these pins are named. */
async function doTheyDo(pins: readonly string[], { trees, tagSuffix, renamed }: Change): Promise<boolean> {
  const patterns = pins.map(parsePinPattern);
  const [before, after] = await pinsOnBoth(trees, patterns, tagSuffix);
  const looked = await lookAtChange(...trees, {
    ...{ tagSuffix, renamed, named: { before, after } },
    isSearched: (file) => patterns.some(({ matches }) => matches(file)),
  });
  return looked.unexplained.length === 0;
}
