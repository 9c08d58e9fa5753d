import { toAscii } from '../render/printable.js';
import { type CommandContext, mapOutput } from './context.js';

/** The first of the three that is set and not empty, as in POSIX; if none is, the locale is C. */
export function takesUtf8({ LC_ALL, LC_CTYPE, LANG }: CommandContext['env']): boolean {
  // On macOS, LC_CTYPE contains only the character set.
  return /(?:^|\.)utf-?8(?:@|$)/i.test(LC_ALL || LC_CTYPE || LANG || 'C');
}

/**
 * The same context for a locale without UTF-8: terminals and messages receive ASCII. Standard output into a pipe or a
 * file is data, and stays UTF-8.
 *
 * @param exact whether standard output has a format that a program may read
 */
export function inAscii(context: CommandContext, { exact }: { readonly exact: boolean }): CommandContext {
  const { stdout, stderr } = context;
  return {
    ...context,
    stdout: stdout.isTTY === true ? mapOutput(stdout, (text) => toAscii(text, { exact })) : stdout,
    stderr: mapOutput(stderr, (text) => toAscii(text)),
  };
}
