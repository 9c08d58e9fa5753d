import { printable } from '../printable.js';

/** What a word of our output means. Every surface that explains it takes the words from here. */
export interface Word {
  /** As answers print it, where that is not the word itself. */
  readonly label?: string;
  /** The first sentence stands alone in lists. */
  readonly meaning: string;
  /** The span rule that says so. */
  readonly rule?: SpanRule;
  /** What to do about it. */
  readonly remedy?: string;
}

/** The contract's "Span rules". */
export type SpanRule = 1 | 2 | 3 | 4 | 5 | 6 | 7;

/** The contract's "Deployment mapping". */
export type DeploymentRule = 1 | 2 | 3 | 4 | 5;

/** How one of each kind of something is described. Leaving a kind out does not compile. */
export type Descriptions<Item extends { readonly kind: string }, With extends readonly unknown[] = []> = {
  readonly [Kind in Item['kind']]: {
    /** A clause, without a full stop. */
    describe(item: Extract<Item, { readonly kind: Kind }>, ...rest: With): string;
  };
};

/** The same, with what each kind means. */
export type Words<
  Item extends { readonly kind: string },
  With extends readonly unknown[] = [],
> = Descriptions<Item, With> & Readonly<Record<Item['kind'], Word>>;

/** Describes one of its kind. Names from outside stand in it: none of them begins a line or moves a terminal. */
export function describeBy<Item extends { readonly kind: string }, With extends readonly unknown[]>(
  words: Descriptions<Item, With>,
  item: Item,
  ...rest: With
): string {
  const kind: Item['kind'] = item.kind;
  const word: { describe(item: Item, ...rest: With): string } = words[kind];
  return printable(word.describe(item, ...rest));
}

/** A word that lightspan writes or takes, and what it means. */
export interface ExplainedWord extends Word {
  readonly word: string;
  /** What kind of word it is; a word may be of several. */
  readonly group: string;
  /** Error codes: the exit code of a command that fails with it. */
  readonly exitCode?: number;
}
