import {
  closeSync,
  linkSync,
  openSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { LightspanError } from '../errors.js';
import { isRecord } from '../shared/is-record.js';
import { hasErrorCode } from './read-file.js';
import { markTemporary, nameAsideOf } from './write-file.js';

/** The name of the file that exists while a process writes the folder. */
export const lockName = '.lightspan-lock';

/** The holder of a lock keeps touching it. A lock that was not touched for a minute is stale. */
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
 * Locks a folder against other processes, on this machine or another. The lock of a killed process does not stay: on
 * this machine the process is known to be gone; on another machine this is assumed after a minute.
 *
 * @param what the name of the folder in messages
 * @throws {LightspanError} `unwritable-output` if another process holds the lock, and the errors of the file system
 */
export function lockFolder(folder: string, what: string): FolderLock {
  const path = join(folder, lockName);
  const own = JSON.stringify({ pid: process.pid, ...machine(), id: crypto.randomUUID() });
  while (!created(path, own)) {
    if (!isStale(path)) throw held(path, what);
    removeStale(path);
  }
  const mark = markTemporary(path);
  const isHeld = () => contentOf(path) === own;
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
      if (isHeld()) rmSync(path, { force: true });
      mark.done();
    },
  };
}

/** If several processes try, the file system lets only one create it. */
function created(path: string, content: string): boolean {
  let file: number;
  try {
    file = openSync(path, 'wx');
  } catch (error) {
    if (hasErrorCode(error, 'EEXIST')) return false;
    throw error;
  }
  try {
    writeFileSync(file, content);
    return true;
  } catch (error) {
    // On a full disk: without its content, every later run would take it for the lock of another process.
    rmSync(path, { force: true });
    throw error;
  } finally {
    closeSync(file);
  }
}

/**
 * Several processes may find the same stale lock: one checks what it took away, and puts it back if it is new by now.
 */
function removeStale(path: string): void {
  const taken = nameAsideOf(path);
  try {
    renameSync(path, taken);
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return;
    throw error;
  }
  try {
    if (!isStale(taken)) linkSync(taken, path);
  } catch {
    // Another process has created one; the holder of this one will notice.
  }
  rmSync(taken, { force: true });
}

function isStale(path: string): boolean {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined || Date.now() - stats.mtimeMs > staleAfterMs) return true;
  const { pid, host, processes } = holderOf(path);
  const here = machine();
  return host === here.host && processes === here.processes && typeof pid === 'number' && !isAlive(pid);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return !hasErrorCode(error, 'ESRCH');
  }
}

/** Where a process id is meaningful. Containers may share their host name, but not their process ids. */
function machine(): { readonly host: string; readonly processes: string } {
  let processes = '';
  try {
    processes = readlinkSync('/proc/self/ns/pid');
  } catch {
    // Only Linux has process namespaces.
  }
  return { host: hostname(), processes };
}

/** What a lock says of its holder; empty if it is not written yet, or cannot be read. */
function holderOf(path: string): Readonly<Record<string, unknown>> {
  try {
    const holder: unknown = JSON.parse(contentOf(path) ?? '');
    return isRecord(holder) ? holder : {};
  } catch {
    return {};
  }
}

function contentOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

function held(path: string, what: string): LightspanError {
  const { pid, host } = holderOf(path);
  const who = pid === undefined ? 'another process' : `process ${String(pid)} on ${String(host)}`;
  return new LightspanError('unwritable-output', `${what} is being written by ${who}`, {
    hint: `Run again when it has ended. If it was killed, its lock is dropped within a minute, or now if you remove ${path}.`,
  });
}
