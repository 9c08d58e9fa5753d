import {
  existsSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { lockFolder, lockName } from '../../src/sources/folder-lock.js';
import { removeTemporaryFiles } from '../../src/sources/write-file.js';
import { temporaryFolder } from '../support/temporary-folder.js';

let folder: string;
const lock = () => join(folder, lockName);
const content = () => readFileSync(lock(), 'utf8');
const take = () => lockFolder(folder, 'the mirror');
beforeEach(() => {
  folder = temporaryFolder();
});

const host = hostname();
const processes = process.platform === 'linux' ? readlinkSync('/proc/self/ns/pid') : '';
/** Higher than a process of Linux is numbered. */
const gone = 4_194_305;
const setAge = (seconds: number) => {
  const then = new Date(Date.now() - seconds * 1000);
  utimesSync(lock(), then, then);
};

describe('a lock', () => {
  it('says who holds it, and is gone when that is let go', () => {
    const held = take();
    expect(JSON.parse(content())).toEqual({ pid: process.pid, host, processes, id: expect.any(String) });
    expect(JSON.parse(content()).id).toMatch(/^[0-9a-f-]{36}$/);
    expect(held.requireHeld).not.toThrow();
    held.release();
    expect(readdirSync(folder)).toEqual([]);
    held.release();
    take().release();
  });

  it.each<[string, object | string, number, string | undefined]>([
    [
      'of a process that runs',
      { pid: process.pid, host, processes },
      59,
      `process ${process.pid} on ${host}`,
    ],
    ['that was not touched for a minute', { pid: process.pid, host, processes }, 61, undefined],
    ['of a process that is gone', { pid: gone, host, processes }, 0, undefined],
    ['of another machine', { pid: gone, host: 'other', processes }, 0, `process ${gone} on other`],
    ['of another container', { pid: gone, host, processes: 'other' }, 0, `process ${gone} on ${host}`],
    ['of no number', { pid: 'x', host, processes }, 0, `process x on ${host}`],
    ['of nobody', { host, processes }, 0, 'another process'],
    ['that is a list', '[1]', 0, 'another process'],
    ['that is nothing', 'null', 0, 'another process'],
    ['that is no JSON', '{"pid":', 0, 'another process'],
    ['that is not written yet', '', 0, 'another process'],
    ['that was not written for a minute', '', 61, undefined],
  ])('%s', (_, holder, seconds, who) => {
    writeFileSync(lock(), typeof holder === 'string' ? holder : JSON.stringify(holder));
    const before = content();
    setAge(seconds);
    if (who === undefined) {
      take().release();
      expect(readdirSync(folder)).toEqual([]);
      return;
    }
    expect(take).toThrow(
      expect.objectContaining({
        code: 'unwritable-output',
        message: `the mirror is being written by ${who}`,
        hint: `Run again when it has ended. If it was killed, its lock is dropped within a minute, or now if you remove ${lock()}.`,
      }),
    );
    expect(content()).toBe(before);
  });

  it('is not taken where there is no folder', () => {
    folder = join(folder, 'none');
    expect(take).toThrow(expect.objectContaining({ code: 'ENOENT' }));
  });

  it('that another has taken is theirs', () => {
    const held = take();
    writeFileSync(lock(), 'theirs');
    expect(held.requireHeld).toThrow(
      expect.objectContaining({
        code: 'unwritable-output',
        message: 'the mirror is left as it is: another process took its lock',
        hint: 'That happens if this process was silent for a minute, for example when a machine sleeps. Run again.',
      }),
    );
    held.release();
    expect(content()).toBe('theirs');
  });

  it('is removed where the process is interrupted, and only then', () => {
    take();
    removeTemporaryFiles();
    expect(existsSync(lock())).toBe(false);
    take().release();
    writeFileSync(lock(), 'theirs');
    removeTemporaryFiles();
    expect(content()).toBe('theirs');
  });
});

describe('who holds a lock', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });
  const age = () => (Date.now() - statSync(lock()).mtimeMs) / 1000;

  it('touches it every five seconds, as long as it is theirs', () => {
    const held = take();
    setAge(50);
    vi.advanceTimersByTime(4999);
    expect(age()).toBeGreaterThan(49);
    vi.advanceTimersByTime(1);
    expect(age()).toBeLessThan(30);
    setAge(50);
    held.release();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('leaves that of another alone', () => {
    const held = take();
    writeFileSync(lock(), 'theirs');
    setAge(50);
    vi.advanceTimersByTime(5000);
    expect(age()).toBeGreaterThan(49);
    held.release();
  });
});
