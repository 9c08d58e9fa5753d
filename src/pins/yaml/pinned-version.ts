import { LightspanError } from '../../core/lightspan-error.js';
import { withRelease } from '../written-pins.js';
import { notThisPin, type Pin, type PinLocation, type PinReading, pinAt, placeIn } from './pin-at.js';
import { type ComposeVariables, readPinFile } from './pin-documents.js';

export function parsePinLocation(text: string): PinLocation {
  const hash = text.lastIndexOf('#');
  const file = text.slice(0, hash);
  const path = text.slice(hash + 1).split('.');
  if (hash < 1 || path.includes('')) {
    throw new LightspanError('usage', `${JSON.stringify(text)} does not name a value in a file`, {
      hint: 'Write the file and the path of the value, for example values.yaml#image.tag.',
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
  return namingIt(location, () => pinAt(placeIn(file, location), file, reading));
}

function namingIt<T>(location: PinLocation, read: () => T): T {
  try {
    return read();
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
  return namingIt(location, () => {
    const places = pin.scalars.map((scalar) => {
      const [offset = 0, end = 0] = scalar.range ?? [];
      const written = unquoted(text.slice(offset, end));
      if (written.trim() !== scalar.value) throw notPlain();
      return { written, offset };
    });
    const moved = withRelease(text, places, pin, version);
    // The text must read back as the new version before it is returned.
    if (readPin(moved, location, { tagSuffix }).version !== version) throw notPlain();
    return moved;
  });
}

/** The text between quotes, at the same offsets. */
export function unquoted(written: string): string {
  return written.replace(/^(["'])(.*)\1$/s, ' $2 ');
}

export function notPlain(): LightspanError {
  return notThisPin(
    'it is written in a form that cannot be edited in place',
    'Write the tag on one line, plain or in quotes, without escapes.',
  );
}
