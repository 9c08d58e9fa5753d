import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { openNewFile, removeLeftovers, removeUnfinished } from '../../../src/gather/files/write-file.js';
import { folderOfAll, temporaryFolder } from '../../support/temporary-folder.js';

let folder: string;
let path: string;
beforeEach(() => {
  folder = realpathSync(temporaryFolder());
  path = join(folder, 'a.json');
});
const modeOf = (of: string) => lstatSync(of).mode & 0o7777;
const aside = () => readdirSync(folder).filter((name) => name.endsWith('.tmp'));
const openFiles = () => readdirSync('/proc/self/fd').length;

describe('a file', () => {
  it.each([undefined, 'before'])('appears whole where there was %j', async (before) => {
    if (before !== undefined) writeFileSync(path, before);
    const file = openNewFile(path);
    file.write('a');
    file.write(Buffer.from('b'));
    await file.sync();
    expect(file.folder).toBe(folder);
    expect(aside().map((name) => modeOf(join(folder, name)))).toEqual([0o600]);
    file.commit();
    expect(readdirSync(folder)).toEqual(['a.json']);
    expect(readFileSync(path, 'utf8')).toBe('ab');
    expect(modeOf(path)).toBe(0o666 & ~process.umask());
    file.abandon();
    expect(readFileSync(path, 'utf8')).toBe('ab');
  });

  it('that is given up leaves the existing file', () => {
    writeFileSync(path, 'before');
    const file = openNewFile(path);
    file.write('a');
    file.abandon();
    file.abandon();
    expect(readdirSync(folder)).toEqual(['a.json']);
    expect(readFileSync(path, 'utf8')).toBe('before');
  });

  it.runIf(process.platform === 'linux')('is closed, however it ends', () => {
    const before = openFiles();
    openNewFile(path).commit();
    openNewFile(path).abandon();
    expect(openFiles()).toBe(before);
  });

  it('is removed where the process is interrupted, and only until it ended', () => {
    openNewFile(path).write('a');
    const [name = ''] = aside();
    const other = openNewFile(join(folder, 'b.json'));
    other.commit();
    removeUnfinished();
    expect(readdirSync(folder)).toEqual(['b.json']);
    expect(name).toMatch(/^\.a\.json\.lightspan-/);
    // Another file may have the name by then.
    const given = openNewFile(path);
    const [again = ''] = aside();
    given.abandon();
    writeFileSync(join(folder, again), 'theirs');
    removeUnfinished();
    expect(readdirSync(folder).toSorted()).toEqual([again, 'b.json']);
  });

  it.each([0o600, 0o640, 0o444, 0o755])('keeps mode %o', (mode) => {
    writeFileSync(path, 'before');
    chmodSync(path, mode);
    openNewFile(path).commit();
    expect(modeOf(path)).toBe(mode);
  });

  it.runIf(process.getuid?.() === 0).each([
    [1234, 0],
    [0, 1234],
    [1234, 1234],
  ])('keeps its owner %d and its group %d', async (uid, gid) => {
    const { chownSync } = await import('node:fs');
    writeFileSync(path, 'before');
    chownSync(path, uid, gid);
    openNewFile(path).commit();
    expect(statSync(path)).toMatchObject({ uid, gid });
  });

  it.runIf(process.getuid?.() === 0)('cannot be kept for another user, and leaves nothing', () => {
    const shared = folderOfAll();
    const theirs = join(shared, 'a.json');
    writeFileSync(theirs, 'theirs');
    process.seteuid?.(1234);
    try {
      expect(() => openNewFile(theirs)).toThrow(expect.objectContaining({ code: 'EPERM' }));
    } finally {
      process.seteuid?.(0);
    }
    expect(readdirSync(shared)).toEqual(['a.json']);
    expect(readFileSync(theirs, 'utf8')).toBe('theirs');
  });

  it.each([
    ['a link', ['a.json -> below/b.json'], true],
    ['a link to a link', ['a.json -> c', 'c -> below/b.json'], true],
    ['a link to what is not there yet', ['a.json -> below/b.json'], false],
    ['a link through a link to what is not there yet', ['a.json -> c', 'c -> below/b.json'], false],
    ['a link by way of a linked folder', ['a.json -> d/b.json', 'd -> below'], false],
  ])('is written through %s, of which the folder is told', (_, links, isThere) => {
    mkdirSync(join(folder, 'below'));
    if (isThere) writeFileSync(join(folder, 'below', 'b.json'), 'before');
    const pairs = links.map((link) => link.split(' -> ') as [string, string]);
    for (const [name, to] of pairs) symlinkSync(to, join(folder, name));
    const file = openNewFile(path);
    file.write('through');
    expect(realpathSync(file.folder)).toBe(join(folder, 'below'));
    file.commit();
    for (const [name, to] of pairs) expect(readlinkSync(join(folder, name))).toBe(to);
    expect(lstatSync(join(folder, 'below', 'b.json')).isFile()).toBe(true);
    expect(readFileSync(join(folder, 'below', 'b.json'), 'utf8')).toBe('through');
    expect(readdirSync(join(folder, 'below'))).toEqual(['b.json']);
  });

  it('cannot replace what is no file, nor lie in a missing folder', () => {
    mkdirSync(path);
    expect(() => openNewFile(path)).toThrow('it is not a file that can be replaced');
    expect(() => openNewFile(join(folder, 'none', 'a'))).toThrow(expect.objectContaining({ code: 'ENOENT' }));
    symlinkSync('loop', join(folder, 'loop'));
    expect(() => openNewFile(join(folder, 'loop'))).toThrow(expect.objectContaining({ code: 'ELOOP' }));
    expect(readdirSync(folder).toSorted()).toEqual(['a.json', 'loop']);
  });

  it.skipIf(process.platform === 'win32')('cannot take the place of a pipe, also behind a link', () => {
    execFileSync('mkfifo', [path]);
    symlinkSync(path, join(folder, 'link'));
    for (const name of [path, join(folder, 'link')]) {
      expect(() => openNewFile(name)).toThrow('it is not a file that can be replaced');
    }
    expect(readdirSync(folder).toSorted()).toEqual(['a.json', 'link']);
  });
});

it('removes what was left a day ago, and nothing else', () => {
  const now = Date.now();
  const id = '01234567-89ab-cdef-0123-456789abcdef';
  const leave = (name: string, seconds: number) => {
    writeFileSync(join(folder, name), '');
    utimesSync(join(folder, name), now / 1000 - seconds, now / 1000 - seconds);
    return name;
  };
  const old = leave(`.a.json.lightspan-${id}.tmp`, 86_401);
  const kept = [
    leave(`.b.json.lightspan-${id}.tmp`, 86_399),
    ...['other', `.a.json.lightspan-${id.slice(1)}.tmp`, `.a.json.other-${id}.tmp`].map((name) =>
      leave(name, 86_500),
    ),
  ];
  mkdirSync(join(folder, `.d.json.lightspan-${id}.tmp`));
  symlinkSync(old, join(folder, `.e.json.lightspan-${id}.tmp`));
  const removed: string[] = [];
  removeLeftovers(folder, now, (path) => removed.push(path));
  expect(removed).toEqual([join(folder, old)]);
  expect(readdirSync(folder).toSorted()).toEqual(
    [...kept, `.d.json.lightspan-${id}.tmp`, `.e.json.lightspan-${id}.tmp`].toSorted(),
  );
});
