import { LightspanError } from '../../core/lightspan-error.js';
import { entriesOfYaml } from '../entries.js';
import { findLightdash } from './lightdash-places.js';
import { readByVersionOfHelm } from './other-readings.js';
import { notThisPin, type PinLocation, versionOfInstance } from './pin-at.js';
import { findPlaces, type PinFile, readPinFile } from './pin-documents.js';
import { parsePinLocation } from './pinned-version.js';
import { lightdashInTexts } from './texts-in.js';

/**
 * The place that `<file>#<path>` names, or the one place of a file that pins Lightdash.
 *
 * @param option that takes it, for messages
 * @param giveFrom what to do where it names no release
 * @throws {LightspanError} `usage` if the file has none or several; `invalid-pin` if it cannot be read
 */
export function locatePin(
  name: string,
  text: string,
  option: string,
  giveFrom: string = versionOfInstance,
): PinLocation {
  if (name.includes('#')) return parsePinLocation(name);
  const file = readPinFile(text, name);
  const own = findLightdash(file);
  const places =
    own.length > 0
      ? own
      : lightdashInTexts(file).map(({ outer: { path, document }, place }) => ({
          ...place,
          ...{ path: [...path, ...place.path], document },
        }));
  const [only, second] = places;
  if (only !== undefined && second === undefined) {
    const isThere = findPlaces(file, [only.path]).length > 0;
    if (only.isTagless && !isThere)
      throw notThisPin(`${name}#${only.path.join('.')}: the image has no tag`, giveFrom);
    return { file: name, path: only.path, document: only.document };
  }
  const refusal = only && readByVersionOfHelm(file, only.path, only.document);
  if (refusal !== undefined) throw notThisPin(`${name}: ${refusal.why}`, refusal.hint);
  const paths = places.map(({ path }) => path.join('.'));
  const likely = likelyPaths(file).map((path) => `${option} '${name}#${path}'`);
  const hint = `Write the path of the value after the file, such as ${likely.join(' or ')}.`;
  const more = option === '--from-file' ? ` If it names none, the chart decides. ${versionOfInstance}` : '';
  throw notOnePlace(name, paths, option, `${hint}${more}`);
}

/** Where a file has a release that may be that of Lightdash, for an example; the usual path where it has none. */
function likelyPaths(file: PinFile): readonly string[] {
  const paths = entriesOfYaml(file)
    .filter(
      ({ key, value }) =>
        /^(?:tag|newTag|imageTag|image|version)$/.test(key) && /\d{1,9}\.\d{1,9}\.\d{1,9}/.test(value),
    )
    .map(({ path }) => path.join('.'));
  return paths.length === 0 ? ['image.tag'] : [...new Set(paths)].slice(0, 3);
}

/** Why a file does not do as the name of a pin: it has none, or several. */
export function notOnePlace(
  file: string,
  paths: readonly string[],
  option: string,
  hintForNone: string,
): LightspanError {
  const places = new Set(paths.map((path) => `${option} '${file}#${path}'`));
  return paths.length === 0
    ? new LightspanError('usage', `${file} does not show where it pins Lightdash`, { hint: hintForNone })
    : new LightspanError('usage', `${file} pins Lightdash in ${paths.length} places`, {
        hint: `Name one of them: ${[...places].join(' or ')}`,
      });
}
