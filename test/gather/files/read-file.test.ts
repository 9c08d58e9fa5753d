import { execFileSync, spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  describeFileFault,
  describeWriteFault,
  isFolder,
  readFileAtMost,
} from '../../../src/gather/files/read-file.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const folder = temporaryFolder();
const file = (name: string, text: string) => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};
const tooLarge = () => new Error('too large');
const read = async (path: string, maxBytes = 10) =>
  Buffer.from(await readFileAtMost(path, maxBytes, tooLarge)).toString();

describe('readFileAtMost', () => {
  it('refuses one byte more than it may read', async () => {
    expect(await read(file('some', '0123456789'))).toBe('0123456789');
    await expect(read(file('more', '0123456789a'))).rejects.toThrow('too large');
  });

  it('fails for a folder', async () => {
    await expect(read(folder, 1)).rejects.toMatchObject({ code: 'EISDIR' });
  });

  it.skipIf(process.platform === 'win32')('refuses a device that never ends', async () => {
    await expect(read('/dev/zero')).rejects.toThrow('too large');
  });

  it.skipIf(process.platform !== 'linux')('bounds what /proc shows as an empty file', async () => {
    await expect(read('/proc/self/status')).rejects.toThrow('too large');
    expect(await read('/proc/self/status', 100_000)).toMatch(/^Name:/);
  });

  it.skipIf(process.platform === 'win32')('reads a named pipe to its end', async () => {
    const pipe = join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    spawn('sh', ['-c', `{ printf 012; sleep 0.2; printf 345; } > '${pipe}'`]);
    expect(await read(pipe)).toBe('012345');
  });
});

describe('describeFileFault', () => {
  it.each([
    ['ENOENT', 'there is no such file'],
    ['EISDIR', 'it is a folder, not a file'],
    ['ENOTDIR', 'a part of its path is a file, not a folder'],
    ['EACCES', 'permission denied'],
    ['EPERM', 'permission denied'],
    ['EROFS', 'the file system is read-only'],
    ['ELOOP', 'symbolic links form a loop'],
    ['ENOSPC', 'no space is left'],
    ['EBUSY', 'as the system has it'],
  ])('%s: %s', (code, words) => {
    const error = Object.assign(new Error('as the system has it'), { code });
    expect(describeFileFault(error)).toBe(words);
    expect(describeWriteFault(error)).toBe(code === 'ENOENT' ? 'there is no such folder' : words);
  });

  it('describes an error that the system did not report', () => {
    expect([describeFileFault(new Error('x')), describeFileFault('ENOENT')]).toEqual(['x', 'ENOENT']);
  });
});

it.each([
  ['a folder', '.', true],
  ['a file', 'a-file', false],
  ['nothing', 'nothing', false],
])('isFolder: %s', (_, name, expected) => {
  file('a-file', '');
  expect(isFolder(join(folder, name))).toBe(expected);
});
