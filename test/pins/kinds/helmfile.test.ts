import { describe, expect, it } from 'vitest';
import { lookAtChange } from '../../../src/pins/change.js';
import { treeOfTexts } from '../../../src/pins/pin-tree.js';

/** The versions that the pins of a file have before and after a move, and what of it is not judged. */
async function moveOf(file: string, text: string) {
  const trees = [text, text.replaceAll('1.2.0', '1.3.0')].map((one) => treeOfTexts({ [file]: one })) as [
    ReturnType<typeof treeOfTexts>,
    ReturnType<typeof treeOfTexts>,
  ];
  const { before, after, unexplained } = await lookAtChange(...trees, { tagSuffix: undefined });
  const versions = (pins: typeof before) =>
    pins.map(({ side }) => (side.state === 'pinned' ? side.release.version : side.state));
  return { moved: [versions(before), versions(after)], unexplained: unexplained.length };
}

const judged = { moved: [['1.2.0'], ['1.3.0']], unexplained: 0 };
const release = 'releases:\n  - name: bi\n    chart: lightdash/lightdash\n    version: 2.0.1\n';

describe('a file with lines of a template', () => {
  it.each([
    ['a set', 'helmfile.yaml', `${release}    set:\n      - name: image.tag\n        value: 1.2.0\n`],
    ['values', 'helmfile.yaml', `${release}    values:\n      - image:\n          tag: 1.2.0\n`],
    [
      'a condition around',
      'helmfile.yaml',
      `{{ if .Values.on }}\n${release}    values:\n      - image: {tag: 1.2.0}\n{{ end }}\n`,
    ],
    [
      'a condition in it',
      'helmfile.yaml.gotmpl',
      `${release}    values:\n      {{- if .x }}\n      - image:\n          tag: 1.2.0\n      {{- end }}\n`,
    ],
  ])('is read without them: %s', async (_, file, text) => {
    expect(await moveOf(file, text)).toEqual(judged);
  });
});

describe('a HelmChart of k3s', () => {
  it('has its values as one text', async () => {
    const text =
      'apiVersion: helm.cattle.io/v1\nkind: HelmChart\nmetadata: {name: lightdash}\nspec:\n  chart: lightdash\n  valuesContent: |-\n    image:\n      tag: 1.2.0\n';
    expect(await moveOf('chart.yaml', text)).toEqual(judged);
  });
});
