import { describe, expect, it } from 'vitest';
import { LightspanError } from '../../src/core/lightspan-error.js';
import { pairPins } from '../../src/pins/compare/pairs.js';
import type { FoundPin } from '../../src/pins/found-pin.js';
import { findPins } from '../../src/pins/named-pins.js';
import { parsePinPattern } from '../../src/pins/pin-pattern.js';
import type { PinTree, TreeFile } from '../../src/pins/pin-tree.js';

type Files = Readonly<Record<string, string | Uint8Array | TreeFile['kind'] | { readonly target: string }>>;

const link = (target: string) => ({ target });

const kinds = new Set<unknown>(['link', 'submodule', 'unmerged', 'unnamed']);

function treeOf(files: Files): PinTree {
  const contents = new Map<TreeFile, string | Uint8Array>();
  const all = Object.entries(files).map(([name, content]): [string, TreeFile] => {
    const isLink = typeof content === 'object' && 'target' in content;
    const kind = isLink ? 'link' : kinds.has(content) ? (content as TreeFile['kind']) : 'file';
    const file = { id: `${name}: ${content}`, kind };
    contents.set(file, isLink ? content.target : content);
    return [name, file];
  });
  return { files: new Map(all), read: async (file) => Buffer.from(contents.get(file) ?? '') };
}

const find = (files: Files, pattern: string, tagSuffix?: string) =>
  findPins(treeOf(files), [parsePinPattern(pattern)], { tagSuffix });

/** What a pin is, in a line: whether it is another program, where, what, and of which image. */
function told({ id, line, side, isOther, isWholeFile }: FoundPin): string {
  const what =
    side.state === 'pinned'
      ? [side.release.version, side.release.digest, side.release.registry, side.release.repository]
          .filter((part) => part !== undefined)
          .join(' ')
      : side.state === 'unreadable'
        ? side.why
        : side.state;
  return `${isOther ? 'other ' : ''}${isWholeFile ? 'file ' : ''}${id}:${line} ${what}`;
}

const foundIn = async (files: Files, pattern: string, tagSuffix?: string) =>
  (await find(files, pattern, tagSuffix)).map(told);

const digest = `sha256:${'a'.repeat(64)}`;

describe('the pins of a file', () => {
  it.each<[string, string, string]>([
    ['one by its path', 'a: 1\nimage:\n  tag: 1.2.3\n', 'image.tag'],
    ['none where a word stands above it', 'image: x\n', 'image.tag'],
    ['one that is empty', 'image:\n  tag: ""\n', 'image.tag'],
    [
      'all of a star',
      'web: {image: {repository: lightdash/lightdash, tag: 1.2.3}}\ndb: {image: {repository: postgres, tag: "16"}}\n',
      '*.image.tag',
    ],
    [
      'an image of a mirror, told by its last name',
      'a: {image: "corp.example/mirror/lightdash:1.2.3"}\nb: {image: "corp.example/lightdash/proxy:1.2.3"}\n',
      '*.image',
    ],
    ['no other program, where it was named', 'db: {image: "postgres:16.0.1"}\n', 'db.image'],
    [
      'one of which it cannot be told whose it is',
      'a: {image: $IMAGE}\nb: {image: "{{ .Values.image }}"}\nc: {tag: 1.2.3}\n',
      '*.image',
    ],
    [
      'the items of a list, by name where all have one of their own',
      'images:\n- {name: a, newTag: 1.2.3}\n- {name: b, newTag: 1.2.4}\n',
      'images.*.newTag',
    ],
    [
      'by their place, where two have one name',
      'list:\n- {name: a, tag: 1.2.3}\n- {name: a, tag: 1.2.4}\n',
      'list.*.tag',
    ],
    [
      'by place, where one has none',
      'list:\n- {name: a, tag: 1.2.3}\n- {tag: 1.2.4}\n- 1.2.5\n',
      'list.*.tag',
    ],
    ['no item that is not there', 'list:\n- {name: a, tag: 1.2.3}\n', 'list.1.tag'],
    ['none of two documents that nothing tells apart', 'tag: 1.2.3\n---\ntag: 1.2.4\n', 'tag'],
    ['those of all documents', 'kind: A\na: {tag: 1.2.3}\n---\nkind: B\nb: {tag: 1.2.4}\n', '*.tag'],
    ['behind a merge key: a map above it', 'x: &x {image: {tag: 1.2.3}}\na: {<<: *x}\n', 'a.image.tag'],
    ['a merge key: the second of a list', 'x: &x {a: 1}\ny: &y {tag: 1.2.3}\nb: {<<: [*x, *y]}\n', 'b.tag'],
    ['a merge within a merge', 'x: &x {tag: 1.2.3}\ny: &y {<<: *x}\nb: {<<: *y}\n', 'b.tag'],
    ['a merge that a star fills in', 'x: &x {a: {tag: 1.2.3}}\nall: {<<: *x}\n', 'all.*.tag'],
    [
      'what is merged, once where it is named itself',
      'ld: &ld {image: lightdash/lightdash:1.2.3}\nworker: {<<: *ld}\n',
      '*.image',
    ],
    [
      'none beside a merge key that brings another',
      'x: &x {tag: 1.2.3}\na: {image: {<<: *x, tag: 1.2.4}}\nb: {image: {tag: 1.2.4, <<: [*x]}}\nc: {image: {tag: 1.2.4, <<: {a: 1}}}\n',
      '*.image.tag',
    ],
    ['an alias, which is refused', 'x: &x {tag: 1.2.3}\na: *x\n', 'a.tag'],
    ['a collection', 'image: {tag: [1]}\n', 'image.tag'],
    ['a tag with a digest', `image: "lightdash/lightdash:1.2.3@${digest}"\n`, 'image'],
    ['none in a file with a line break of YAML 1.1', 'a: 1.2.3 # b\u2028a: 1.2.4\n', 'a'],
  ])('%s', async (_, text, path) => {
    expect(await foundIn({ 'values.yaml': text }, `values.yaml#${path}`)).toMatchSnapshot();
  });

  it.each<[string, Files]>([
    ['a link', { 'a.yaml': 'link' }],
    ['a submodule', { 'a.yaml': 'submodule' }],
    ['what is not merged', { 'a.yaml': 'unmerged' }],
    ['what reads like another path', { 'a.yaml': 'unnamed' }],
    ['what is too large', { 'a.yaml': `tag: 1.2.3\n#${' '.repeat(1024 * 1024 - 11)}` }],
    ['what is just not too large', { 'a.yaml': `tag: 1.2.3\n#${' '.repeat(1024 * 1024 - 13)}\n` }],
    ['what is no text', { 'a.yaml': Buffer.from([0xff]) }],
  ])('of %s', async (_, files) => {
    expect(await foundIn(files, 'a.yaml#tag')).toMatchSnapshot();
  });

  it('are not read from a .env file with a line that programs read differently', async () => {
    const text =
      'services:\n  a: {image: "lightdash/lightdash:$' +
      '{V:-1.2.3}"}\n  b: {image: "lightdash/lightdash:1.2.3"}\n';
    const files = { 'a/compose.yaml': text, 'a/.env': 'A=1\nV: 2.134.2\n' };
    const fault = 'a/.env:2: it is neither a plain NAME=value nor a comment';
    expect(await foundIn(files, 'a/compose.yaml#services.a.image')).toEqual([
      `services.a.image:2 "lightdash/lightdash:\${V:-1.2.3}" is set by the environment; ${fault}`,
    ]);
    expect(await foundIn(files, 'a/.env#V')).toEqual([`file V:undefined ${fault}`]);
    expect(await foundIn({ ...files, 'a/.env': 'export V="1.2.4" # c\n' }, 'a/.env#V')).toEqual([
      'V:1 1.2.4',
    ]);
  });

  it.each<[string, Files]>([
    ['a folder that is a link', { 'envs/prod': link('../real'), 'real/v.yaml': 'tag: 1.2.3' }],
    ['a link to the root', { 'envs/prod': link('..'), 'v.yaml': 'tag: 1.2.3' }],
    ['a link to the root, with a slash', { 'envs/prod': link('../'), 'v.yaml': 'tag: 1.2.3' }],
    ['a link out of the repository', { 'envs/prod': link('../../x') }],
    ['a link of the machine', { 'envs/prod': link('/etc/x') }],
    ['a link to a link', { 'envs/prod': link('../x'), x: link('real'), 'real/v.yaml': 'tag: 1.2.3' }],
    ['a link to a folder that has one', { 'envs/prod': link('../real'), 'real/v.yaml': link('../v.yaml') }],
    ['a folder that is a submodule', { 'envs/prod': 'submodule' }],
    ['a path that reads like another', { 'envs/prod': 'unnamed' }],
    ['no link to a folder without such a file', { 'envs/prod': link('../real'), 'real/x': '' }],
    ['no link to nothing', { 'envs/prod': link('../dist') }],
    ['no link elsewhere', { 'docs/prod': link('../..'), 'envs/a/prod': link('../..') }],
    ['no submodule elsewhere', { 'docs/prod': 'submodule', 'envs/a/prod': 'submodule' }],
  ])('are not those behind %s', async (_, files) => {
    expect(await foundIn(files, 'envs/*/v.yaml#tag')).toMatchSnapshot();
  });

  it('are those that a link leads to, where they are named too', async () => {
    const files = { 'envs/prod': link('../real'), 'real/v.yaml': 'tag: 1.2.3' };
    const named = (...texts: string[]) =>
      findPins(treeOf(files), texts.map(parsePinPattern), { tagSuffix: undefined });
    const path = 'envs/*/v.yaml#tag';
    expect((await named(path, 'real/v.yaml#tag')).map(told)).toEqual(['tag:1 1.2.3']);
    expect((await named('**/v.yaml#tag')).map(told)).toEqual(['tag:1 1.2.3']);
    expect((await named(path, 'real/v.yaml#other')).map(told)).toEqual([
      'file tag:undefined envs/prod is a link',
    ]);
  });

  it.each([
    ['git', new LightspanError('unreadable-source', 'git has no such object')],
    ['ours', new TypeError('x is not a function')],
  ])('fail with a fault of %s, which is no pin that cannot be read', async (_, fault) => {
    const broken = { ...treeOf({ 'v.yaml': '' }), read: () => Promise.reject(fault) };
    const patterns = [parsePinPattern('v.yaml#tag')];
    await expect(findPins(broken, patterns, { tagSuffix: undefined })).rejects.toBe(fault);
  });
});

describe('a pin that another file decides', () => {
  const compose = 'services: {bi: {image: "lightdash/lightdash:$TAG"}}\n';
  const pin = 'services.bi.image';
  const noTag = { 'Chart.yaml': '', 'envs/c.yaml': 'bi: {image: {tag: ""}}' };
  it.each<[string, Files, string, string[]]>([
    [
      'a variable of .env',
      { 'a/c.yaml': compose, 'a/.env': 'TAG=1.2.3', '.env': 'TAG=9.9.9' },
      `a/c.yaml#${pin}`,
      [`${pin}:1 1.2.3 lightdash/lightdash`],
    ],
    [
      'a variable, which fills in no key',
      { 'c.yaml': 'services: {$NAME: {image: "lightdash/lightdash:$TAG"}}\n', '.env': 'TAG=1.2.3\nNAME=bi' },
      'c.yaml#services.*.image',
      ['services.$NAME.image:1 1.2.3 lightdash/lightdash'],
    ],
    [
      'a variable that is nowhere',
      { 'c.yaml': compose },
      `c.yaml#${pin}`,
      [`${pin}:1 "lightdash/lightdash:$TAG" is set by the environment`],
    ],
  ])('%s', async (_, files, pattern, expected) => {
    expect(await foundIn(files, pattern)).toEqual(expected);
  });

  it.each<[string, Files, Files, boolean]>([
    ['the file itself', { 'c.yaml': compose }, { 'c.yaml': `${compose}#` }, false],
    ['nothing', { 'c.yaml': compose, '.env': 'TAG=1' }, { 'c.yaml': compose, '.env': 'TAG=1', x: '1' }, true],
    ['the variables', { 'c.yaml': compose, '.env': 'TAG=1' }, { 'c.yaml': compose, '.env': 'TAG=2' }, false],
    ['behind a link', { 'c.yaml': compose, '.env': 'link' }, { 'c.yaml': compose, '.env': 'link' }, false],
    ...['Chart.yaml', 'Chart.lock', 'requirements.yaml', 'charts/lightdash-2.6.1.tgz'].map(
      (file): [string, Files, Files, boolean] => [
        `${file}, where the tag is empty`,
        { ...noTag, [file]: 'lightdash: 2.6.1' },
        { ...noTag, [file]: 'lightdash: 2.10.1' },
        false,
      ],
    ),
    ['no submodule that stays', { 'c.yaml': 'submodule' }, { 'c.yaml': 'submodule' }, true],
    ['a chart that comes', noTag, { ...noTag, 'charts/bi.tgz': '2' }, false],
    ['no chart, where a tag is written', { 'c.yaml': 'a: 1', 'Chart.yaml': '1' }, { 'c.yaml': 'a: 1' }, true],
    ['a chart elsewhere', { ...noTag, 'x/Chart.yaml': '1', 'charts.yaml': '1' }, noTag, true],
  ])('is touched by %s', async (_, before, after, untouched) => {
    const inFile = `c.yaml#${before['c.yaml'] === compose ? pin : 'a'}`;
    const path = 'c.yaml' in before ? inFile : '*/{c,values}.yaml#bi.image.tag';
    const sides = [await find(before, path), await find(after, path)] as const;
    const [pair] = pairPins(...sides, new Map(), [parsePinPattern(path)]);
    expect(pair?.facts.untouched).toBe(untouched);
  });
});

describe('a variable of a file of them', () => {
  it.each<[string, string, string[]]>([
    ['a tag', 'X=1\nTAG=1.2.3\n', ['TAG:2 1.2.3']],
    ['an image', 'TAG=ghcr.io/a/lightdash:1.2.3\n', ['TAG:1 1.2.3 ghcr.io a/lightdash']],
    ['a tag with a digest', `TAG=1.2.3@${digest}\n`, [`TAG:1 1.2.3 ${digest}`]],
    ['not there', 'X=1.2.3\n', []],
    ['set twice', 'TAG=1.2.3\n\nTAG=1.2.3\n', ['TAG:1 it is set twice, on line 1 and on line 3']],
    ['more than a word', 'TAG="1.2.3 x"\n', ['TAG:1 its value is not a single plain word']],
    ['no version', 'TAG=latest\n', ['TAG:1 "latest" does not name a release']],
    ['empty', 'TAG=\n', ['TAG:1 it is empty']],
  ])('%s', async (_, text, expected) => {
    for (const name of ['.env', 'a/.env.prod', 'b/prod.env']) {
      expect(await foundIn({ [name]: text }, `${name}#TAG`)).toEqual(expected);
    }
  });

  it('ends in the suffix that is given, or is none', async () => {
    expect(await foundIn({ '.env': 'TAG=1.2.3-ours' }, '.env#TAG', '-ours')).toEqual(['TAG:1 1.2.3']);
    expect(await foundIn({ '.env': 'TAG=1.2.3' }, '.env#TAG', '-ours')).toEqual([
      'TAG:1 the tag "1.2.3" does not end in "-ours"',
    ]);
  });
});

describe('the pins of two sides', () => {
  const lightdash = (tag: string) => `web: {repository: lightdash/lightdash, tag: ${tag}}\n`;
  const postgres = (tag: string) => `db: {repository: postgres, tag: ${tag}}\n`;

  /** Each pair in a line: where it stands, where it stood, what it was and is, and what became of its file. */
  async function pairsOf(
    [before, after]: readonly [Files, Files],
    patterns: readonly string[],
    renamed: Record<string, string> = {},
  ): Promise<string[]> {
    const all = patterns.map(parsePinPattern);
    const side = (files: Files) => findPins(treeOf(files), all, { tagSuffix: undefined });
    const pairs = pairPins(await side(before), await side(after), new Map(Object.entries(renamed)), all);
    const what = ({ state, ...rest }: FoundPin['side']) =>
      'release' in rest ? rest.release.version : 'why' in rest ? rest.why : state;
    return pairs.map(({ place, previousFile, before, after, facts }) =>
      [
        `${place.file}#${place.path.join('.')}:${place.line}`,
        ...(previousFile === undefined ? [] : [`was ${previousFile}`]),
        `${what(before)} -> ${what(after)}`,
        ...(facts.untouched ? ['untouched'] : []),
        ...(facts.renamedTo === undefined ? [] : [`now ${facts.renamedTo}`]),
      ].join(', '),
    );
  }

  const old = { 'envs/a.yaml': 'tag: 1.2.3' };
  const one = ['envs/*.yaml#tag'];
  const star = ['v.yaml#*.tag'];
  it.each<[string, readonly [Files, Files], readonly string[], Record<string, string>?]>([
    ['stay', [old, old], one],
    ['move', [old, { 'envs/a.yaml': '#\ntag: 1.2.4' }], one],
    ['go', [old, {}], one],
    ['come', [{}, old], one],
    [
      'go to another file, which is looked at too',
      [old, { 'envs/b.yaml': 'tag: 1.2.4' }],
      one,
      { 'envs/a.yaml': 'envs/b.yaml' },
    ],
    [
      'go to a file that is not looked at',
      [old, { 'old/a.yaml': 'tag: 1.2.3' }],
      one,
      { 'envs/a.yaml': 'old/a.yaml' },
    ],
    [
      'go out of a file that is renamed, and looked at under both names',
      [old, { 'envs/b.yaml': 'other: 1' }],
      one,
      { 'envs/a.yaml': 'envs/b.yaml' },
    ],
    [
      'are told without those of other programs',
      [
        { 'v.yaml': lightdash('1.2.3') + postgres('16.0.1') },
        { 'v.yaml': lightdash('1.2.4') + postgres('17.0.1') },
      ],
      star,
    ],
    ['are none where another program comes', [{}, { 'v.yaml': postgres('16.0.1') }], star],
    ['are none where another program goes', [{ 'v.yaml': postgres('16.0.1') }, {}], star],
    [
      'are told where another program takes the place',
      [{ 'v.yaml': lightdash('1.2.3') }, { 'v.yaml': postgres('16.0.1').replace('db', 'web') }],
      star,
    ],
    [
      'are those that are named, whatever a star leads to',
      [{ 'v.yaml': postgres('16.0.1') }, { 'v.yaml': postgres('17.0.1') }],
      ['v.yaml#*.tag', 'v.yaml#db.tag'],
    ],
    [
      'are those that are named, whatever a star leads to, in another order',
      [{ 'v.yaml': postgres('16.0.1') }, { 'v.yaml': postgres('17.0.1') }],
      ['v.yaml#db.tag', 'v.yaml#*.tag'],
    ],
    [
      'are one where a file cannot be read any more',
      [{ 'v.yaml': 'a: {tag: 1.2.3}\nb: {tag: 1.2.3}\n' }, { 'v.yaml': 'link' }],
      star,
    ],
    [
      'are one where a file could not be read, and the others stay',
      [
        { 'v.yaml': 'link', 'w.yaml': 'tag: 1.2.3' },
        { 'v.yaml': 'a: {tag: 1.2.3}\n', 'w.yaml': 'tag: 1.2.4' },
      ],
      [...star, 'w.yaml#tag'],
    ],
  ])('%s', async (_, sides, patterns, moves) => {
    expect((await pairsOf(sides, patterns, moves)).sort()).toMatchSnapshot();
  });
});
