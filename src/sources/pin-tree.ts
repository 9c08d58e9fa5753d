/** One side of a change: files by their path from the root, with `/` as separator. */
export interface PinTree {
  readonly files: ReadonlyMap<string, TreeFile>;
  readonly read: (file: TreeFile) => Promise<Uint8Array>;
}

export interface TreeFile {
  /** Equal for equal bytes. */
  readonly id: string;
  /** `unnamed` if its path is not UTF-8: it may stand for several. */
  readonly kind: 'file' | 'link' | 'submodule' | 'unmerged' | 'unnamed';
}

/** One file as a side, under the name that the pins use for it, whatever its real name. */
export function treeOfText(name: string, text: string): PinTree {
  return {
    files: new Map([[name, { id: text, kind: 'file' }]]),
    read: async () => new TextEncoder().encode(text),
  };
}
