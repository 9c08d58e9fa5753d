/**
 * The first word of a command line: a command, or something unknown. No option with a separate value can precede it.
 */
export function firstWord(argv: readonly string[]): string | undefined {
  return argv.find((argument) => !argument.startsWith('-'));
}
