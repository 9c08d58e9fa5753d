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
import { hasErrorCode } from './read-file.js';

/**
 * A file that appears whole or not at all. It ends with `commit` or `abandon`;
 * `abandon` after either does nothing.
 */
export interface NewFile {
  /** The folder that it is in, behind all links. */
  readonly folder: string;
  /** Goes on until all of it is written, or fails. */
  readonly write: (content: string | Uint8Array) => void;
  /** Resolves once what was written is on the disk: a name may get there sooner than what it names. */
  readonly sync: () => Promise<void>;
  /** Puts the file in its place. Nothing else of this process happens between its begin and its end. */
  readonly commit: () => void;
  readonly abandon: () => void;
}

export interface NewFileOptions {
  /**
   * Whatever stands there, a link too, is replaced by a file of mode 600. Otherwise a file hands on its mode, its owner
   * and its group, and a link stays and is written through.
   */
  readonly ours?: boolean;
}

/**
 * Begins a file, or another content of one: what is written goes into a temporary file beside it, which nobody else may
 * read, and `commit` renames that. An interrupted process removes it.
 *
 * @throws the errors of the file system, and one that says what forbids to replace what is there
 */
export function beginFile(path: string, { ours = false }: NewFileOptions = {}): NewFile {
  const existing = ours ? undefined : existingFile(path);
  const target = ours ? path : behindLinks(path);
  const aside = nameAsideOf(target);
  // The file system knows the mode of a new file (umask, default rights of the folder); nothing is written before 600.
  const file = openSync(aside, 'wx', ours || existing !== undefined ? 0o600 : 0o666);
  const mark = markTemporary(aside);
  let open = true;
  const close = () => {
    if (open) closeSync(file);
    open = false;
  };
  const abandon = () => {
    close();
    rmSync(aside, { force: true });
    mark.done();
  };
  try {
    const mode = modeOf(existing ?? fstatSync(file));
    if (existing !== undefined) setOwner(file, existing);
    setMode(file, 0o600);
    return {
      folder: dirname(target),
      write: (content) => writeFileSync(file, content),
      sync: () =>
        new Promise((done, fail) => fsync(file, (error) => (error === null ? done() : fail(error)))),
      commit: () => {
        setMode(file, mode);
        close();
        renameSync(aside, target);
        mark.done();
      },
      abandon,
    };
  } catch (error) {
    abandon();
    throw error;
  }
}

/** @returns undefined where there is nothing, or a link to nothing */
function existingFile(path: string): Stats | undefined {
  let stats: Stats;
  try {
    stats = statSync(path);
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return undefined;
    throw error;
  }
  if (!stats.isFile()) throw new Error('it is not a file that can be replaced');
  return stats;
}

/** Where a path leads, though there be nothing yet. */
function behindLinks(path: string): string {
  const here = join(realpathSync(dirname(path)), basename(path));
  const link = lstatSync(here, { throwIfNoEntry: false })?.isSymbolicLink() ? readlinkSync(here) : undefined;
  return link === undefined ? here : behindLinks(resolve(dirname(here), link));
}

/** Tried before anything is written, for it may be that only root can. */
function setOwner(file: number, { uid, gid }: Stats): void {
  const has = fstatSync(file);
  if (has.uid === uid && has.gid === gid) return;
  try {
    fchownSync(file, uid, gid);
  } catch (error) {
    if (!hasErrorCode(error, 'EPERM')) throw error;
    throw new Error('it belongs to another user or group, which only that user or root can keep');
  }
}

/** Some file systems have no modes, and refuse to set what they do not have. */
function setMode(file: number, mode: number): void {
  if (modeOf(fstatSync(file)) !== mode) fchmodSync(file, mode);
}

function modeOf({ mode }: Stats): number {
  return mode & 0o7777;
}

/** A path beside another that nobody else has, and that `removeLeftovers` knows. */
export function nameAsideOf(path: string): string {
  return join(dirname(path), `.${basename(path)}.lightspan-${crypto.randomUUID()}.tmp`);
}

const nameAside = /^\.(.+)\.lightspan-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.tmp$/;

/** Whether a file has such a name, beside a file of the names given. */
export function isNameAside(name: string, beside = /^/): boolean {
  const [, target] = nameAside.exec(name) ?? [];
  return target !== undefined && beside.test(target);
}

const dayMs = 86_400_000;

/**
 * Removes what processes that were killed while they wrote have left in a folder; a write that is under way is younger
 * than a day. What cannot be removed stays.
 */
export function removeLeftovers(folder: string, now: number): void {
  try {
    for (const name of readdirSync(folder).filter((name) => isNameAside(name))) {
      const path = join(folder, name);
      const stats = lstatSync(path, { throwIfNoEntry: false });
      if (stats?.isFile() && now - stats.mtimeMs > dayMs) rmSync(path, { force: true });
    }
  } catch {
    // It is another's, or a folder that may be written and not listed.
  }
}

/** Files that stand for something that is under way: an output that is not whole yet, a lock. */
const temporaryFiles = new Set<string>();

/** Marks a file as temporary, to be removed should the process be interrupted, until it is called back. */
export function markTemporary(path: string): { readonly done: () => void } {
  temporaryFiles.add(path);
  return { done: () => temporaryFiles.delete(path) };
}

/** Removes what is left, at once: an interrupted process has no time to wait. */
export function removeTemporaryFiles(): void {
  for (const path of temporaryFiles) rmSync(path, { force: true });
}
