import { LightspanError } from '../errors.js';
import { type InputRequest, readInputText } from './input-text.js';
import { fileOfPin, locatePin } from './lightdash-places.js';
import { nameOfPin, type Pin, readPin } from './pinned-version.js';

export interface PinsRequest extends Pick<InputRequest, 'stdin'> {
  readonly tagSuffix: string | undefined;
  /** The hint if a file does not show the version; by default, to pass it with `--from`. */
  readonly giveOtherwise?: string;
  /** The option that names the places; by default `--from-file`. */
  readonly option?: string;
}

/**
 * Reads what several places pin, each `<file>#<path.to.value>`, or `<file>` if it pins Lightdash in one place. A file
 * that is named twice is read once.
 *
 * @param places one or more
 * @throws {LightspanError} `usage`, `invalid-pin` if one cannot be read or two pin different releases, and the errors
 * of reading a file
 */
export async function readAgreeingPins(
  places: readonly string[],
  { stdin, tagSuffix, giveOtherwise, option = '--from-file' }: PinsRequest,
): Promise<readonly [Pin, ...Pin[]]> {
  const files = places.map(fileOfPin);
  const texts = new Map<string, string>();
  for (const file of files) {
    if (!texts.has(file)) texts.set(file, await readInputText({ source: file, stdin, what: 'file' }));
  }
  const [first, ...others] = places.map((place, i) => {
    const text = texts.get(files[i] ?? '') ?? '';
    return readPin(text, locatePin(place, text, option), { tagSuffix, giveFrom: giveOtherwise });
  });
  if (first === undefined) throw new LightspanError('usage', 'no place that pins a version is named');
  for (const other of others) {
    const [here, there] = differences(first, other);
    if (here === there) continue;
    throw new LightspanError(
      'invalid-pin',
      `${nameOfPin(first)} is ${here}, and ${nameOfPin(other)} is ${there}`,
      {
        hint: 'Pin the same version in all of them, or give the running version with --from instead.',
      },
    );
  }
  return [first, ...others];
}

/** What must be equal: tag and digest of one image; for images under different names, only the release. */
function differences(a: Pin, b: Pin): readonly [string, string] {
  const differentNames =
    a.repository !== undefined && b.repository !== undefined && a.repository !== b.repository;
  const of = ({ version, tag, digest }: Pin) =>
    differentNames ? version : digest === undefined ? tag : `${tag}@${digest}`;
  return [of(a), of(b)];
}
