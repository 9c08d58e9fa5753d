import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { openMirror } from '../../src/sources/mirror.js';
import { realArtifactText } from '../support/artifacts.js';
import { runCli } from '../support/cli.js';
import { sumsOf, writeTestMirror } from '../support/mirror.js';
import { realIndexFile, realIndexText } from '../support/real-index.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const files = {
  'release-safety-index.json': realIndexText,
  'artifacts/1.121.0.json': realArtifactText('1.121.0'),
  'artifacts/2.134.2.json': realArtifactText('2.134.2'),
};

const maxBytes = 64 * 1024 ** 2;
let folder: string;
beforeEach(async () => {
  folder = temporaryFolder();
  await writeTestMirror(folder, files);
});

const write = (path: string, text: string) => writeFile(join(folder, path), text);
const remove = (path: string) => rm(join(folder, path), { recursive: true });

const check = () =>
  runCli(['upgrade-check', '--from', '1.121.0', '--to', '1.156.0', '--index', folder, '--json']);

it('a whole mirror is read, and answers', async () => {
  const { code, stdout, stderr } = await check();
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(JSON.parse(stdout)).toMatchObject({ safe: true, verdict: true });
});

it('a SHA256SUMS whose lines end in CR LF is read', async () => {
  await write('SHA256SUMS', sums.replaceAll('\n', '\r\n'));
  expect(await check()).toMatchObject({ code: 0 });
});

const altered = realIndexText.replace('"rollingUpdateSafe":false', '"rollingUpdateSafe":true ');
const sums = sumsOf(files);

describe('a mirror that is not whole is refused', () => {
  it.each<[fault: string, alter: () => Promise<unknown>, code: number, error: string, message: string]>([
    [
      'an altered index',
      () => write('release-safety-index.json', altered),
      4,
      'untrusted-mirror',
      'release-safety-index.json is not the file',
    ],
    [
      'an altered artifact, even one outside the span',
      () => write('artifacts/2.134.2.json', '{}'),
      4,
      'untrusted-mirror',
      'artifacts/2.134.2.json is not the file',
    ],
    [
      'a truncated artifact',
      () => write('artifacts/1.121.0.json', realArtifactText('1.121.0').slice(0, 99)),
      4,
      'untrusted-mirror',
      'artifacts/1.121.0.json is not the file',
    ],
    [
      'a listed file that is missing',
      () => remove('artifacts/1.121.0.json'),
      4,
      'untrusted-mirror',
      'artifacts/1.121.0.json is listed',
    ],
    [
      'an index that is not listed',
      () => write('SHA256SUMS', sums.split('\n').slice(1).join('\n')),
      4,
      'untrusted-mirror',
      'release-safety-index.json is not listed',
    ],
    ['no SHA256SUMS', () => remove('SHA256SUMS'), 3, 'unreadable-source', 'it contains no SHA256SUMS'],
    [
      'no index',
      () => remove('release-safety-index.json'),
      3,
      'unreadable-source',
      'it contains no release-safety-index.json',
    ],
    ['an empty SHA256SUMS', () => write('SHA256SUMS', ''), 4, 'untrusted-mirror', 'line 1 of SHA256SUMS'],
    [
      'a SHA256SUMS that is none',
      () => write('SHA256SUMS', '<html>'),
      4,
      'untrusted-mirror',
      'line 1 of SHA256SUMS',
    ],
    [
      'a digest of another length',
      () => write('SHA256SUMS', `${sums}d41d8cd98f00b204e9800998ecf8427e  a\n`),
      4,
      'untrusted-mirror',
      'line 4 of SHA256SUMS is not',
    ],
    [
      'a file listed twice',
      () => write('SHA256SUMS', sums + sums),
      4,
      'untrusted-mirror',
      'lists release-safety-index.json twice',
    ],
    ...['../outside.json', 'artifacts/../../outside.json', '/etc/passwd', '.hidden', 'a\\..\\b'].map(
      (path): [string, () => Promise<unknown>, number, string, string] => [
        `a path ${path}`,
        () => write('SHA256SUMS', `${sums}${'0'.repeat(64)}  ${path}\n`),
        4,
        'untrusted-mirror',
        'line 4 of SHA256SUMS is not a SHA-256 and a path in the folder',
      ],
    ),
  ])('%s', async (_, alter, code, error, message) => {
    await alter();
    const outcome = await check();
    expect(outcome.code).toBe(code);
    expect(JSON.parse(outcome.stdout)).toMatchObject({ safe: false, error: { code: error } });
    expect(outcome.stderr).toContain(message);
    expect(outcome.stderr).toContain(folder);
  });
});

it('an artifact that is not listed is no part of the mirror', async () => {
  await write('artifacts/1.136.1.json', realArtifactText('1.136.1'));
  const mirror = await openMirror(folder, maxBytes);
  expect(await mirror.read('artifacts/1.136.1.json')).toBeUndefined();
  expect(await mirror.read('artifacts/9.9.9.json')).toBeUndefined();
});

it('a file altered after the mirror was opened is not read', async () => {
  const mirror = await openMirror(folder, maxBytes);
  await write('artifacts/1.121.0.json', '{}');
  await expect(mirror.read('artifacts/1.121.0.json')).rejects.toMatchObject({ code: 'untrusted-mirror' });
});

it('a file that cannot be read is not one that is not there', async () => {
  const mirror = await openMirror(folder, maxBytes);
  await mkdir(join(folder, 'artifacts/9.9.9.json'));
  await expect(mirror.read('artifacts/9.9.9.json')).rejects.toMatchObject({
    code: 'unreadable-source',
    message: `cannot read artifacts/9.9.9.json of the mirror ${folder}: it is a folder, not a file`,
  });
  await remove('SHA256SUMS');
  await mkdir(join(folder, 'SHA256SUMS'));
  expect(await check()).toMatchObject({ code: 3 });
});

it.each(['release-safety-index.json', 'artifacts/1.121.0.json', 'SHA256SUMS'])(
  'no more of %s is read than --max-bytes says',
  async (file) => {
    await writeTestMirror(folder, { 'release-safety-index.json': '{}', 'artifacts/1.121.0.json': '{}' });
    await openMirror(folder, 1500);
    await write(file, ' '.repeat(1501));
    await expect(openMirror(folder, 1500)).rejects.toMatchObject({
      code: 'too-large',
      message: `${file} of the mirror ${folder} is larger than 1500 bytes`,
    });
  },
);

it('an artifact of a mirror that is larger than --max-bytes makes no span safe', async () => {
  const span = ['--from', '1.120.0', '--to', '1.121.0', '--index', realIndexFile];
  const argv = ['upgrade-check', ...span, '--verify-artifacts', '--artifact-url', folder];
  await writeTestMirror(folder, { ...files, 'artifacts/1.121.0.json': ' '.repeat(2_000_000) });
  const { code, stdout } = await runCli([...argv, '--max-bytes', '1500000']);
  expect(code).toBe(1);
  expect(stdout).toContain('artifacts/1.121.0.json of the mirror');
  expect(stdout).toContain('is larger than 1500000 bytes');
});
