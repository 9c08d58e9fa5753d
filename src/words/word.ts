import { printable } from '../core/text/printable.js';

/** The meaning of a word in our output. Everything that explains it takes the text from here. */
export interface Word {
  /** As answers print it, if that is not the word itself. */
  readonly label?: string;
  /** The first sentence is used alone in lists. */
  readonly meaning: string;
  readonly rule?: SpanRule;
  readonly remedy?: string;
}

export type SpanRule = 1 | 2 | 3 | 4 | 5 | 6 | 7;

export type DeploymentRule = 1 | 2 | 3 | 4 | 5;

/** How to describe one item of each kind. Leaving a kind out does not compile. */
export type Descriptions<Item extends { readonly kind: string }, With extends readonly unknown[] = []> = {
  readonly [Kind in Item['kind']]: {
    /** A clause, without a full stop. */
    describe(item: Extract<Item, { readonly kind: Kind }>, ...rest: With): string;
  };
};

export type Words<
  Item extends { readonly kind: string },
  With extends readonly unknown[] = [],
> = Descriptions<Item, With> & Readonly<Record<Item['kind'], Word>>;

/**
 * Describes an item in the words of its kind. It may contain names from outside: none of them can begin a line or
 * control a terminal.
 */
export function describeBy<Item extends { readonly kind: string }, With extends readonly unknown[]>(
  words: Descriptions<Item, With>,
  item: Item,
  ...rest: With
): string {
  const kind: Item['kind'] = item.kind;
  const word: { describe(item: Item, ...rest: With): string } = words[kind];
  return printable(word.describe(item, ...rest));
}

/** A word that lightspan writes or reads, and its meaning. */
export interface ExplainedWord extends Word {
  readonly word: string;
  /** What kind of word it is; a word may be of several. */
  readonly group: string;
  /** For an error code: the exit code of a command that fails with it. */
  readonly exitCode?: number;
}
