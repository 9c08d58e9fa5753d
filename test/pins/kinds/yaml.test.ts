import { expect, it } from 'vitest';
import { yamlKind } from '../../../src/pins/kinds/yaml.js';
import { treeOfTexts } from '../../../src/pins/pin-tree.js';
import { readPinFile } from '../../../src/pins/yaml/pin-documents.js';

/** What a file says at its own places, and at those at which the other side has pins: `*` for those of others. */
async function told(text: string, ...alsoAt: readonly string[]) {
  const file = 'values.yaml';
  const pins = await yamlKind.read({
    ...{ file, text, tree: treeOfTexts({ [file]: text }), tagSuffix: undefined },
    alsoAt: alsoAt.map((id) => ({ path: id.split('.'), id })),
    yaml: async () => readPinFile(text, file),
  });
  return pins.map(
    ({ path, document = '-', isOther }) => `${document} ${path.join('.')}${isOther ? '*' : ''}`,
  );
}

const ours = 'image: {repository: lightdash/lightdash, tag: 1.121.0}\n';
const named = (...documents: readonly string[]) =>
  documents.map((text, i) => `kind: Values\nmetadata: {name: n${i}}\n${text}`).join('---\n');
const theirs = 'image: {repository: acme/billing, tag: 1.2.3}\n';

it.each<[what: string, text: string, alsoAt: readonly string[], pins: readonly string[]]>([
  ['its own alone', ours, [], ['0 image.tag']],
  ['its own, at a place of the other side too', ours, ['image.tag'], ['0 image.tag']],
  ['that of others at such a place', theirs, ['image.tag'], ['0 image.tag*']],
  ['both', `${ours}other: {tag: 1.2.3}\n`, ['other.tag'], ['0 image.tag', '0 other.tag*']],
  [
    'a path of two documents without names, of which one is its own',
    `${theirs}---\n${ours}`,
    [],
    ['- image.tag'],
  ],
  ['the same at a place of the other side', `${ours}---\n${theirs}`, ['image.tag'], ['- image.tag']],
  ['a path of two, of which none is', `${theirs}---\n${theirs}`, ['image.tag'], ['- image.tag*']],
  ['documents with names', named(ours, theirs), ['image.tag'], ['0 image.tag', '1 image.tag*']],
  ['those the other way round', named(theirs, ours), ['image.tag'], ['0 image.tag*', '1 image.tag']],
])('tells what is of Lightdash: %s', async (_, text, alsoAt, pins) => {
  expect([...(await told(text, ...alsoAt))].sort()).toEqual([...pins].sort());
});
