import { lstatSync, realpathSync, type Stats, statSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { LightspanError } from '../../errors.js';
import { unreadable } from '../../sources/read-file.js';

export const settingsName = 'lightspan.yaml';

/** A file of settings, and the repository around it. */
export interface SettingsPlace {
  /** Absolute. */
  readonly file: string;
  /** As it is named from the working folder. */
  readonly shown: string;
  /** The root of the git repository; undefined if it is in none. */
  readonly root: string | undefined;
}

/**
 * The nearest settings: in a folder, or in one above it up to the root of the git repository, or of the volume. What is
 * there and is no readable file is found too: left out, the answer would be another one.
 *
 * @throws {LightspanError} `unreadable-source`; `usage` for a file that neither this folder's owner nor the system put
 * there, as anybody can above a temporary folder
 */
export function findSettings(folder = '.'): SettingsPlace | undefined {
  const start = resolve(folder);
  for (let at = start; ; at = dirname(at)) {
    const file = join(at, settingsName);
    const stats = look(file);
    if (stats !== undefined) {
      requireOwner(stats, start, file);
      return placeOf(file);
    }
    if (look(join(at, '.git')) !== undefined || dirname(at) === at) return undefined;
  }
}

export function placeOf(path: string): SettingsPlace {
  const file = resolve(path);
  return { file, shown: nameOf(file), root: rootOf(dirname(file)) };
}

/** A path from the working folder, or from the root if that is shorter; never "-", which is standard input. */
export function nameOf(path: string): string {
  const near = relative('', path).replace(/^(?=-|$)/, './');
  return near.length < path.length ? near : path;
}

/** Whether a path leads out of a repository, by itself or by links. */
export function leadsOut(path: string, root: string | undefined): boolean {
  return root !== undefined && !`${real(path)}${sep}`.startsWith(`${real(root)}${sep}`);
}

function rootOf(folder: string): string | undefined {
  if (look(join(folder, '.git')) !== undefined) return folder;
  return dirname(folder) === folder ? undefined : rootOf(dirname(folder));
}

/** The path without links, as far as it exists. */
function real(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return dirname(path) === path ? path : join(real(dirname(path)), relative(dirname(path), path));
  }
}

function look(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    throw unreadable(path, error);
  }
}

function requireOwner({ uid }: Stats, folder: string, file: string): void {
  if (dirname(file) === folder || uid === 0 || uid === statSync(folder).uid) return;
  throw new LightspanError('usage', `${file} belongs to another user than this folder`, {
    hint: 'If it is yours to use, name it with --settings; --no-settings leaves it out.',
  });
}
