import { groupBy } from '../core/common/group-by.js';
import { memoizeByObject } from '../core/common/memoize.js';
import { LightspanError } from '../core/lightspan-error.js';
import { mostBytes } from '../gather/limits.js';

/** One side of a change: files by their path from the root, with `/` as separator. */
export interface PinTree {
  readonly files: ReadonlyMap<string, TreeFile>;
  readonly read: (file: TreeFile) => Promise<Uint8Array>;
  /** The files with a word, in capitals or not, where there is a faster way than to read all of them. */
  readonly filesWith?: (word: string) => Promise<readonly string[]>;
}

export interface TreeFile {
  /** Equal for equal bytes. */
  readonly id: string;
  /** `unnamed` if several have its path, which is not UTF-8; `unknown` if only the other side has its contents. */
  readonly kind: 'file' | 'link' | 'submodule' | 'unmerged' | 'unnamed' | 'unknown';
}

/** Files as a side, by the names that the pins use for them; undefined for contents that are not known. */
export function treeOfTexts(texts: Readonly<Record<string, string | undefined>>): PinTree {
  return {
    files: new Map(
      Object.entries(texts).map(([name, text]): [string, TreeFile] => [
        name,
        text === undefined ? { id: '', kind: 'unknown' } : { id: text, kind: 'file' },
      ]),
    ),
    read: async ({ id }) => new TextEncoder().encode(id),
  };
}

export const pinOneRelease = 'Pin one exact release, written in the file.';
const maxBytes = mostBytes.small;

/** A text that is equal for two sides if all these files are equal, or missing, on both; undefined if not known. */
export function idsOf({ files }: PinTree, names: readonly string[]): string | undefined {
  const ids = names.map((name) => files.get(name) ?? { kind: 'file', id: '' });
  // The target of a link may change although the link does not.
  const isKnown = ids.every(({ kind }) => kind === 'file' || kind === 'submodule');
  return isKnown ? ids.map(({ id }) => id).join('\0') : undefined;
}

/** The parts of the charts around a folder: each of them may decide what an empty tag stands for. */
export function partsOfCharts(tree: PinTree, folder: string): readonly string[] {
  const parts = chartsAround(tree, folder).flatMap((chart) =>
    (filesBelow(tree).get(chart) ?? []).flatMap(({ file }) => (isPartOfChart(chart, file) ? [file] : [])),
  );
  return [...new Set(parts)];
}

/** The folders of charts among a folder and those above it, each with `/` at its end; the root is empty. */
export function chartsAround(tree: PinTree, folder: string): readonly string[] {
  return foldersAround(folder).filter((around) => tree.files.has(`${around}Chart.yaml`));
}

/** The files of a side by each of the folders that they are below. */
export const filesBelow = memoizeByObject(({ files }: PinTree) =>
  groupBy(
    [...files.keys()].flatMap((file) => foldersAround(file).map((folder) => ({ folder, file }))),
    ({ folder }) => folder,
  ),
);

/** The files of a side by the last part of their paths. */
export const filesByName = memoizeByObject(({ files }: PinTree) =>
  groupBy([...files.keys()], (file) => file.slice(folderOf(file).length)),
);

/** The folder of a file, and those above it, each with `/` at its end; the root is empty. */
export function foldersAround(file: string): readonly string[] {
  const folder = folderOf(file);
  return folder === '' ? [''] : [folder, ...foldersAround(folder.slice(0, -1))];
}

/** Whether a file shows the dependencies of a chart, its own release, or its parent. */
export function isPartOfChart(chart: string, file: string): boolean {
  return file.startsWith(chart) && /^(?:Chart\.|requirements\.|charts\/)/.test(file.slice(chart.length));
}

/** The files with a word, in capitals or not. */
export async function filesWith(tree: PinTree, word: string): Promise<readonly string[]> {
  if (tree.filesWith !== undefined) return tree.filesWith(word);
  const files: string[] = [];
  for (const [name, entry] of tree.files) {
    if (entry.kind !== 'file') continue;
    const text = decoded(await tree.read(entry));
    if (text.toLowerCase().includes(word.toLowerCase())) files.push(name);
  }
  return files;
}

/** @returns undefined if the side has no such file */
export async function readText(tree: PinTree, file: string): Promise<string | undefined> {
  const entry = tree.files.get(file);
  if (entry === undefined) return undefined;
  const refuse = (fault: string, hint: string) =>
    new LightspanError('invalid-pin', `${file} ${fault}`, { hint });
  if (entry.kind !== 'file') throw refuse(...noFile[entry.kind]);
  const bytes = await tree.read(entry);
  if (bytes.length > maxBytes) throw refuse(`is larger than ${maxBytes} bytes`, pinOneRelease);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw refuse('is not UTF-8 text', pinOneRelease);
  }
}

const noFile: Readonly<Record<Exclude<TreeFile['kind'], 'file'>, [fault: string, hint: string]>> = {
  link: ['is a link', 'Name the file that it points to.'],
  submodule: ['is a submodule', 'Run this in the repository of the submodule.'],
  unnamed: ['has a path that is not UTF-8, like another file', 'Rename it.'],
  unknown: ['exists only next to the file of the other side', 'Put one next to each of the two files.'],
  unmerged: ['is not merged', 'Resolve the conflict, and stage the file.'],
};

export function folderOf(file: string): string {
  return file.slice(0, file.lastIndexOf('/') + 1);
}

/** A text of any encoding that leaves its letters readable. */
export function decoded(bytes: Uint8Array | undefined): string {
  return new TextDecoder().decode(bytes).replaceAll('\0', '');
}
