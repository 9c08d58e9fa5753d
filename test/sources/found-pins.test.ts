import { describe, expect, it } from 'vitest';
import { LightspanError } from '../../src/errors.js';
import { findPins } from '../../src/sources/found-pins.js';
import { parsePinPattern } from '../../src/sources/pin-pattern.js';
import type { TreeFile } from '../../src/sources/pin-tree.js';

const patterns = [parsePinPattern('values.yaml#image.tag')];
const giveFrom = 'Pin one exact release that stands in the file.';

const pinsOf = (kind: TreeFile['kind'], read: () => Uint8Array | Promise<Uint8Array>) =>
  findPins(
    { files: new Map([['values.yaml', { id: '1', kind }]]), read: async () => await read() },
    patterns,
    { tagSuffix: undefined },
  );
const bytes = (text: string) => () => Buffer.from(text);

describe('a file that is no text of a file', () => {
  it.each<[string, TreeFile['kind'], () => Uint8Array, why: string, hint: string]>([
    ['a link', 'link', bytes(''), 'is a link', 'Name the file that it leads to.'],
    ['a submodule', 'submodule', bytes(''), 'is a submodule', 'Run this in the repository that it is.'],
    ['a conflict', 'unmerged', bytes(''), 'is not merged', 'Resolve the conflict, and stage the file.'],
    ['one too large', 'file', () => Buffer.alloc(1_048_577, ' '), 'is larger than 1048576 bytes', giveFrom],
    ['other bytes', 'file', () => Buffer.from([0xff]), 'is not UTF-8 text', giveFrom],
  ])('%s is one pin that cannot be read', async (_, kind, read, why, hint) => {
    expect(await pinsOf(kind, read)).toMatchObject([
      {
        ...{ file: 'values.yaml', id: 'image.tag', line: undefined, isOther: false, isWholeFile: true },
        side: { state: 'unreadable', why: `values.yaml ${why}`, hint },
      },
    ]);
  });

  it('of 1 MiB is read', async () => {
    const text = 'image: {tag: 1.2.3}\n';
    expect(await pinsOf('file', bytes(text.padEnd(1_048_576)))).toMatchObject([
      { side: { state: 'pinned' } },
    ]);
  });
});

it.each([
  ['a fault of git', new LightspanError('unreadable-source', 'git has no such object')],
  ['a fault of ours', new TypeError('x is not a function')],
])('%s is no pin that cannot be read', async (_, fault) => {
  await expect(pinsOf('file', () => Promise.reject(fault))).rejects.toBe(fault);
});
