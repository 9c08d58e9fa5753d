/** A word in single quotes for bash and zsh. */
export function quotePosix(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}

/** A word in single quotes for fish. */
export function quoteFish(word: string): string {
  return `'${word.replaceAll(/['\\]/g, '\\$&')}'`;
}
