import { printable } from './printable.js';

/** One word of a POSIX shell command: unchanged if it contains nothing special to a shell, else in single quotes. */
export function shellWord(text: string): string {
  return /^[\w@%+:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** A command line with more words, as one command to copy; undefined where an address in it may have a password. */
export function commandWith(line: readonly string[], more: readonly string[]): string | undefined {
  if (line.some((word) => /:\/\/[^/]*@/.test(word))) return undefined;
  const words = line.filter((word) => !/^--(no-)?color$/.test(word));
  return ['lightspan', ...words, ...more].map(commandWord).join(' ');
}

/** What came by standard input is gone: the shell stops, and says so, unless a variable names it as a file. */
function commandWord(word: string): string {
  return /^(--[a-z-]+=)?-$/.test(word)
    ? `${word.slice(0, -1)}"\${FILE:?piped input}"`
    : shellWord(printable(word));
}

/** From the words of a command line, the named options with their values, as the user wrote them. */
export function optionsNamed(words: readonly string[], ...names: readonly string[]): readonly string[] {
  return words.flatMap((word, i) => {
    const isWhole = names.some((name) => word.startsWith(`${name}=`));
    return isWhole ? [word] : names.includes(word) ? words.slice(i, i + 2) : [];
  });
}

/** The words of a command line without the named options and their values. */
export function withoutOptions(words: readonly string[], ...names: readonly string[]): readonly string[] {
  return words.filter((word, i) => {
    const isValue = names.includes(words[i - 1] ?? '');
    return !isValue && !names.some((name) => word === name || word.startsWith(`${name}=`));
  });
}

/** A value that the user must fill in: the shell stops, with `message` if there is one, if the variable is not set. */
export function shellPlaceholder(variable: string, message = ''): string {
  return `"\${${variable}:?${message}}"`;
}

/** A name as a PostgreSQL identifier. It is always quoted, because any plain word may be reserved. */
export function sqlName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** A text as a PostgreSQL string, valid with any value of `standard_conforming_strings`. */
export function sqlText(text: string): string {
  const quoted = `'${text.replaceAll("'", "''").replaceAll('\\', '\\\\')}'`;
  return text.includes('\\') ? `E${quoted}` : quoted;
}

export function underKeys(path: readonly string[], lines: readonly string[]): readonly string[] {
  return path.reduceRight<readonly string[]>(
    (inner, key) => [`${keyWord(key)}:`, ...inner.map((line) => `  ${line}`)],
    lines,
  );
}

/** Unchanged if it has no other meaning in YAML, else in double quotes. */
function keyWord(key: string): string {
  return /^[A-Za-z_][\w.-]*$/.test(key) && !/^(?:true|false|null|yes|no|on|off|y|n)$/i.test(key)
    ? key
    : printable(JSON.stringify(key));
}
