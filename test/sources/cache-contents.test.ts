import {
  chmodSync,
  chownSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { openCache } from '../../src/sources/cache.js';
import { cacheContents, clearCache } from '../../src/sources/cache-contents.js';
import { nameAsideOf } from '../../src/sources/write-file.js';
import { folderOfAll, temporaryFolder } from '../support/temporary-folder.js';

const response = {
  address: 'https://example.org/a',
  redirected: false,
  requestedAt: 1,
  answeredAt: 2,
  headers: {},
};
const keep = (folder: string, url: string) =>
  openCache(folder).write(url, { response, body: Buffer.from('{"a":1}') });
const hex = 'ab'.repeat(32);
const aside = basename(nameAsideOf('cd'.repeat(32)));

let folder = '';
let entry = '';
beforeEach(() => {
  folder = join(temporaryFolder(), 'cache');
  keep(folder, 'https://example.org/a');
  entry = join(folder, readdirSync(folder)[0] ?? '');
});

describe('the contents of a cache', () => {
  it('are what the cache has written', () => {
    keep(folder, 'https://example.org/b');
    // What Node keeps of the program is no other's.
    mkdirSync(join(folder, 'compiled'));
    const { own, others } = cacheContents(folder);
    expect({ files: own.length, others }).toEqual({ files: 2, others: 0 });
    for (const { path, bytes } of own) expect(bytes).toBe(lstatSync(path).size);
    expect(clearCache(folder).own).toHaveLength(2);
    expect(readdirSync(folder)).toEqual(['compiled']);
    expect(clearCache(folder)).toEqual({ own: [], others: 0 });
  });

  it('are none where there is no folder', () => {
    expect(clearCache(join(folder, 'none'))).toEqual({ own: [], others: 0 });
  });

  it('hold what was left half-written', () => {
    writeFileSync(join(folder, aside), '');
    expect(clearCache(folder).own).toHaveLength(2);
    expect(readdirSync(folder)).toEqual([]);
  });

  it.each<[what: string, make: (outside: string) => void]>([
    ['a file of another name', () => writeFileSync(join(folder, 'notes.txt'), readFileSync(entry))],
    ['a longer name', () => writeFileSync(join(folder, `${hex}0`), readFileSync(entry))],
    ['a file of such a name, as a registry of images has them', () => writeFileSync(join(folder, hex), '{}')],
    ['an empty file of such a name', () => writeFileSync(join(folder, hex), '')],
    ['a link of such a name to an entry', (outside) => symlinkSync(outside, join(folder, hex))],
    ['a link of the name of one half-written', (outside) => symlinkSync(outside, join(folder, aside))],
    ['a link that leads nowhere', () => symlinkSync('nowhere', join(folder, hex))],
    ['a folder of such a name', () => mkdirSync(join(folder, hex))],
    [
      'a folder with an entry in it',
      () => {
        mkdirSync(join(folder, 'saved'));
        writeFileSync(join(folder, 'saved', hex), readFileSync(entry));
      },
    ],
  ])('leave alone %s', (_, make) => {
    const outside = join(temporaryFolder(), hex);
    linkSync(entry, outside);
    make(outside);
    const { own, others } = clearCache(folder);
    expect({ own: own.map(({ path }) => path), others }).toEqual({ own: [entry], others: 1 });
    expect(readdirSync(folder)).toHaveLength(1);
    expect(existsSync(outside)).toBe(true);
    if (existsSync(join(folder, 'compiled'))) expect(readdirSync(join(folder, 'compiled'))).toEqual([hex]);
  });

  it('are not looked for behind a link, or in a file', () => {
    const link = join(temporaryFolder(), 'link');
    symlinkSync(folder, link);
    for (const [path, what] of [
      [link, 'it is a link, which is not followed'],
      [entry, 'it is not a folder'],
      [join(entry, 'within'), 'a part of its path is a file, not a folder'],
    ] as const) {
      for (const look of [clearCache, cacheContents]) {
        expect(() => look(path)).toThrow(
          expect.objectContaining({
            code: 'unreadable-source',
            message: `the cache folder ${path}: ${what}`,
            hint: 'Set LIGHTSPAN_CACHE_DIR to use another one.',
          }),
        );
      }
    }
    expect(existsSync(entry)).toBe(true);
  });

  it.runIf(process.platform !== 'win32').each<[count: number, others: string, mode: number]>([
    [1, '', 0o555],
    [3, ', and 2 more', 0o555],
    // Only their owner, or that of the folder, may remove them: another error than without the right to write.
    ...(process.getuid?.() === 0 ? [[1, '', 0o1777] satisfies [number, string, number]] : []),
  ])('may not let themselves be removed: %d%s, in a folder of mode %o', (count, others, mode) => {
    const above = folderOfAll();
    chmodSync(above, 0o711);
    folder = join(above, 'cache');
    for (let i = 0; i < count; i += 1) keep(folder, `https://example.org/${i}`);
    const entries = readdirSync(folder).map((name) => join(folder, name));
    for (const path of entries) chmodSync(path, 0o444);
    chmodSync(folder, mode);
    // Root may do what it may not; its files stay its own.
    const isRoot = process.geteuid?.() === 0;
    if (isRoot) process.seteuid?.(1234);
    try {
      expect(() => clearCache(folder)).toThrow(
        expect.objectContaining({
          code: 'unwritable-output',
          message: `cannot remove ${entries[0]}: permission denied${others}`,
        }),
      );
    } finally {
      if (isRoot) process.seteuid?.(0);
      chmodSync(folder, 0o755);
    }
    expect(clearCache(folder).own).toHaveLength(count);
    expect(readdirSync(folder)).toEqual([]);
  });

  it.runIf(process.getuid?.() === 0)("are none of another user's", () => {
    chownSync(entry, 1234, 1234);
    expect(cacheContents(folder)).toEqual({ own: [], others: 1 });
    clearCache(folder);
    expect(existsSync(entry)).toBe(true);
  });

  it.runIf(process.platform === 'linux')('are left closed', () => {
    const openFiles = () => readdirSync('/proc/self/fd').length;
    const before = openFiles();
    cacheContents(folder);
    expect(openFiles()).toBe(before);
  });
});
