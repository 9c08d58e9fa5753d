import { spawn } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { openCache } from '../../src/sources/cache.js';
import { sha256 } from '../../src/sources/sha256.js';
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

const refused = { kind: 'refused', reason: 'it is damaged, or was not written by this lightspan' };

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
    const asideOf = (digit: string) =>
      `.${digit.repeat(64)}.lightspan-6f1c1f5e-9d0e-4b6e-8a52-6f6f2b1f0f11.tmp`;
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
        expect(cache.read(url)).toEqual(refused);
      }),
      // What stands between the digest and what it is of.
      { examples: [[64, 0]] },
    );
  });

  it('refuses an entry cut off anywhere', () => {
    const cache = openCache(folder);
    cache.write(url, entry);
    const whole = readFileSync(onlyFile());
    for (let length = 0; length < whole.length; length += 1) {
      writeFileSync(onlyFile(), whole.subarray(0, length));
      expect(cache.read(url)).toEqual(refused);
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
    expect(cache.read('https://example.org/other')).toEqual(refused);
  });

  it('refuses an entry of another format, whole as it is', () => {
    const cache = openCache(folder);
    cache.write(url, entry);
    const [, ...rest] = readFileSync(onlyFile(), 'latin1').replace('lightspan-cache-1', 'x').split('\n');
    const other = Buffer.from(rest.join('\n'), 'latin1');
    writeFileSync(onlyFile(), Buffer.concat([Buffer.from(`${sha256(other)}\n`), other]));
    expect(cache.read(url)).toEqual(refused);
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

  it('keeps addresses apart that differ in their query alone', () => {
    const cache = openCache(folder);
    const signed = (signature: string) => `https://example.org/index.json?sig=${signature}`;
    cache.write(signed('a'), entry);
    expect(cache.read(signed('a'))).toMatchObject({ kind: 'hit' });
    expect(cache.read(signed('b'))).toEqual({ kind: 'miss' });
    expect(cache.read('https://example.org/index.json')).toEqual({ kind: 'miss' });
  });

  it('refuses an entry that is larger than may be read', () => {
    const cache = openCache(folder);
    cache.write(url, { ...entry, body: Buffer.alloc(100_000) });
    expect(cache.read(url, 100_000)).toMatchObject({ kind: 'hit' });
    expect(cache.read(url, 10_000)).toEqual({ kind: 'refused', reason: 'it is larger than 10000 bytes' });
  });

  it('counts the body alone, however long the address it came from', () => {
    const address = `https://example.org/${'a'.repeat(8000)}`;
    const long = { response: { ...entry.response, address }, body: Buffer.alloc(10) };
    openCache(folder).write(address, long);
    expect(openCache(folder).read(address, 10)).toEqual({ kind: 'hit', entry: long });
  });

  it.skipIf(process.platform === 'win32')('refuses a link, even to an entry of ours, and replaces it', () => {
    const cache = openCache(folder);
    cache.write(url, entry);
    const name = onlyFile();
    const elsewhere = join(temporaryFolder(), 'entry');
    renameSync(name, elsewhere);
    symlinkSync(elsewhere, name);
    expect(cache.read(url)).toEqual({ kind: 'refused', reason: 'it is a link' });
    cache.write(url, { ...entry, body: Buffer.from('newer') });
    expect(cache.read(url)).toMatchObject({ kind: 'hit', entry: { body: Buffer.from('newer') } });
    expect(readFileSync(elsewhere).includes('newer')).toBe(false);
  });
});

describe.skipIf(process.getuid?.() !== 0)('what another user may have had a hand in', () => {
  const other = 4242;

  it("an entry that is another user's is refused", () => {
    const cache = openCache(folder);
    cache.write(url, entry);
    chownSync(onlyFile(), other, other);
    expect(cache.read(url)).toEqual({ kind: 'refused', reason: 'another user owns it or may write it' });
  });

  const above = () => join(folder, '..');
  it.each<[string, () => void, RegExp | undefined]>([
    ['a folder of ours', () => {}, undefined],
    ['that all may write', () => chmodSync(folder, 0o777), /^others may write \S+cache /],
    ['that all may write, but not remove', () => chmodSync(folder, 0o1777), /^others may write \S+cache /],
    ['that its group may write', () => chmodSync(folder, 0o770), /^others may write \S+cache /],
    ['of another user', () => chownSync(folder, other, other), /cache belongs to another user/],
    ['in a folder that all may write', () => chmodSync(above(), 0o777), /^others may write \S+folder-\S+ /],
    ['in a folder that all may write, but not remove', () => chmodSync(above(), 0o1777), undefined],
    [
      'in a folder of another user',
      () => chownSync(above(), other, other),
      /folder-\S+ belongs to another user/,
    ],
  ])('a cache folder %s', (_, change, message) => {
    const cache = openCache(folder);
    cache.write(url, entry);
    change();
    const lookup = cache.read(url);
    if (message === undefined) {
      expect(lookup).toMatchObject({ kind: 'hit' });
      cache.write(url, entry);
    } else {
      expect(lookup).toEqual({ kind: 'unusable', reason: expect.stringMatching(message) });
      expect(() => cache.write(url, entry)).toThrow(message);
    }
  });

  it('in a race: an entry swapped for a forged one is never read', async () => {
    const cache = openCache(folder);
    cache.write(url, { ...entry, body: Buffer.from('red') });
    const place = onlyFile();
    const ours = join(above(), 'ours');
    const forged = join(above(), 'forged');
    renameSync(place, ours);
    cache.write(url, { ...entry, body: Buffer.from('green') });
    renameSync(place, forged);
    chownSync(forged, other, other);
    // Now a link to an entry of ours, now the forged entry itself.
    const swap = `
      const { symlinkSync, copyFileSync, chownSync, renameSync } = require('node:fs');
      const [ours, forged, place] = process.argv.slice(1);
      for (let i = 0; ; i += 1) {
        symlinkSync(ours, place + '.link');
        renameSync(place + '.link', place);
        copyFileSync(forged, place + '.copy');
        chownSync(place + '.copy', ${other}, ${other});
        renameSync(place + '.copy', place);
      }`;
    const swapper = spawn(process.execPath, ['-e', swap, ours, forged, place], { stdio: 'ignore' });
    onTestFinished(() => {
      swapper.kill('SIGKILL');
    });
    await expect.poll(() => existsSync(place), { timeout: 15_000 }).toBe(true);
    const seen = new Set<string>();
    const until = performance.now() + 3000;
    while (performance.now() < until) {
      const lookup = cache.read(url);
      seen.add(lookup.kind === 'hit' ? lookup.entry.body.toString() : JSON.stringify(lookup));
    }
    expect([...seen].sort()).toEqual([
      '{"kind":"refused","reason":"another user owns it or may write it"}',
      '{"kind":"refused","reason":"it is a link"}',
    ]);
  });
});
