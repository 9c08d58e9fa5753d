import { expect, it } from 'vitest';
import { lookAtChange } from '../../../src/pins/change.js';
import { type TreeFile, treeOfTexts } from '../../../src/pins/pin-tree.js';

const before = `services:
  web:
    image: lightdash/lightdash:1.121.0
    environment: {LIGHTDASH_RELEASE: 1.121.0}
    restart: always
`;
const moved = before.replaceAll('1.121.0', '1.121.1');

it.each<[what: string, after: string, unexplained: number]>([
  ['the pin moves, and what is called so with it', moved, 0],
  ['something else, which decides nothing, differs too', moved.replace('always', 'no'), 0],
  ['what is called so moves elsewhere', moved.replace('RELEASE: 1.121.1', 'RELEASE: 1.121.2'), 1],
  ['the pin stays, and what is called so moves', before.replace('RELEASE: 1.121.0', 'RELEASE: 1.121.2'), 1],
  ['a line comes before it', `# one\n${moved}`, 0],
  ['an image comes that is built', moved.replace('    restart: always', '    build: lightdash'), 1],
  ['an image comes in a sentence of its own', `${moved}    x-next: run lightdash/lightdash:1.121.2\n`, 1],
])('%s', async (_, after, unexplained) => {
  const [was, is] = [before, after].map((text) => treeOfTexts({ 'compose.yaml': text }));
  if (was === undefined || is === undefined) throw new Error('there are two');
  const looked = await lookAtChange(was, is, { tagSuffix: undefined });
  expect(looked.before).toHaveLength(looked.after.length);
  expect(looked.unexplained.map(({ after }) => after)).toHaveLength(unexplained);
});

it('tells the version of a pin from another one in its line', async () => {
  const line = (tag: string, other: string) =>
    `services: {web: {image: "lightdash/lightdash:${tag}", environment: {LIGHTDASH_RELEASE: ${other}}}}\n`;
  const lookedAt = async (text: string) => {
    const trees = [line('1.121.0', '1.121.0'), text].map((one) => treeOfTexts({ 'compose.yaml': one }));
    const [was, is] = trees;
    return was && is && (await lookAtChange(was, is, { tagSuffix: undefined })).unexplained.length;
  };
  expect(await lookedAt(line('1.121.1', '1.121.1'))).toBe(0);
  expect(await lookedAt(line('1.121.1', '1.121.2'))).toBe(1);
  expect(await lookedAt(line('1.121.0', '1.121.2'))).toBe(1);
});

it('reads no other file where nothing but a pin moves', async () => {
  const other = { 'deploy.sh': 'docker run lightdash/lightdash:1.121.0' };
  const after = before.replace('lightdash:1.121.0', 'lightdash:1.121.1');
  const sides = [before, after].map((text) => treeOfTexts({ ...other, 'compose.yaml': text }));
  const read: string[] = [];
  const [was, is] = sides.map((tree) => ({
    ...tree,
    read: (file: TreeFile) => {
      read.push(file.id);
      return tree.read(file);
    },
  }));
  if (was === undefined || is === undefined) throw new Error('there are two');
  await lookAtChange(was, is, { tagSuffix: undefined });
  expect(read).toEqual([before, after]);
});

it.each<[what: string, line: string, was: string, is: string]>([
  ['the file that it includes', 'include: ["$VALUE"]', 'a.yaml', 'b.yaml'],
  ['what it builds', 'x-build: {build: "$VALUE", args: {LIGHTDASH_X: "1"}}', 'a', 'b'],
  ['a file that it includes from now on', 'include: [$VALUE]', '', 'b.yaml'],
])('reads what else differs by the variables beside it: %s', async (_, line, was, is) => {
  const sideOf = (version: string, value: string) =>
    treeOfTexts({
      'compose.yaml': `${line}\nservices: {web: {image: "lightdash/lightdash:${version}"}}\n`,
      '.env': value === '' ? '' : `VALUE=${value}\n`,
      'a.yaml': before,
      'b.yaml': before.replaceAll('1.121.0', '1.156.0'),
    });
  const unexplained = async (version: string) => {
    const looked = await lookAtChange(sideOf('1.121.0', was), sideOf(version, is), { tagSuffix: undefined });
    return looked.unexplained.map(({ file }) => file);
  };
  expect(await unexplained('1.121.1')).toContain('compose.yaml');
});
