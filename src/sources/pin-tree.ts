/** One side of a change: files by their path from the root, with `/` as separator. */
export interface PinTree {
  readonly files: ReadonlyMap<string, TreeFile>;
  readonly read: (file: TreeFile) => Promise<Uint8Array>;
}

export interface TreeFile {
  /** Equal for equal bytes. */
  readonly id: string;
  /**
   * `unnamed` if its path is not UTF-8: it may stand for several. `unknown` if there may be a file of which only the
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
