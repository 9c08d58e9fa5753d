import { memoizeByObject } from '../../core/common/memoize.js';
import type { YamlDocument } from '../../gather/files/yaml.js';
import { filesWith, type PinTree } from '../pin-tree.js';
import { findLightdash } from '../yaml/lightdash-places.js';
import { openIfYaml } from '../yaml/open.js';

/**
 * Whether all HelmReleases of a side that take their chart from an object of Flux, by `chartRef`, write a tag of
 * Lightdash beside it: then the version of that chart moves nothing.
 */
export async function isTaggedByReleases({ document }: YamlDocument, tree: PinTree): Promise<boolean> {
  const object = objectIn(document.get('kind'), document.getIn(['metadata', 'name']));
  if (!/^(?:OCIRepository|HelmChart)\//.test(object)) return false;
  const taking = (await releasesOf(tree)).filter((release) => release.object === object);
  return taking.length > 0 && taking.every(({ isTagged }) => isTagged);
}

interface Release {
  readonly object: string;
  readonly isTagged: boolean;
}

const releasesOf = memoizeByObject(async (tree: PinTree): Promise<readonly Release[]> => {
  const releases: Release[] = [];
  for (const file of await filesWith(tree, 'chartRef')) {
    const read = await openIfYaml(tree, file);
    for (const yamlDocument of read?.documents ?? []) {
      const at = (key: string) => yamlDocument.document.getIn(['spec', 'chartRef', key]);
      if (read === undefined || at('name') === undefined) continue;
      const places = findLightdash({ ...read, documents: [yamlDocument] }, { isUsed: true });
      releases.push({
        object: objectIn(at('kind'), at('name')),
        isTagged: places.some(({ isTagless }) => !isTagless),
      });
    }
  }
  return releases;
});

function objectIn(kind: unknown, name: unknown): string {
  return `${kind}/${name}`;
}
