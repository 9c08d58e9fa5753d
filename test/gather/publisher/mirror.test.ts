import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { openMirror } from '../../../src/gather/publisher/mirror.js';
import { realArtifactText } from '../../support/artifacts.js';
import { runCli } from '../../support/cli.js';
import { sumsOf, writeTestMirror } from '../../support/mirror.js';
import { realIndexText } from '../../support/real-index.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

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
  const indexFile = 'release-safety-index.json';
  const [, ...withoutIndex] = sums.split('\n');
  const more = (path: string, digest = '0'.repeat(64)) => `${sums}${digest}  ${path}\n`;
  const noLine = 'line 4 of SHA256SUMS is not a SHA-256 and a path in the folder';
  it.each<[fault: string, path: string, text: string | undefined, message: string]>([
    ['an altered index', indexFile, altered, `${indexFile} is not the file`],
    ['an altered artifact, even one outside the span', 'artifacts/2.134.2.json', '{}', 'is not the file'],
    ['a listed file that is gone', 'artifacts/1.121.0.json', undefined, 'artifacts/1.121.0.json is listed'],
    ['an index that is not listed', 'SHA256SUMS', withoutIndex.join('\n'), `${indexFile} is not listed`],
    ['no SHA256SUMS', 'SHA256SUMS', undefined, 'it has no SHA256SUMS'],
    ['no index', indexFile, undefined, `it has no ${indexFile}`],
    ['an empty SHA256SUMS', 'SHA256SUMS', '', 'line 1 of SHA256SUMS'],
    ['a digest that is none', 'SHA256SUMS', more('a.json', '0'.repeat(63)), noLine],
    ['a file listed twice', 'SHA256SUMS', sums + sums, `lists ${indexFile} twice`],
    ['a path ../outside.json', 'SHA256SUMS', more('../outside.json'), noLine],
    ['a path in it that leads out', 'SHA256SUMS', more('artifacts/../../outside.json'), noLine],
    ['a path /etc/passwd', 'SHA256SUMS', more('/etc/passwd'), noLine],
    ['a hidden path', 'SHA256SUMS', more('.hidden'), noLine],
    ['a path of Windows', 'SHA256SUMS', more('a\\..\\b'), noLine],
  ])('%s', async (_, path, text, message) => {
    await (text === undefined ? remove(path) : write(path, text));
    const { code, stdout, stderr } = await check();
    const isNone = message.startsWith('it has no');
    expect(code).toBe(isNone ? 3 : 4);
    const error = { code: isNone ? 'unreadable-source' : 'untrusted-mirror' };
    expect(JSON.parse(stdout)).toMatchObject({ safe: false, error });
    expect(stderr).toContain(message);
    expect(stderr).toContain(folder);
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
  'no more of %s is read than the limit of a source',
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
