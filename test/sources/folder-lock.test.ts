import { existsSync, mkdirSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { lockFolder, lockName } from '../../src/sources/folder-lock.js';
import { removeUnfinished } from '../../src/sources/write-file.js';
import { temporaryFolder } from '../support/temporary-folder.js';

let folder: string;
let removed: string[];
const lock = () => join(folder, lockName);
const take = () => lockFolder(folder, 'the mirror', (path) => removed.push(path));
beforeEach(() => {
  folder = temporaryFolder();
  removed = [];
});

const setAge = (seconds: number) => {
  const then = new Date(Date.now() - seconds * 1000);
  utimesSync(lock(), then, then);
};
/** What another process does that has found the lock to be stale. */
const takeAway = () => {
  rmSync(lock(), { recursive: true });
  mkdirSync(join(lock(), 'theirs'), { recursive: true });
};

describe('a lock', () => {
  it('is gone when it is let go', () => {
    const held = take();
    expect(held.requireHeld).not.toThrow();
    held.release();
    expect(readdirSync(folder)).toEqual([]);
    held.release();
    take().release();
    expect(removed).toEqual([]);
  });

  it.each<[string, () => void, number, 'held' | 'removed']>([
    ['of another process', take, 59, 'held'],
    ['that was not touched for a minute', take, 61, 'removed'],
    ['that is not marked yet', () => mkdirSync(lock()), 0, 'held'],
    ['that was never marked', () => mkdirSync(lock()), 61, 'removed'],
    ['that is a file', () => writeFileSync(lock(), '{"pid":1}'), 0, 'held'],
    ['that is an old file', () => writeFileSync(lock(), '{"pid":1}'), 61, 'removed'],
  ])('%s', (_, make, seconds, outcome) => {
    make();
    setAge(seconds);
    if (outcome === 'removed') {
      take().release();
      expect(removed).toEqual([lock()]);
      expect(readdirSync(folder)).toEqual([]);
      return;
    }
    expect(take).toThrow(
      expect.objectContaining({
        code: 'unwritable-output',
        message: 'the mirror is being written by another process',
        hint: `Run again when it has ended. If it was killed, its lock is dropped after a minute, or now if you remove ${lock()}.`,
      }),
    );
    expect(removed).toEqual([]);
    expect(existsSync(lock())).toBe(true);
  });

  it('is not taken where there is no folder', () => {
    folder = join(folder, 'none');
    expect(take).toThrow(expect.objectContaining({ code: 'ENOENT' }));
  });

  it('that another has taken is theirs', () => {
    const held = take();
    takeAway();
    expect(held.requireHeld).toThrow(
      expect.objectContaining({
        code: 'unwritable-output',
        message: 'the mirror is left as it is: another process took its lock',
        hint: 'That happens if this process was silent for a minute, for example when a machine sleeps. Run again.',
      }),
    );
    held.release();
    expect(readdirSync(lock())).toEqual(['theirs']);
  });

  it('is removed where the process is interrupted, and only then', () => {
    const held = take();
    removeUnfinished();
    expect(existsSync(lock())).toBe(false);
    held.release();
    take().release();
    mkdirSync(join(lock(), 'theirs'), { recursive: true });
    removeUnfinished();
    expect(readdirSync(lock())).toEqual(['theirs']);
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
    takeAway();
    setAge(50);
    vi.advanceTimersByTime(5000);
    expect(age()).toBeGreaterThan(49);
    held.release();
  });
});
