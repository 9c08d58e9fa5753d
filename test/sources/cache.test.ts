import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { openCache } from '../../src/sources/cache.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const url = 'https://user:secret@example.org/index.json';
const entry = {
  response: {
    address: 'https://example.org/index.json',
    redirected: false,
    requestedAt: 1,
    answeredAt: 2,
    headers: { etag: '"a"' },
  },
  body: Buffer.from('{"schemaVersion":"1"}\n\n'),
};

let folder = '';
beforeEach(() => {
  folder = join(temporaryFolder(), 'cache');
});

const files = () => readdirSync(folder).map((name) => join(folder, name));
const onlyFile = () => files()[0] ?? expect.fail('nothing is cached');

describe('the cache', () => {
  it('gives back what it was given', () => {
    openCache(folder).write(url, entry);
    expect(openCache(folder).read(url)).toEqual({ kind: 'hit', entry });
  });

  it.skipIf(process.platform === 'win32')('is readable by its owner only, and keeps no password', () => {
    openCache(folder).write(url, entry);
    expect([statSync(folder).mode & 0o777, statSync(onlyFile()).mode & 0o777]).toEqual([0o700, 0o600]);
    expect(readFileSync(onlyFile(), 'latin1') + onlyFile()).not.toMatch(/secret/);
  });

  it('replaces an entry, and leaves nothing else behind', () => {
    const cache = openCache(folder);
    cache.write(url, { ...entry, body: Buffer.from('older') });
    cache.write(url, entry);
    expect(files()).toHaveLength(1);
    expect(cache.read(url)).toEqual({ kind: 'hit', entry });
  });

  it('removes what a process left that was killed while it wrote, a day later', () => {
    mkdirSync(folder, { mode: 0o700 });
    const asideOf = (digit: string) => `${digit.repeat(64)}.6f1c1f5e-9d0e-4b6e-8a52-6f6f2b1f0f11.tmp`;
    const now = Date.now();
    const hoursAgo = (name: string, hours: number) => {
      writeFileSync(join(folder, name), 'half');
      utimesSync(join(folder, name), new Date(now), new Date(now - hours * 3_600_000));
    };
    hoursAgo(asideOf('a'), 25);
    hoursAgo(asideOf('b'), 23);
    hoursAgo('not-ours.tmp', 25);
    openCache(folder).write(url, { ...entry, response: { ...entry.response, answeredAt: now } });
    const left = readdirSync(folder).filter((name) => name.endsWith('.tmp'));
    expect(left.sort()).toEqual([asideOf('b'), 'not-ours.tmp']);
  });

  it('misses what it has not', () => {
    expect(openCache(folder).read(url)).toEqual({ kind: 'miss' });
    openCache(folder).write(url, entry);
    expect(openCache(folder).read('https://example.org/index.json')).toEqual({ kind: 'miss' });
  });

  it('refuses an entry with any one bit flipped', () => {
    const cache = openCache(folder);
    cache.write(url, entry);
    const whole = readFileSync(onlyFile());
    fc.assert(
      fc.property(fc.nat({ max: whole.length - 1 }), fc.nat({ max: 7 }), (at, bit) => {
        const flipped = Buffer.from(whole);
        flipped.writeUInt8(flipped.readUInt8(at) ^ (1 << bit), at);
        writeFileSync(onlyFile(), flipped);
        expect(cache.read(url)).toMatchObject({ kind: 'refused' });
      }),
    );
  });

  it('refuses an entry cut off anywhere', () => {
    const cache = openCache(folder);
    cache.write(url, entry);
    const whole = readFileSync(onlyFile());
    for (let length = 0; length < whole.length; length += 1) {
      writeFileSync(onlyFile(), whole.subarray(0, length));
      expect(cache.read(url)).toMatchObject({ kind: 'refused' });
    }
  });

  it('refuses the entry of another address', () => {
    const cache = openCache(folder);
    cache.write(url, entry);
    const name = onlyFile();
    const ours = readFileSync(name);
    rmSync(name);
    cache.write('https://example.org/other', entry);
    writeFileSync(onlyFile(), ours);
    expect(cache.read('https://example.org/other')).toMatchObject({ kind: 'refused' });
  });

  it('refuses what is no file', () => {
    const cache = openCache(folder);
    cache.write(url, entry);
    const name = onlyFile();
    rmSync(name);
    mkdirSync(name);
    expect(cache.read(url)).toMatchObject({ kind: 'refused', reason: 'it is not a file' });
    expect(() => cache.write(url, entry)).toThrow();
    expect(files()).toEqual([name]);
  });

  it.skipIf(process.platform === 'win32')('refuses what others may have written', () => {
    const cache = openCache(folder);
    cache.write(url, entry);
    chmodSync(onlyFile(), 0o660);
    expect(cache.read(url)).toMatchObject({
      kind: 'refused',
      reason: expect.stringContaining('another user'),
    });
  });
});
