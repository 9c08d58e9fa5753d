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

/**
 * A file that appears complete or not at all. It ends with `commit` or `abandon`; `abandon` after either does nothing.
 */
export interface NewFile {
  /** Its folder, with all links resolved. */
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
 * Begins a new file, or new content of a file. The content goes into a temporary file in the same folder, which nobody
 * else may read, and `commit` renames it. It keeps the mode, owner and group of an existing file, and a link stays and is
 * written through. An interrupted process removes it.
 *
 * @throws the errors of the file system, and one that says why the existing file must not be replaced
 */
export function beginFile(path: string): NewFile {
  const existing = existingFile(path);
  const target = behindLinks(path);
  const folder = dirname(target);
  const aside = join(folder, `.${basename(target)}.lightspan-${crypto.randomUUID()}.tmp`);
  // The file system chooses the mode of a new file (umask, defaults of the folder); 600 is set before anything is
  // written.
  const file = openSync(aside, 'wx', existing ? 0o600 : 0o666);
  const removal = ifInterrupted(() => rmSync(aside, { force: true }));
  let isOpen = true;
  const close = () => {
    if (isOpen) closeSync(file);
    isOpen = false;
  };
  const abandon = () => {
    close();
    rmSync(aside, { force: true });
    removal.done();
  };
  const mode = modeOf(existing ?? fstatSync(file));
  try {
    if (existing) keepOwner(file, existing);
    setMode(file, 0o600);
  } catch (error) {
    abandon();
    throw error;
  }
  return {
    folder,
    write: (content) => writeFileSync(file, content),
    sync: () => new Promise((done, fail) => fsync(file, (error) => (error === null ? done() : fail(error)))),
    commit: () => {
      setMode(file, mode);
      close();
      renameSync(aside, target);
      removal.done();
    },
    abandon,
  };
}

/**
 * @returns undefined if there is nothing, or a link to nothing
 * @throws the errors of the file system, and one that says why it must not be replaced
 */
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
  if (modeOf(fstatSync(file)) !== mode) fchmodSync(file, mode);
}

function modeOf({ mode }: Stats): number {
  return mode & 0o7777;
}

/** Only root, or this user where they are the same, can keep them. */
function keepOwner(file: number, { uid, gid }: Stats): void {
  const has = fstatSync(file);
  if (has.uid !== uid || has.gid !== gid) fchownSync(file, uid, gid);
}

const nameAside = /^\..+\.lightspan-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.tmp$/;

/** Whether it is the name of a temporary file. */
export function isNameAside(name: string): boolean {
  return nameAside.test(name);
}

const dayMs = 86_400_000;

/**
 * Removes what killed processes have left in a folder while writing; a write in progress is younger than a day. What
 * cannot be removed stays.
 *
 * @param onRemoved told of each file
 */
export function removeLeftovers(folder: string, now: number, onRemoved?: (path: string) => void): void {
  try {
    for (const name of readdirSync(folder).filter(isNameAside)) {
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

/** What removes each thing that is in progress: an incomplete output, a lock. */
const removals = new Set<() => void>();

/** To be called if the process is interrupted, until `done` is called. */
export function ifInterrupted(remove: () => void): { readonly done: () => void } {
  removals.add(remove);
  return { done: () => removals.delete(remove) };
}

/** Removes what is in progress, synchronously: an interrupted process has no time to wait. */
export function removeUnfinished(): void {
  for (const remove of removals) remove();
}
