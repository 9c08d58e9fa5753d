import { firstWord } from './commands/first-word.js';

/**
 * The files that the program is built as: the part for a check, and all of it. A check is the most frequent command,
 * and must start fastest.
 */
export type PartOfProgram = 'check' | 'main';

/** The smallest part that contains what a command line needs. */
export function partFor(argv: readonly string[]): PartOfProgram {
  return firstWord(argv) === 'upgrade-check' || asksVersionAlone(argv) ? 'check' : 'main';
}

/** Scripts call this to test whether lightspan is installed. */
export function asksVersionAlone(argv: readonly string[]): boolean {
  return argv.length === 1 && (argv[0] === '--version' || argv[0] === '-V');
}
