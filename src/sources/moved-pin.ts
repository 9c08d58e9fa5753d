import { LightspanError } from '../errors.js';
import { type PinLocation, readPin } from './pinned-version.js';

/**
 * The text of a file with another release pinned in it. Nothing but the digits of the version changes: a leading `v`,
 * a suffix, quotes, anchors, comments and line endings stay.
 *
 * @param version as the index writes it
 * @throws {LightspanError} `invalid-pin`, naming file and path
 */
export function movePin(text: string, location: PinLocation, tagSuffix: string, version: string): string {
  const pin = readPin(text, location, tagSuffix);
  const [start = 0, end = 0] = pin.scalar.range ?? [];
  const written = text.slice(start, end);
  const quote = /^["']/.exec(written)?.[0] ?? '';
  if (written !== `${quote}${pin.value}${quote}`) throw notPlain(location);
  const versionStart = start + quote.length + pin.versionRange[0];
  const versionEnd = start + quote.length + pin.versionRange[1];
  const v = text[versionStart] === 'v' ? 'v' : '';
  const moved = `${text.slice(0, versionStart)}${v}${version}${text.slice(versionEnd)}`;
  // Nothing is written that does not read back as what was meant.
  if (readPin(moved, location, tagSuffix).version !== version) throw notPlain(location);
  return moved;
}

function notPlain({ file, path }: PinLocation): LightspanError {
  return new LightspanError(
    'invalid-pin',
    `${file}#${path.join('.')}: it is written in a form that cannot be changed in place`,
    { hint: 'Write the tag on one line, plain or in quotes, without escapes.' },
  );
}
