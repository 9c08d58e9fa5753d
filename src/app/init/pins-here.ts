import { isUtf8 } from 'node:buffer';
import { readFileSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isLightdashRepository } from '../../core/lightdash-name.js';
import type { Version } from '../../core/version.js';
import type { CommandContext } from '../../door/context.js';
import { existingFile } from '../../gather/files/write-file.js';
import { mostBytes } from '../../gather/limits.js';
import { pinsOfChange } from '../../pins/change.js';
import { filesIgnored } from '../../pins/git/git.js';
import { isYaml } from '../../pins/kinds/yaml.js';
import { isValuesFile } from '../../pins/pin-pattern.js';
import { folderOf, foldersAround, treeOfTexts } from '../../pins/pin-tree.js';
import { readAgreeingPins } from '../../pins/places/agreeing.js';
import { nameOfPin } from '../../pins/yaml/pinned-version.js';
import { findFloatingImages } from '../settings/floating-images.js';
import { filesOf } from '../settings/pins.js';

export interface FoundHere {
  readonly file: string;
  readonly path: readonly string[];
  readonly version: Version;
}

/** A place that pins Lightdash, and why it shows no one release. */
export interface Unread extends Pick<FoundHere, 'file' | 'path'> {
  readonly why: string;
  readonly hint: string | undefined;
}

/** The pins of Lightdash in the files below this folder, as if a change had added them all. */
export async function findPinsHere(
  tagSuffix: string | undefined,
  context: Pick<CommandContext, 'stdin' | 'env'>,
) {
  const isOfOthers = (folder: string) =>
    /(^|\/)(\.(?!github$)[^/]+|node_modules)$/.test(folder) || isOfHelm(folder);
  const files = filesOf({ matches: () => true, leadsThrough: (folder) => !isOfOthers(folder) }, '.');
  const sized = files.filter(
    (file) => (statSync(file, { throwIfNoEntry: false })?.size ?? mostBytes.small) < mostBytes.small,
  );
  const texts = sized.flatMap((file): [string, string][] => {
    const bytes = readFileSync(file);
    return isUtf8(bytes) ? [[file, bytes.toString()]] : [];
  });
  const here = treeOfTexts(Object.fromEntries(texts));
  const { after } = await pinsOfChange(treeOfTexts({}), here, { tagSuffix });
  const shown = after.flatMap(({ file, path, side }) =>
    side.state === 'pinned' ? [{ file, path, version: side.release.version }] : [],
  );
  const pinned = [...shown, ...(await overridesOf(shown, texts, { tagSuffix, ...context }))];
  return {
    pinned,
    floating: pinned.length > 0 ? [] : await findFloatingImages(here),
    unread: after.flatMap(({ file, path, side }): Unread[] =>
      side.state === 'unreadable' ? [{ file, path, why: side.why, hint: side.hint }] : [],
    ),
  };
}

/**
 * The pins in values at the path of one in the values of a chart that brings that of Lightdash with others: those of an
 * environment, which the chart's own yield to, and in which nothing but the path says that it is Lightdash.
 */
async function overridesOf(
  pinned: readonly FoundHere[],
  texts: readonly (readonly [file: string, text: string])[],
  {
    tagSuffix,
    stdin,
    env,
  }: Pick<CommandContext, 'stdin' | 'env'> & { readonly tagSuffix: string | undefined },
): Promise<readonly FoundHere[]> {
  const charts = texts.flatMap(([file]) => (basename(file) === 'Chart.yaml' ? [folderOf(file)] : []));
  const isOfOther = (file: string, pin: string) =>
    foldersAround(file).some((folder) => charts.includes(folder) && !foldersAround(pin).includes(folder));
  const places = pinned.filter(isNestedTag).flatMap((pin) =>
    texts.flatMap(([file, text]) => {
      const mayHave = isYaml(file) && text.includes(`${pin.path[0]}`) && !isOfOther(file, pin.file);
      return mayHave && !pinned.some((other) => other.file === file) ? [{ file, path: pin.path }] : [];
    }),
  );
  const byName = new Map(places.map((place) => [nameOfPin(place), place]));
  const found = [...byName].map(async ([name, place]): Promise<readonly FoundHere[]> => {
    const pins = await readAgreeingPins([name], { stdin, env, tagSuffix }).catch(() => []);
    const ofLightdash = pins.filter(
      ({ repository }) => repository === undefined || isLightdashRepository(repository),
    );
    return ofLightdash.map(({ version }) => ({ ...place, version }));
  });
  return (await Promise.all(found)).flat();
}

/** Whether a place is the tag of a chart that others bring, in its values. */
export function isNestedTag({ file, path }: Pick<FoundHere, 'file' | 'path'>): boolean {
  return isValuesFile(file) && path.length > 2 && path.slice(-2).join('.') === 'image.tag';
}

/** Whether a folder has the templates of a chart, which are no YAML; others are called so too. */
function isOfHelm(folder: string): boolean {
  return basename(folder) === 'templates' && existingFile(join(dirname(folder), 'Chart.yaml')) !== undefined;
}

/**
 * The places of these pins as the settings name them: the file alone where that says the same, since a place with its path
 * narrows pin-check to the files that are named, and one without has it look at all that a change touches.
 */
export async function placesToWrite(
  pinned: readonly FoundHere[],
  tagSuffix: string | undefined,
  { stdin, env }: CommandContext,
): Promise<readonly string[]> {
  const places = pinned.map(async (pin) => {
    const { file, version } = pin;
    // Several that move together are one place.
    const isOfOne = pinned.every((other) => other.file !== file || other.version === version);
    const shows =
      isOfOne &&
      (await readAgreeingPins([file], { stdin, env, tagSuffix })
        .then(([found]) => found.version === version)
        .catch(() => false));
    return shows ? file : nameOfPin(pin);
  });
  return [...new Set(await Promise.all(places))];
}

/** The places of these pins in files that git leaves out, and so no change shows: a `.env`, more often than not. */
export async function unseenIn(
  pinned: readonly FoundHere[],
  tagSuffix: string | undefined,
  { stdin, env }: CommandContext,
): Promise<readonly string[]> {
  const places = await Promise.all(
    pinned.map(async (pin) => {
      const [{ variable } = {}] = await readAgreeingPins([nameOfPin(pin)], { stdin, env, tagSuffix }).catch(
        () => [],
      );
      return variable === undefined ? pin : { file: variable.file, path: [variable.name] };
    }),
  );
  const ignored = await filesIgnored({ folder: '.', env }, [...new Set(places.map(({ file }) => file))]);
  return [...new Set(places.filter(({ file }) => ignored.includes(file)).map(nameOfPin))];
}
