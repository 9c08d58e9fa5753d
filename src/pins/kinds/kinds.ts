import { isVariablesFile } from '../pin-pattern.js';
import { numbered, pinsAtPlaces } from '../written-pins.js';
import type { WrittenPlace } from '../written-place.js';
import { commentKind } from './comment.js';
import { dockerfileKind } from './dockerfile.js';
import type { Kind, TextKind, TextSource } from './kind.js';
import { terraformKind } from './terraform.js';
import { variablesKind } from './variables.js';
import { helmfileKind, isYaml, yamlKind } from './yaml.js';

/** The kinds of files that are neither YAML nor JSON as a whole: in `kinds`, and read by {@link placesInText}. */
export const textKinds: readonly TextKind[] = [variablesKind, dockerfileKind, terraformKind, commentKind];

/** The kinds of files in which `pin-check` and `init` search, in the order in which they count. */
export const kinds: readonly Kind[] = [
  yamlKind,
  helmfileKind,
  ...textKinds.map(
    ({ matches, places }): Kind => ({
      matches,
      read: async (source) => pinsAtPlaces(source, await places(source)),
    }),
  ),
];

/** What the kinds of text find in a file. What two of them find in one place counts once, as the first tells it. */
export async function placesInText(source: TextSource): Promise<readonly WrittenPlace[]> {
  const placesByOffset = new Map<number, WrittenPlace>();
  for (const kind of textKinds.filter(({ matches }) => matches(source.file, source.text, true))) {
    for (const place of await kind.places(source)) {
      if (!placesByOffset.has(place.offset)) placesByOffset.set(place.offset, place);
    }
  }
  return [...placesByOffset.values()];
}

/**
 * The places that a name means in a file that is neither YAML nor JSON, or that a comment marks in any: without a name,
 * all that pin Lightdash. `others` pin it in the same file. `isText` says that the file is not to be read as YAML,
 * whatever is found.
 */
export async function placesNamed(
  source: Omit<TextSource, 'alsoAt'>,
  name: string | undefined,
): Promise<{
  readonly named: readonly WrittenPlace[];
  readonly others: readonly WrittenPlace[];
  readonly isText: boolean;
}> {
  const { file } = source;
  const alsoAt = name === undefined ? [] : [{ path: name.split('.'), id: name }];
  const places = numbered(await placesInText({ ...source, alsoAt }));
  const named = places.filter((place) => (name === undefined ? !place.isOther : place.name === name));
  return {
    named,
    others: places.filter((place) => !place.isOther && !named.includes(place)),
    isText: isVariablesFile(file) || (places.length > 0 && !isYaml(file)),
  };
}
