import {
  closeSync,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsync,
  lstatSync,
  openSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { hasErrorCode } from './read-file.js';

/** A file that appears complete or not at all. It ends with `commit` or `abandon`. */
export interface NewFile {
  readonly folder: string;
  /** Continues until everything is written, or fails. */
  readonly write: (content: string | Uint8Array) => void;
  /** Resolves once the content is on the disk: otherwise the name may get there before the content. */
  readonly sync: () => Promise<void>;
  /** Puts the file in its place. It runs synchronously: no other code of this process runs meanwhile. */
  readonly commit: () => void;
  readonly abandon: () => void;
}

/**
 * Begins a new file, or new content of a file. The content goes into a temporary file in the same folder, which
 * nobody else may read, and `commit` renames it. It keeps the mode, owner and group of an existing file, and a link
 * stays and is written through. An interrupted process removes it.
 */
export function openNewFile(path: string): NewFile {
  const existing = existingFile(path);
  const target = behindLinks(path);
  const folder = dirname(target);
  const aside = join(folder, `.${basename(target)}.lightspan-${crypto.randomUUID()}.tmp`);
  // The file system chooses the mode of a new file (umask, defaults of the folder); 600 is set before anything is
  // written.
  const file = openSync(aside, 'wx', existing ? 0o600 : 0o666);
  const remove = () => rmSync(aside, { force: true });
  const forget = onInterrupt(remove);
  let isOpen = true;
  const close = () => {
    if (isOpen) closeSync(file);
    isOpen = false;
  };
  const abandon = () => {
    close();
    remove();
    forget();
  };
  const made = fstatSync(file);
  const { mode, uid, gid } = existing ?? made;
  try {
    // Only root, or this user where they are the same, can keep them.
    if (made.uid !== uid || made.gid !== gid) fchownSync(file, uid, gid);
    setMode(file, 0o600);
  } catch (error) {
    abandon();
    throw error;
  }
  return {
    folder,
    write: (content) => writeFileSync(file, content),
    sync: () => promisify(fsync)(file),
    commit: () => {
      setMode(file, mode & 0o7777);
      close();
      renameSync(aside, target);
      forget();
    },
    abandon,
  };
}

/** @returns undefined if there is nothing, or a link to nothing */
export function existingFile(path: string): Stats | undefined {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats?.isFile() === false) throw new Error('it is not a file that can be replaced');
  return stats;
}

/** Where a path leads, even if nothing exists there yet. */
function behindLinks(path: string): string {
  const here = join(realpathSync(dirname(path)), basename(path));
  const isLink = lstatSync(here, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  return isLink ? behindLinks(resolve(dirname(here), readlinkSync(here))) : here;
}

/** Some file systems have no modes, and refuse to set them. */
function setMode(file: number, mode: number): void {
  if ((fstatSync(file).mode & 0o7777) !== mode) fchmodSync(file, mode);
}

export const temporaryName = /^\..+\.lightspan-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.tmp$/;
const dayMs = 86_400_000;

/** Removes what killed processes have left, as far as possible; a write in progress is younger than a day. */
export function removeLeftovers(folder: string, now: number, onRemoved?: (path: string) => void): void {
  try {
    for (const name of readdirSync(folder).filter((file) => temporaryName.test(file))) {
      const path = join(folder, name);
      const stats = lstatSync(path, { throwIfNoEntry: false });
      if (!stats?.isFile() || now - stats.mtimeMs <= dayMs) continue;
      rmSync(path, { force: true });
      onRemoved?.(path);
    }
  } catch {
    // It belongs to another user, or the folder can be written but not listed.
  }
}

/**
 * Runs `use` while no other process of this program does so for the file.
 *
 * @returns false, without having run `use`, if another process does
 */
export async function withLock(path: string, use: () => Promise<void>): Promise<boolean> {
  const target = behindLinks(path);
  const lock = join(dirname(target), `.${basename(target)}.lightspan.lock`);
  const age = Date.now() - (lstatSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
  // Of a process that was killed: to compare and replace a file takes far less.
  if (age > staleMs) rmSync(lock, { force: true });
  let file: number;
  try {
    file = openSync(lock, 'wx', 0o600);
  } catch (error) {
    if (hasErrorCode(error, 'EEXIST')) return false;
    throw error;
  }
  closeSync(file);
  const forget = onInterrupt(() => rmSync(lock, { force: true }));
  try {
    await use();
  } finally {
    rmSync(lock, { force: true });
    forget();
  }
  return true;
}

const staleMs = 60_000;

const cleanups = new Set<() => void>();

/**
 * Registers a clean-up for the case that the process is interrupted.
 *
 * @returns takes it back
 */
export function onInterrupt(remove: () => void): () => void {
  cleanups.add(remove);
  return () => cleanups.delete(remove);
}

/** Removes unfinished files, synchronously: an interrupted process has no time to wait. */
export function removeUnfinished(): void {
  for (const remove of cleanups) remove();
}
