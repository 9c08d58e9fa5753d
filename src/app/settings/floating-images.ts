import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isScalar } from 'yaml';
import { parseTagOrReference } from '../../instance/image-reference.js';
import { faultOfPin } from '../../pins/found-pin.js';
import { isComposeFile } from '../../pins/kinds/variables.js';
import { isValuesFile } from '../../pins/pin-pattern.js';
import type { PinTree } from '../../pins/pin-tree.js';
import { findLightdash, type LightdashPlace } from '../../pins/yaml/lightdash-places.js';
import { openPinFile } from '../../pins/yaml/open.js';
import type { PinFile } from '../../pins/yaml/pin-documents.js';

/** A place that deploys Lightdash and names no release: `lightdash/lightdash:latest`, or an empty `image.tag`. */
export interface FloatingImage {
  readonly file: string;
  readonly path: readonly string[];
  /** The text that would pin a release at this place. */
  readonly pinnedTo: (version: string) => string;
}

/** The floating images of compose and values files, which the publisher's own examples have. */
export async function findFloatingImages(tree: PinTree): Promise<readonly FloatingImage[]> {
  const files = [...tree.files.keys()].filter((file) => isComposeFile(file) || isValuesOfInstance(file));
  const imagesOfFiles = await Promise.all(files.map((file) => floatingIn(tree, file)));
  return imagesOfFiles.flat();
}

/** The values beside a `Chart.yaml` are the defaults of that chart, and of no instance. */
function isValuesOfInstance(file: string): boolean {
  return isValuesFile(file) && !existsSync(join(dirname(file), 'Chart.yaml'));
}

async function floatingIn(tree: PinTree, file: string): Promise<readonly FloatingImage[]> {
  try {
    const pinFile = await openPinFile(tree, file);
    const places = findLightdash(pinFile);
    if (places.length === 0 && isValuesOfInstance(file)) return emptyTagsIn(pinFile);
    return places.flatMap((place) => floatingAt(place, file));
  } catch (error) {
    // A file that cannot be read has no floating image here. If it pins, reading its pins reports the fault.
    faultOfPin(error);
    return [];
  }
}

function floatingAt({ path, scalar, isTagless }: LightdashPlace, file: string): readonly FloatingImage[] {
  const text = String(scalar?.value ?? '');
  const isReference = !isTagless && path.at(-1) === 'image';
  const { tag, digest } = isReference ? parseTagOrReference(text) : { tag: text, digest: undefined };
  const isFloating = isTagless
    ? !text.startsWith('sha256:')
    : digest === undefined && !/[\d$]/.test(tag ?? '');
  if (!isFloating) return [];
  const name = tag === undefined ? text : text.slice(0, text.length - tag.length - 1);
  return [
    {
      file,
      path,
      pinnedTo: (version) => (isReference ? `image: ${name}:${version}` : `tag: ${JSON.stringify(version)}`),
    },
  ];
}

/** Values that name no program and leave the tag of the chart's image empty: they pin as little as a floating tag. */
function emptyTagsIn({ documents, file }: PinFile): readonly FloatingImage[] {
  return documents.flatMap((document) => {
    const scalars = new Map(
      document
        .nodes()
        .flatMap(({ path, node }) => (isScalar(node) ? [[path.join('.'), node.value] as const] : [])),
    );
    const isEmpty = scalars.get('image.tag') === '';
    const isOfAnother = ['repository', 'repo', 'image'].some((key) => scalars.has(`image.${key}`));
    return isEmpty && !isOfAnother
      ? [{ file, path: ['image', 'tag'], pinnedTo: (version: string) => `tag: ${JSON.stringify(version)}` }]
      : [];
  });
}
