import type { FoundPin } from '../found-pin.js';
import type { PinTree } from '../pin-tree.js';
import type { WrittenPlace } from '../written-place.js';
import type { PinFile } from '../yaml/pin-documents.js';

/** One side of a file that a change touches, or a file alone. */
export interface TextSource {
  readonly file: string;
  readonly text: string;
  /** All files of the side, for what decides a pin beside it: `.env` of a compose file, the chart around values. */
  readonly tree: PinTree;
  /** Where the other side alone has pins. Whatever stands there on this side is returned too, to compare them. */
  readonly alsoAt: readonly Pick<FoundPin, 'path' | 'id'>[];
}

export interface PinSource extends TextSource {
  /** The text as YAML, with the variables of the `.env` beside it filled in where it is a compose file. */
  readonly yaml: () => Promise<PinFile>;
  readonly tagSuffix: string | undefined;
  /** Whether the operator named the file: then values without a name are Lightdash's, whatever the file is called. */
  readonly isGiven?: boolean;
  /** Whether what refers to Lightdash uses the file: then values without a name are its own. */
  readonly isUsed?: boolean;
}

/**
 * A kind of file in which people keep the version of Lightdash. A new kind is one file in this folder, and one line in
 * `kinds.ts`: in `textKinds` if it is a {@link TextKind}; in `kinds` alone if it reads its pins itself, which counts
 * only where pins are searched for, in `pin-check` and `init`. Every kind that matches a file reads it; a version that
 * two of them find in one line counts once, as the first of them in the table tells it.
 *
 * A kind tells what it is sure of, and leaves out the rest: a difference of a file that refers to Lightdash, and that
 * no pin explains, is not judged (`compare/unexplained.ts`), and that is never a yes. A pin explains the text that is
 * `written` in its `line`, or in YAML and JSON the value at its `path`.
 */
export interface Kind {
  /**
   * By the name of the file, and where that tells nothing, by its text: neither may be costly. `mayBeOf` says that it
   * may be of Lightdash although its text does not have the word: values of a chart, a file that another one names.
   */
  readonly matches: (file: string, text: string, mayBeOf: boolean) => boolean;
  /**
   * The pins of Lightdash in the file, and what is at `alsoAt`.
   *
   * @throws {LightspanError} `invalid-pin` where the file cannot be read: it then has no pins, and what differs in it
   * is not explained
   */
  readonly read: (source: PinSource) => Promise<readonly FoundPin[]>;
}

/**
 * A kind that is neither YAML nor JSON: it tells where a release is written, and who reads that is the same for all. So
 * `--pin`, `upgrade-bump` and `--from-file` can name its places too.
 */
export interface TextKind extends Pick<Kind, 'matches'> {
  readonly places: (source: TextSource) => Promise<readonly WrittenPlace[]>;
}
