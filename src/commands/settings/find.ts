import { lstatSync, realpathSync, type Stats, statSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { LightspanError } from '../../errors.js';
import { unreadable } from '../../sources/read-file.js';

export const settingsName = 'lightspan.yaml';

/** A folder and those above it, up to the root of the git repository, or of the volume. */
export interface FoldersUp {
  readonly folders: readonly string[];
  /** The root of the git repository; undefined if they are in none. */
  readonly root: string | undefined;
}

export function foldersUp(folder: string): FoldersUp {
  const at = resolve(folder);
  if (look(join(at, '.git')) !== undefined) return { folders: [at], root: at };
  if (dirname(at) === at) return { folders: [at], root: undefined };
  const above = foldersUp(dirname(at));
  return { ...above, folders: [at, ...above.folders] };
}

/**
 * The nearest settings. What is there and is no readable file is found too: left out, the answer would be another one.
 *
 * @throws {LightspanError} `unreadable-source`; `usage` for a file that neither this folder's owner nor the system put
 * there, as anybody can above a temporary folder
 */
export function findSettings(folders: FoldersUp['folders']): string | undefined {
  for (const folder of folders) {
    const file = join(folder, settingsName);
    const stats = look(file);
    if (stats === undefined) continue;
    const [start = folder] = folders;
    if (folder === start || stats.uid === 0 || stats.uid === statSync(start).uid) return file;
    throw new LightspanError('usage', `${file} belongs to another user than this folder`, {
      hint: 'If it is yours to use, name it with --settings; --no-settings leaves it out.',
    });
  }
  return undefined;
}

/** A path from the working folder, or from the root if that is shorter; never "-", which is standard input. */
export function nameOf(path: string): string {
  const near = relative('', path).replace(/^(?=-|$)/, './');
  return near.length < path.length ? near : path;
}

/** Whether a path leads out of a repository, by itself or by links. What is not there leads nowhere. */
export function leadsOut(path: string, root: string | undefined): boolean {
  if (root === undefined || look(path) === undefined) return false;
  try {
    return !`${realpathSync(path)}${sep}`.startsWith(`${realpathSync(root)}${sep}`);
  } catch {
    return true;
  }
}

function look(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    throw unreadable(path, error);
  }
}
