import { statSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { parseVersion } from '../../../src/core/version.js';
import { sha256 } from '../../../src/gather/files/sha256.js';
import type { ArtifactSource } from '../../../src/gather/publisher/artifacts.js';
import { openMirror } from '../../../src/gather/publisher/mirror.js';
import { writeMirror } from '../../../src/gather/publisher/write-mirror.js';
import { realArtifactText, soundArtifactText } from '../../support/artifacts.js';
import { realIndexText } from '../../support/real-index.js';
import { checkSums } from '../../support/sha256sum.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const maxBytes = 64 * 1024 ** 2;
const now = new Date('2026-09-06T19:08:42Z');
let folder: string;
let removed: string[];
beforeEach(() => {
  removed = [];
  folder = join(temporaryFolder(), 'mirror');
});

/** Artifacts from memory; remembers what was asked for. */
function sourceOf(
  artifacts: Readonly<Record<string, string>>,
): ArtifactSource & { readonly asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    locate: (version) => `memory/${version}`,
    read: async (version) => {
      asked.push(version);
      const text = artifacts[version];
      return text === undefined ? undefined : { bytes: Buffer.from(text) };
    },
  };
}

const all = Object.fromEntries(
  ['1.0.0', '1.1.0', '1.2.0'].map((version) => [version, soundArtifactText(version)]),
);

const write = (
  versions: readonly string[],
  source: ArtifactSource,
  index = realIndexText,
  knownIssues = '{}',
) =>
  writeMirror({
    onRemoved: (path) => removed.push(path),
    folder,
    index: Buffer.from(index),
    knownIssues: () => knownIssues,
    versions: versions.map(parseVersion),
    source,
    maxBytes,
    now,
  });

describe('a mirror', () => {
  it('is what sha256sum accepts, and what is read again', async () => {
    const source = sourceOf({ ...all, '1.121.0': realArtifactText('1.121.0') });
    const written = await write(['1.0.0', '1.1.0', '1.121.0'], source);
    expect(written).toMatchObject({ artifacts: 3, fetched: 3 });
    await checkSums(folder);
    expect((await readdir(folder)).sort()).toEqual([
      'SHA256SUMS',
      'artifacts',
      'known-issues.json',
      'release-safety-index.json',
    ]);
    const sums = (await readFile(join(folder, 'SHA256SUMS'), 'utf8')).trim().split('\n');
    expect(sums.map((line) => line.slice(66))).toEqual([
      'artifacts/1.0.0.json',
      'artifacts/1.1.0.json',
      'artifacts/1.121.0.json',
      'known-issues.json',
      'release-safety-index.json',
    ]);
    const text = await (await openMirror(folder, maxBytes)).read('artifacts/1.121.0.json');
    expect(Buffer.from(text ?? '').toString()).toBe(realArtifactText('1.121.0'));
  });

  it('is brought up to date: only what is new is fetched, what it held stays', async () => {
    await write(['1.0.0', '1.1.0'], sourceOf(all));
    const source = sourceOf(all);
    expect(await write(['1.1.0', '1.2.0'], source, `${realIndexText} `)).toMatchObject({
      artifacts: 3,
      fetched: 1,
    });
    expect(source.asked).toEqual(['1.2.0']);
    await checkSums(folder);
    expect(await readFile(join(folder, 'release-safety-index.json'), 'utf8')).toBe(`${realIndexText} `);
  });

  it('is healed where a file was altered or lost', async () => {
    await write(['1.0.0', '1.1.0', '1.2.0'], sourceOf(all));
    await writeFile(join(folder, 'artifacts/1.0.0.json'), '{}');
    await rm(join(folder, 'artifacts/1.1.0.json'));
    await writeFile(join(folder, 'release-safety-index.json'), '{}');
    const source = sourceOf(all);
    await write(['1.0.0', '1.1.0', '1.2.0'], source);
    expect(source.asked.sort()).toEqual(['1.0.0', '1.1.0']);
    await checkSums(folder);
  });

  it('holds all that was available, and names the rest', async () => {
    const source = sourceOf({ ...all, '1.3.1': soundArtifactText('1.3.10'), '1.5.0': '<html>' });
    const { artifacts, faults } = await write(['1.0.0', '1.3.1', '1.5.0', '1.6.0'], source);
    expect(artifacts).toBe(1);
    const names = [...faults].map(([version, { kind, message }]) => [version, kind, message]);
    expect(names.sort()).toEqual([
      ['1.3.1', 'invalid-artifact', 'memory/1.3.1 is the artifact of 1.3.10'],
      ['1.5.0', 'invalid-artifact', expect.stringContaining('memory/1.5.0')],
      ['1.6.0', 'missing-artifact', 'there is none at memory/1.6.0'],
    ]);
    await openMirror(folder, maxBytes);
  });

  it('is the last one where the source breaks in the middle', async () => {
    await write(['1.0.0'], sourceOf(all));
    const broken: ArtifactSource = {
      ...sourceOf(all),
      read: async (version) => {
        if (version === '1.2.0') throw new Error('the wire was cut');
        return { bytes: Buffer.from(soundArtifactText(version)) };
      },
    };
    await expect(write(['1.1.0', '1.2.0'], broken, `${realIndexText} `)).rejects.toThrow('the wire was cut');
    const mirror = await openMirror(folder, maxBytes);
    expect([...mirror.sums.keys()].sort()).toEqual([
      'artifacts/1.0.0.json',
      'known-issues.json',
      'release-safety-index.json',
    ]);
    expect(await readFile(join(folder, 'release-safety-index.json'), 'utf8')).toBe(realIndexText);
  });

  it('whose run was killed between two renames is refused, and keeps its known issues', async () => {
    await write([], sourceOf({}), realIndexText, 'old');
    await writeFile(join(folder, 'known-issues.json'), 'new');
    await expect(openMirror(folder, maxBytes)).rejects.toMatchObject({ code: 'untrusted-mirror' });
    await expect(write([], sourceOf({}), realIndexText, 'newest')).rejects.toMatchObject({
      code: 'untrusted-mirror',
    });
    expect(await readFile(join(folder, 'known-issues.json'), 'utf8')).toBe('new');
  });

  it.each<[string, (lock: string) => Promise<unknown>, number, boolean]>([
    ['of another process', mkdir, 59, false],
    ['that was not touched for a minute', mkdir, 61, true],
  ])('with a lock %s', async (_, make, seconds, isRemoved) => {
    const lock = join(folder, '.lightspan-lock');
    await mkdir(folder);
    await make(lock);
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => {
      vi.useRealTimers();
    });
    const then = new Date(Date.now() - seconds * 1000);
    await utimes(lock, then, then);
    if (isRemoved) {
      await write([], sourceOf({}));
      expect(removed).toEqual([lock]);
      expect(await readdir(folder)).not.toContain('.lightspan-lock');
      return;
    }
    await expect(write([], sourceOf({}))).rejects.toMatchObject({
      code: 'unwritable-output',
      message: `the mirror ${folder} is being written by another process`,
    });
    expect(removed).toEqual([]);
    expect((await readdir(folder)).sort()).toEqual(['.lightspan-lock']);
  });

  it('touches its lock as long as it is written', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => {
      vi.useRealTimers();
    });
    const lock = join(folder, '.lightspan-lock');
    const slow: ArtifactSource = {
      ...sourceOf(all),
      read: async () => {
        await utimes(lock, new Date(0), new Date(0));
        vi.advanceTimersByTime(5000);
        expect(Date.now() - statSync(lock).mtimeMs).toBeLessThan(30_000);
        return { bytes: Buffer.from(soundArtifactText('1.0.0')) };
      },
    };
    expect(await write(['1.0.0'], slow)).toMatchObject({ artifacts: 1 });
    expect(vi.getTimerCount()).toBe(0);
  });

  it('loses only what a run that was killed left, a day later', async () => {
    await write(['1.0.0'], sourceOf(all));
    const aside = '.SHA256SUMS.lightspan-aaaaaaaa-9d0e-4b6e-8a52-6f6f2b1f0f11.tmp';
    const old = new Date(now.getTime() - 25 * 3_600_000);
    const before = await readdir(folder, { recursive: true });
    for (const name of ['notes', aside, join('artifacts', aside)]) {
      await writeFile(join(folder, name), 'half');
      await utimes(join(folder, name), old, old);
    }
    await write(['1.0.0'], sourceOf(all));
    expect(removed).toEqual([join(folder, aside), join(folder, 'artifacts', aside)]);
    expect((await readdir(folder, { recursive: true })).sort()).toEqual([...before, 'notes'].sort());
  });

  const sum = `${'0'.repeat(64)}  `;
  const ofIndex = `${sha256(Buffer.from('{}'))}  release-safety-index.json\n`;
  it.each<[files: Readonly<Record<string, string>>, other: string | undefined]>([
    [{}, undefined],
    [{ 'artifacts/1.0.0.json': '' }, undefined],
    [{ 'release-safety-index.json': '{}', SHA256SUMS: ofIndex, 'notes.txt': '' }, undefined],
    [{ 'lost+found/x': '', '.SHA256SUMS.lightspan-1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed.tmp': '' }, undefined],
    [{ 'values.yaml': '' }, 'values.yaml'],
    [{ 'release-safety-index.json': '{}' }, 'release-safety-index.json'],
    [{ 'known-issues.json': '{}' }, 'known-issues.json'],
    [{ SHA256SUMS: `${sum}values.yaml\n` }, 'SHA256SUMS'],
    [{ SHA256SUMS: `${sum}../values.yaml\n` }, 'SHA256SUMS'],
    [{ SHA256SUMS: `SHA256 (values.yaml) = ${sum}\n` }, 'SHA256SUMS'],
    [{ 'release-safety-index.json': '{}', SHA256SUMS: `${sum}artifacts/1.0.0.json\n` }, 'SHA256SUMS'],
    ...['values.yaml', 'artifacts/build.zip', 'my-known-issues.json', 'known-issues.jsonl'].map(
      (path): [Readonly<Record<string, string>>, string] => [
        { 'release-safety-index.json': '{}', SHA256SUMS: `${ofIndex}${sum}${path}\n` },
        'SHA256SUMS',
      ],
    ),
  ])('is begun in a folder with %j, or that is something else: %s', async (files, other) => {
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), text);
    }
    const writing = write(['1.0.0'], sourceOf(all));
    if (other === undefined) {
      await writing;
      await checkSums(folder);
      return;
    }
    await expect(writing).rejects.toMatchObject({
      code: 'usage',
      message: `--out ${folder} is not a mirror, and contains something else: ${other}`,
    });
    for (const [path, text] of Object.entries(files)) {
      expect(await readFile(join(folder, path), 'utf8')).toBe(text);
    }
  });

  it.each(['', 'artifacts'])('cannot be written where a file is in the way: %j', async (path) => {
    const inTheWay = join(folder, path);
    await mkdir(dirname(inTheWay), { recursive: true });
    await writeFile(inTheWay, 'a file');
    await expect(write([], sourceOf({}))).rejects.toMatchObject({
      code: 'unwritable-output',
      message: expect.stringMatching(
        /^cannot write the mirror .*: (EEXIST: .*|a part of its path is a file, not a folder)/,
      ),
    });
  });
});
