/** What a word of our output means. Every surface that explains it takes the words from here. */
export interface Fact {
  /** The first sentence stands alone in lists. */
  readonly meaning: string;
  readonly toDo?: string;
  /** The span rule that says so. */
  readonly rule?: SpanRule;
}

/** The contract's "Span rules". */
export type SpanRule = 1 | 2 | 3 | 4 | 5 | 6 | 7;

/** The contract's "Deployment mapping". */
export type DeploymentRule = 1 | 2 | 3 | 4 | 5;

/** A word that lightspan writes or takes, and what it means. */
export interface ExplainedWord extends Fact {
  readonly word: string;
  /** What kind of word it is; a word may be of several. */
  readonly group: string;
  /** Error codes: the exit code of a command that fails with it. */
  readonly exitCode?: number;
}
