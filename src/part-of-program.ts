import { firstWord } from './commands/first-word.js';

/** The files that the program is built as: what a check loads, and all of it. A check is asked most, and waits least. */
export type PartOfProgram = 'check' | 'main';

/** The smallest that holds what a command line asks for. */
export function partFor(argv: readonly string[]): PartOfProgram {
  return firstWord(argv) === 'upgrade-check' || asksVersionAlone(argv) ? 'check' : 'main';
}

/** Asked for by every script that looks whether lightspan is there. */
export function asksVersionAlone(argv: readonly string[]): boolean {
  return argv.length === 1 && (argv[0] === '--version' || argv[0] === '-V');
}
