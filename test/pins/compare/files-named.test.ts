import { expect, it } from 'vitest';
import { lookAtChange } from '../../../src/pins/change.js';
import { type PinTree, treeOfTexts } from '../../../src/pins/pin-tree.js';

/** So many overlays of one base, each with a patch that is called as all the others are. */
function overlays(count: number, version: string, namespace: string): Readonly<Record<string, string>> {
  const each = Array.from({ length: count }, (_, i) => [
    [
      `overlays/o${i}/kustomization.yaml`,
      `resources: [../../base]\nnamespace: ${namespace}${i}\nimages: [{name: lightdash/lightdash, newTag: ${version}}]\npatches: [{path: patch.yaml}]\n`,
    ],
    [`overlays/o${i}/patch.yaml`, 'kind: Deployment\nmetadata: {name: lightdash}\nspec: {replicas: 2}\n'],
  ]);
  return {
    'base/kustomization.yaml': 'resources: [deployment.yaml]\n',
    'base/deployment.yaml': 'kind: Deployment\nmetadata: {name: lightdash}\n',
    ...Object.fromEntries(each.flat()),
  };
}

/** A side that counts how often it is read. */
function counting(tree: PinTree): { readonly tree: PinTree; readonly reads: () => number } {
  let count = 0;
  const read: PinTree['read'] = (file) => {
    count += 1;
    return tree.read(file);
  };
  return { tree: { ...tree, read }, reads: () => count };
}

it('reads each file a few times, however many others name it', async () => {
  const [was, is] = [
    counting(treeOfTexts(overlays(50, '1.121.0', 'a'))),
    counting(treeOfTexts(overlays(50, '1.156.0', 'b'))),
  ];
  const { after, unexplained } = await lookAtChange(was.tree, is.tree, { tagSuffix: undefined });
  expect(after).toHaveLength(50);
  expect(unexplained).toEqual([]);
  const files = was.tree.files.size + is.tree.files.size;
  expect(was.reads() + is.reads()).toBeLessThan(6 * files);
});
