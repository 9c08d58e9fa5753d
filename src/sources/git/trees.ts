import type { PinTree, TreeFile } from '../pin-tree.js';
import { blobReader, type Repository, readGit } from './git.js';

/** The files of a commit, or of a tree. */
export async function treeOfCommit(repository: Repository, id: string): Promise<PinTree> {
  const listed = await readGit(repository, ['ls-tree', '-r', '-z', '--full-tree', id]);
  return treeOf(repository, listed, (meta) => {
    const [mode = '', , object = ''] = meta.split(' ');
    return { id: object, kind: kindOf(mode) };
  });
}

export async function treeOfIndex(repository: Repository): Promise<PinTree> {
  const listed = await readGit(repository, ['ls-files', '--stage', '-z', '--full-name', '--', ':/']);
  return treeOf(repository, listed, (meta) => {
    const [mode = '', object = '', stage = ''] = meta.split(' ');
    return { id: object, kind: stage === '0' ? kindOf(mode) : 'unmerged' };
  });
}

function treeOf(repository: Repository, listed: Buffer, fileOf: (meta: string) => TreeFile): PinTree {
  const files = new Map<string, TreeFile>();
  for (const record of listed.toString().split('\0')) {
    const tab = record.indexOf('\t');
    if (tab <= 0) continue;
    const path = record.slice(tab + 1);
    const file = fileOf(record.slice(0, tab));
    // git has bytes for a path: two of them that are not UTF-8 may become the same text.
    files.set(path, files.has(path) && file.kind !== 'unmerged' ? { ...file, kind: 'unnamed' } : file);
  }
  const read = blobReader(repository);
  return { files, read: ({ id }) => read(id) };
}

function kindOf(mode: string): TreeFile['kind'] {
  return mode === '120000' ? 'link' : mode === '160000' ? 'submodule' : 'file';
}

/**
 * The new name of each file that was renamed between a commit and another, or the staged state.
 *
 * @param to undefined for what is staged
 */
export async function findRenames(
  repository: Repository,
  { from, to }: { readonly from: string; readonly to: string | undefined },
): Promise<ReadonlyMap<string, string>> {
  const how = ['-z', '-r', '-M', '-l1000', '--name-status'];
  const safe = ['--no-ext-diff', '--no-textconv', '--ignore-submodules=all'];
  const listed = await readGit(
    repository,
    to === undefined
      ? ['diff-index', '--cached', ...how, ...safe, from, '--']
      : ['diff-tree', ...how, ...safe, from, to, '--'],
  );
  const renamed = new Map<string, string>();
  const parts = listed.toString('utf8').split('\0').values();
  for (const status of parts) {
    const file = parts.next().value ?? '';
    if (status.startsWith('R')) renamed.set(file, parts.next().value ?? '');
  }
  return renamed;
}
