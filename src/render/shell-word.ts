/** One word of a POSIX shell command: as it is where nothing in it means anything to a shell, else in single quotes. */
export function shellWord(text: string): string {
  return /^[\w@%+:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** A value that the user has to fill in: a shell stops with `message` where the variable is not set. */
export function shellPlaceholder(variable: string, message: string): string {
  return `"\${${variable}:?${message}}"`;
}
