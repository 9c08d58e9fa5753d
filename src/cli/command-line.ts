import type { SettingsOutcome } from '../question/settings.js';

/** What a command gets of its command line beside its options. */
export interface CommandLine {
  readonly words: UsersWords;
  readonly settings: SettingsOutcome;
}

/** The user's own words, of which an answer makes the commands that it proposes. */
export interface UsersWords {
  readonly all: readonly string[];
  /** Those that say what to judge by; every command that judges a span takes them. */
  readonly evidence: readonly string[];
}
