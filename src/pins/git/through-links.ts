import { lstatSync, readlinkSync } from 'node:fs';
import { dirname, isAbsolute, join, parse, relative, resolve, sep } from 'node:path';
import { LightspanError } from '../../core/lightspan-error.js';
import type { PinTree, TreeFile } from '../pin-tree.js';

/** Where a path leads if the repository is as one side of a change has it. */
interface Reached {
  /** Without a link in it. */
  readonly path: string;
  /** From the root of the repository, with `/`; undefined outside of it. */
  readonly inside: string | undefined;
  /** What the side has there; undefined for a folder, and for what it lacks. */
  readonly entry: TreeFile | undefined;
}

const maxLinks = 40;

/**
 * Follows the links of a path: within the repository those of the tree, so that no later commit can turn them, and
 * outside of it those of the disk.
 *
 * @param root of the repository, without a link in it
 * @param isUntracked whether no commit has put a path there: then the disk shows whether it is a link
 * @throws {LightspanError} `usage` for a path into a submodule, whose contents the tree does not have
 */
export async function followLinks(
  path: string,
  root: string,
  tree: PinTree,
  isUntracked: (inside: string) => boolean = () => false,
): Promise<Reached> {
  const linkAt = async (at: string): Promise<string | undefined> => {
    const inside = insideOf(at, root);
    const entry = inside === undefined ? undefined : tree.files.get(inside);
    if (entry?.kind === 'submodule') throw submoduleAt(inside ?? at);
    if (entry?.kind === 'link') return new TextDecoder().decode(await tree.read(entry));
    if (inside !== undefined && !isUntracked(inside)) return undefined;
    return lstatSync(at, { throwIfNoEntry: false })?.isSymbolicLink() === true ? readlinkSync(at) : undefined;
  };
  const start = resolve(path);
  const rest = partsOf(start);
  let at = parse(start).root;
  let links = 0;
  for (let part = rest.shift(); part !== undefined; part = rest.shift()) {
    const here = part === '..' ? dirname(at) : join(at, part);
    const target = part === '..' ? undefined : await linkAt(here);
    if (target === undefined) {
      at = here;
      continue;
    }
    links += 1;
    if (links > maxLinks) throw refuse(`${path}: symbolic links form a loop`);
    if (isAbsolute(target)) at = parse(target).root;
    rest.unshift(...partsOf(target));
  }
  const inside = insideOf(at, root);
  return { path: at, inside, entry: inside === undefined ? undefined : tree.files.get(inside) };
}

/** A path from the root of a repository, with `/`; undefined if it is outside of it. */
export function insideOf(path: string, root: string): string | undefined {
  const parts = relative(root, path).split(sep);
  // On Windows, that of another volume is absolute.
  return parts[0] === '..' || isAbsolute(parts.join(sep)) ? undefined : parts.join('/');
}

/** Whether a side has something at a path, or below it. */
export function hasPath({ files }: PinTree, path: string): boolean {
  if (path === '' || files.has(path)) return true;
  for (const file of files.keys()) if (file.startsWith(`${path}/`)) return true;
  return false;
}

function partsOf(path: string): string[] {
  const parts = path.slice(parse(path).root.length).split(sep === '/' ? '/' : /[/\\]/);
  return parts.filter((part) => part !== '' && part !== '.');
}

/** A submodule that a path leads into, or that is below it. */
export function submoduleIn({ files }: PinTree, path: string): string | undefined {
  for (const [file, { kind }] of files) {
    const isNear = path === '' || path === file || path.startsWith(`${file}/`) || file.startsWith(`${path}/`);
    if (kind === 'submodule' && isNear) return file;
  }
  return undefined;
}

function submoduleAt(path: string): LightspanError {
  return refuse(`${path} is a submodule, which a change can point at any commit`);
}

function refuse(message: string): LightspanError {
  return new LightspanError('usage', message, {
    hint: 'Keep the file in this repository, or outside of it and name it on the command line.',
  });
}
