import { LightspanError } from '../errors.js';

/** One side of a change: files by their path from the root, with `/` as separator. */
export interface PinTree {
  readonly files: ReadonlyMap<string, TreeFile>;
  readonly read: (file: TreeFile) => Promise<Uint8Array>;
}

export interface TreeFile {
  /** Equal for equal bytes. */
  readonly id: string;
  /**
   * `unnamed` if several have its path, which is then not UTF-8. `unknown` if there may be a file of which only the
   * other side has the contents.
   */
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
/** A larger file contains more than pins. */
const maxBytes = 1024 * 1024;

/** Reads the files of a side, and records which. */
export interface Reader {
  /** @returns undefined if the side has no such file */
  readonly read: (file: string) => Promise<string | undefined>;
  /** Records the charts around a folder: each of them may decide what an empty tag stands for. */
  readonly noteCharts: (folder: string) => void;
  /** Equal if everything that was read, and everything that was missing, is equal; undefined if not known. */
  readonly inputs: () => string | undefined;
}

export function readerOf(tree: PinTree): Reader {
  const ids: (string | undefined)[] = [];
  // The target of a link may change although the link does not.
  const idOf = ({ kind, id }: TreeFile) => (kind === 'file' || kind === 'submodule' ? id : undefined);
  return {
    inputs: () => (ids.includes(undefined) ? undefined : ids.join('\0')),
    read: async (file) => {
      const entry = tree.files.get(file);
      ids.push(entry === undefined ? '' : idOf(entry));
      return entry && readText(tree, file, entry);
    },
    noteCharts: (folder) => {
      const charts = chartsAround(tree, folder);
      for (const [name, entry] of tree.files) {
        if (!charts.some((chart) => isPartOfChart(chart, name))) continue;
        const id = idOf(entry);
        ids.push(id && `${name} ${id}`);
      }
    },
  };
}

/** The folders of charts among a folder and those above it, each with `/` at its end; the root is empty. */
export function chartsAround({ files }: Pick<PinTree, 'files'>, folder: string): readonly string[] {
  const above = folder === '' ? [] : chartsAround({ files }, folderOf(folder.slice(0, -1)));
  return files.has(`${folder}Chart.yaml`) ? [folder, ...above] : above;
}

/** Whether a file shows the dependencies of a chart, its own release, or its parent. */
export function isPartOfChart(chart: string, file: string): boolean {
  return file.startsWith(chart) && /^(?:Chart\.|requirements\.|charts\/)/.test(file.slice(chart.length));
}

export async function readText(tree: PinTree, file: string, entry: TreeFile): Promise<string> {
  const refuse = (what: string, hint: string) =>
    new LightspanError('invalid-pin', `${file} ${what}`, { hint });
  if (entry.kind !== 'file') throw refuse(...noFile[entry.kind]);
  const bytes = await tree.read(entry);
  if (bytes.length > maxBytes) throw refuse(`is larger than ${maxBytes} bytes`, pinOneRelease);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw refuse('is not UTF-8 text', pinOneRelease);
  }
}

const noFile: Readonly<Record<Exclude<TreeFile['kind'], 'file'>, [what: string, hint: string]>> = {
  link: ['is a link', 'Name the file that it points to.'],
  submodule: ['is a submodule', 'Run this in the repository of the submodule.'],
  unnamed: ['has a path that is not UTF-8, as another file has', 'Rename it.'],
  unknown: ['is next to the file of the other side alone', 'Put one next to each of the two files.'],
  unmerged: ['is not merged', 'Resolve the conflict, and stage the file.'],
};

export function folderOf(file: string): string {
  return file.slice(0, file.lastIndexOf('/') + 1);
}
