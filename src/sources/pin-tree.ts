/** One side of a change: files by their path from the root, with `/` between its parts. */
export interface PinTree {
  readonly files: ReadonlyMap<string, TreeFile>;
  readonly read: (file: TreeFile) => Promise<Uint8Array>;
}

export interface TreeFile {
  /** Equal for equal bytes. */
  readonly id: string;
  readonly kind: 'file' | 'link' | 'submodule' | 'unmerged';
}

/** One file as a side, whatever it is called: by the name that the pins call it by. */
export function treeOfText(name: string, text: string): PinTree {
  return {
    files: new Map([[name, { id: text, kind: 'file' }]]),
    read: async () => new TextEncoder().encode(text),
  };
}
