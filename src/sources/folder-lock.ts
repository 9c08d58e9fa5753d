import { existsSync, mkdirSync, rmSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { LightspanError } from '../errors.js';
import { hasErrorCode } from './read-file.js';
import { ifInterrupted } from './write-file.js';

/** The folder that exists while a process writes the folder that it is in. */
export const lockName = '.lightspan-lock';

/** The holder of a lock keeps touching it. One that was not touched for a minute was left by a killed run. */
const touchEveryMs = 5000;
const staleAfterMs = 60_000;

export interface FolderLock {
  /**
   * @throws {LightspanError} `unwritable-output` if another process took the lock, because this one was silent for too
   * long
   */
  readonly requireHeld: () => void;
  readonly release: () => void;
}

/**
 * Locks a folder against other processes, on this machine or another. If several try, `mkdir` succeeds for one.
 *
 * @param what the name of the folder in messages
 * @param onRemoved told of a lock that a killed run left
 * @throws {LightspanError} `unwritable-output` if another process holds the lock, and the errors of the file system
 */
export function lockFolder(folder: string, what: string, onRemoved: (path: string) => void): FolderLock {
  const path = join(folder, lockName);
  if (!made(path)) {
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats !== undefined && Date.now() - stats.mtimeMs <= staleAfterMs) throw held(path, what);
    rmSync(path, { recursive: true, force: true });
    onRemoved(path);
    if (!made(path)) throw held(path, what);
  }
  // Two may remove the same stale lock, and the second takes away what the first has made: only one mark remains.
  const mark = join(path, crypto.randomUUID());
  mkdirSync(mark);
  const isHeld = () => existsSync(mark);
  const remove = () => {
    if (isHeld()) rmSync(path, { recursive: true, force: true });
  };
  const interruption = ifInterrupted(remove);
  const touching = setInterval(() => {
    if (isHeld()) utimesSync(path, new Date(), new Date());
  }, touchEveryMs).unref();
  return {
    requireHeld: () => {
      if (isHeld()) return;
      throw new LightspanError(
        'unwritable-output',
        `${what} is left as it is: another process took its lock`,
        {
          hint: 'That happens if this process was silent for a minute, for example when a machine sleeps. Run again.',
        },
      );
    },
    release: () => {
      clearInterval(touching);
      remove();
      interruption.done();
    },
  };
}

function made(path: string): boolean {
  try {
    mkdirSync(path);
    return true;
  } catch (error) {
    if (hasErrorCode(error, 'EEXIST')) return false;
    throw error;
  }
}

function held(path: string, what: string): LightspanError {
  return new LightspanError('unwritable-output', `${what} is being written by another process`, {
    hint: `Run again when it has ended. If it was killed, its lock is dropped after a minute, or now if you remove ${path}.`,
  });
}
