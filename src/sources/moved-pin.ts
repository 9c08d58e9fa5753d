import { LightspanError } from '../errors.js';
import { nameOfPin, type PinLocation, readPin } from './pinned-version.js';

/**
 * The text of a file with another release pinned in it, in every place that pins the same image. Only the digits of the
 * version change: a leading `v`, a suffix, quotes, anchors, comments and line endings stay.
 *
 * @param version as the index writes it
 * @throws {LightspanError} `invalid-pin`, naming file and path
 */
export function movePin(text: string, location: PinLocation, tagSuffix: string, version: string): string {
  const pin = readPin(text, location, { tagSuffix });
  if (pin.digest !== undefined) {
    throw new LightspanError(
      'invalid-pin',
      `${nameOfPin(location)}: it pins the digest ${pin.digest} too, which cannot be updated here`,
      { hint: 'The digest decides what runs: change tag and digest together, or pin the tag alone.' },
    );
  }
  const ends = pin.scalars.map((scalar) => {
    const [start = 0, end = 0] = scalar.range ?? [];
    const written = text.slice(start, end);
    const quote = /^["']/.exec(written)?.[0] ?? '';
    if (written !== `${quote}${scalar.value}${quote}`) throw notPlain(location);
    return end - quote.length - tagSuffix.length;
  });
  const v = /^v?/i.exec(pin.tag)?.[0] ?? '';
  const length = pin.tag.length - tagSuffix.length;
  // From the last to the first, so that earlier positions stay valid.
  const moved = ends
    .toSorted((a, b) => b - a)
    .reduce((now, end) => `${now.slice(0, end - length)}${v}${version}${now.slice(end)}`, text);
  // The text must read back as the new version before it is returned.
  if (readPin(moved, location, { tagSuffix }).version !== version) throw notPlain(location);
  return moved;
}

function notPlain(location: PinLocation): LightspanError {
  return new LightspanError(
    'invalid-pin',
    `${nameOfPin(location)}: it is written in a form that cannot be changed in place`,
    { hint: 'Write the tag on one line, plain or in quotes, without escapes.' },
  );
}
