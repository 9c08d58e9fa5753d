import type { SettingsOutcome } from '../question/settings.js';

/** What a command gets from its command line besides its options. */
export interface CommandLine {
  readonly words: UsersWords;
  readonly settings: SettingsOutcome;
}

/** The user's own words, of which an answer makes the commands that it proposes. */
export interface UsersWords {
  readonly all: readonly string[];
  /** The words that name the evidence; every command that judges a span takes them. */
  readonly evidence: readonly string[];
}
