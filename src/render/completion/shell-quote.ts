/** A word in single quotes, as bash and zsh read them. */
export function quotePosix(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}

/** A word in single quotes, as fish reads them. */
export function quoteFish(word: string): string {
  return `'${word.replaceAll(/['\\]/g, '\\$&')}'`;
}
