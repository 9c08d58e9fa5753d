import { isScalar } from 'yaml';
import { groupBy } from '../../core/common/group-by.js';
import { isLightdashRepository } from '../../core/lightdash-name.js';
import type { YamlDocument } from '../../gather/files/yaml.js';
import { parseImageReference } from '../../instance/image-reference.js';
import { type FoundPin, newPin, sideOf, unreadable } from '../found-pin.js';
import { type PinPattern, patternOf } from '../pin-pattern.js';
import { folderOf, idsOf, type PinTree, partsOfCharts, pinOneRelease } from '../pin-tree.js';
import { variablesBeside } from './open.js';
import { ambiguous, notThisPin, releaseAt } from './pin-at.js';
import { findPlaces, type PinFile, type PinPlace } from './pin-documents.js';

/** What a file has at some paths, in which `*` stands for every key and item. */
export function findAt(
  tree: PinTree,
  pinFile: PinFile,
  paths: readonly (readonly string[])[],
  tagSuffix: string | undefined,
  pattern?: PinPattern,
): readonly FoundPin[] {
  const { file, documents } = pinFile;
  const places = inTheirDocuments(findPlaces(pinFile, paths, '*'), documents);
  const charts = places.some(isEmpty) ? partsOfCharts(tree, folderOf(file)) : [];
  const inputs = idsOf(tree, [file, ...variablesBeside(pinFile), ...charts]);
  const used = pattern ?? patternOf(file, ['*']);
  return places.map((place) => {
    const { path, document, isAmbiguous, id, line, isMerged, node } = place;
    const value = isScalar(node) && typeof node.value === 'string' && !isMerged ? node.value : undefined;
    const side = sideOf(() => {
      if (isMerged) throw notThisPin('it comes from a merge key (<<)', 'Name the place where it is written.');
      if (isAmbiguous) throw ambiguous(pinFile, place);
      return releaseAt(place, pinFile, { tagSuffix, giveFrom: pinOneRelease });
    });
    const at = { path, document: isAmbiguous ? undefined : document, id, line, inputs, value };
    return newPin(used, file, side, { ...at, isOther: pattern !== undefined && isOther(pattern, place) });
  });
}

/**
 * Makes a pin unreadable if several documents of the file have its path and the objects in them have no different names:
 * otherwise only the first of them would be judged.
 */
export function tellApart(tree: PinTree, pinFile: PinFile, pins: readonly FoundPin[]): readonly FoundPin[] {
  return inTheirDocuments(pins, pinFile.documents).map(({ isAmbiguous, ...pin }) => {
    const { path, document } = pin;
    if (!isAmbiguous || document === undefined) return pin;
    const side = unreadable(ambiguous(pinFile, { path, document }));
    return { ...pin, document: undefined, side, inputs: idsOf(tree, [pinFile.file]) };
  });
}

/** Adds to the id of a place the object of its document, where several documents of a file have the same path. */
function inTheirDocuments<T extends Pick<FoundPin, 'id' | 'document'>>(
  places: readonly T[],
  documents: readonly YamlDocument[],
): readonly (T & { readonly isAmbiguous?: boolean })[] {
  if (documents.length === 1) return places;
  const documentsOf = groupBy(places, ({ id }) => id);
  const inOthers = ({ id, document }: T) =>
    documentsOf.get(id)?.some((place) => place.document !== document) === true;
  const names = documents.map(({ document }) =>
    [['kind'], ['metadata', 'namespace'], ['metadata', 'name']].map((path) => document.getIn(path)).join('/'),
  );
  const named = groupBy(names, (name) => name);
  return places.map((place) => {
    const name = place.document === undefined ? undefined : names[place.document];
    if (name === undefined || !inOthers(place)) return { ...place, isAmbiguous: false };
    const isAmbiguous = (named.get(name)?.length ?? 0) > 1;
    return { ...place, id: isAmbiguous ? place.id : `${name} ${place.id}`, isAmbiguous };
  });
}

function isEmpty({ node }: PinPlace): boolean {
  return isScalar(node) && (node.value === null || node.value === '');
}

/**
 * Whether a pin that a `*` matched is another program's. The image of Lightdash has its name, as have mirrors and most
 * custom images built from it. What is left out here is never judged, so anything in doubt stays.
 */
function isOther(pattern: PinPattern, { node, parent, path, images }: PinPlace): boolean {
  const value = isScalar(node) ? node.value : undefined;
  if (!pattern.path.includes('*') || typeof value !== 'string' || /\$|\{\{/.test(value)) return false;
  const { repository } = images.imageOf(value, parent, path.at(-1) ?? '');
  return repository !== undefined && !isLightdashRepository(parseImageReference(repository).repository ?? '');
}
