import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readSync,
  type Stats,
  unlinkSync,
} from 'node:fs';
import { join } from 'node:path';
import { LightspanError } from '../errors.js';
import { compiledFolder } from './cache-folder.js';
import { describeFileFault, hasErrorCode } from './read-file.js';
import { isNameAside } from './write-file.js';

/** The contents of a cache folder. Sizes are in bytes. */
export interface CacheContents {
  /** The files that `cache.ts` has written there, including half-written ones. */
  readonly own: readonly { readonly path: string; readonly bytes: number }[];
  /** The number of other files, folders and links, without what Node keeps of the program. */
  readonly others: number;
}

/**
 * Lists, without following a link, what lightspan keeps in a folder. A missing folder counts as empty.
 *
 * @throws {LightspanError} `unreadable-source` if it is a link, or cannot be read
 */
export function cacheContents(folder: string): CacheContents {
  const names = namesIn(folder).filter((name) => name !== compiledFolder);
  const own = names.flatMap((name) => {
    const path = join(folder, name);
    const bytes = ownBytes(path, name);
    return bytes === undefined ? [] : [{ path, bytes }];
  });
  return { own, others: names.length - own.length };
}

/**
 * Removes what `cacheContents` lists in `own`, and nothing else.
 *
 * @returns what was removed, and how many other files are there
 * @throws {LightspanError} `unwritable-output` if something could not be removed
 */
export function clearCache(folder: string): CacheContents {
  const contents = cacheContents(folder);
  const faults = contents.own.flatMap(({ path }) => {
    try {
      unlinkSync(path);
    } catch (error) {
      // Another process may have removed it first.
      if (!hasErrorCode(error, 'ENOENT')) return [{ path, error }];
    }
    return [];
  });
  const [first, ...more] = faults;
  if (first === undefined) return contents;
  const others = more.length === 0 ? '' : `, and ${more.length} more`;
  throw new LightspanError(
    'unwritable-output',
    `cannot remove ${first.path}: ${describeFileFault(first.error)}${others}`,
    { cause: first.error },
  );
}

function namesIn(folder: string): readonly string[] {
  const refuse = (what: string, cause?: unknown) =>
    new LightspanError('unreadable-source', `the cache folder ${folder}: ${what}`, {
      hint: 'Set LIGHTSPAN_CACHE_DIR to use another one.',
      cause,
    });
  let stats: Stats;
  try {
    stats = lstatSync(folder);
    if (stats.isDirectory()) return readdirSync(folder);
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return [];
    throw refuse(describeFileFault(error), error);
  }
  throw refuse(stats.isSymbolicLink() ? 'it is a link, which is not followed' : 'it is not a folder');
}

const entryName = /^[0-9a-f]{64}$/;
/** An entry begins with its digest and the name of its format. Other files may have such names, but not this start. */
const entryStart = /^[0-9a-f]{64}\n\{"format":"lightspan-cache-/;
const startLength = 100;

/**
 * The size of a file that is ours by owner, name and (unless it is half-written) first bytes; undefined for all others.
 */
function ownBytes(path: string, name: string): number | undefined {
  const isAside = isNameAside(name, entryName);
  if (!entryName.test(name) && !isAside) return undefined;
  let fd: number | undefined;
  try {
    // Opening a pipe would wait for its writer.
    fd = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
    const stats = fstatSync(fd);
    const self = process.getuid?.();
    if (!stats.isFile() || (self !== undefined && stats.uid !== self)) return undefined;
    const start = Buffer.alloc(startLength);
    const length = readSync(fd, start, 0, startLength, 0);
    const isEntry = entryStart.test(start.toString('latin1', 0, length));
    return isEntry || isAside ? stats.size : undefined;
  } catch {
    return undefined;
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}
