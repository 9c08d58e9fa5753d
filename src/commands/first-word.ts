/** What a command line names first, which is a command or nothing known: no option stands before one with its value. */
export function firstWord(argv: readonly string[]): string | undefined {
  return argv.find((argument) => !argument.startsWith('-'));
}
