import { LightspanError } from '../../core/lightspan-error.js';
import { notThisPin, type Pin, type PinLocation, type PinReading, pinAt, placeIn } from './pin-at.js';
import { type ComposeVariables, readPinFile } from './pin-documents.js';

export function parsePinLocation(text: string): PinLocation {
  const hash = text.lastIndexOf('#');
  const file = text.slice(0, hash);
  const path = text.slice(hash + 1).split('.');
  if (hash < 1 || path.includes('')) {
    throw new LightspanError('usage', `${JSON.stringify(text)} does not name a value in a file`, {
      hint: 'Write the file and the path of the value in it, for example values.yaml#image.tag.',
    });
  }
  return { file, path };
}

export function nameOfPin({ file, path }: PinLocation): string {
  return `${file}#${path.join('.')}`;
}

/**
 * Reads the image that a YAML or JSON file pins at a place: a tag, or an image with its tag. Anything but one exact
 * release, readable in the file itself, is refused. So is a pin that another place of the file contradicts: a digest
 * next to the tag, or the same image elsewhere with another tag.
 *
 * @param text of the file
 */
export function readPin(
  text: string,
  location: PinLocation,
  reading: PinReading = {},
  variables: ComposeVariables = {},
): Pin {
  const file = readPinFile(text, location.file, variables);
  try {
    return pinAt(placeIn(file, location), file, reading);
  } catch (error) {
    if (!(error instanceof LightspanError)) throw error;
    throw notThisPin(`${nameOfPin(location)}: ${error.message}`, error.hint);
  }
}

/**
 * The text of a file with another release pinned in it, in every place that pins the same image. Only the digits of
 * the version change: a leading `v`, a suffix, quotes, anchors, comments and line endings stay.
 *
 * @param version as the index writes it
 */
export function movePin(text: string, location: PinLocation, tagSuffix: string, version: string): string {
  const pin = readPin(text, location, { tagSuffix });
  const refuse = (why: string, hint: string) => notThisPin(`${nameOfPin(location)}: ${why}`, hint);
  if (pin.digest !== undefined) {
    throw refuse(
      `it pins the digest ${pin.digest} too, which cannot be updated here`,
      'The digest decides what runs: change tag and digest together, or pin the tag alone.',
    );
  }
  const notPlain = refuse(
    'it is written in a form that cannot be changed in place',
    'Write the tag on one line, plain or in quotes, without escapes.',
  );
  const ends = pin.scalars.map((scalar) => {
    const [start = 0, end = 0] = scalar.range ?? [];
    const written = text.slice(start, end);
    const quote = /^["']/.exec(written)?.[0] ?? '';
    if (written !== `${quote}${scalar.value}${quote}`) throw notPlain;
    return end - quote.length - tagSuffix.length;
  });
  const v = /^v?/i.exec(pin.tag)?.[0] ?? '';
  const length = pin.tag.length - tagSuffix.length;
  // From the last to the first, so that earlier positions stay valid.
  const moved = ends
    .toSorted((a, b) => b - a)
    .reduce((now, end) => `${now.slice(0, end - length)}${v}${version}${now.slice(end)}`, text);
  // The text must read back as the new version before it is returned.
  if (readPin(moved, location, { tagSuffix }).version !== version) throw notPlain;
  return moved;
}
