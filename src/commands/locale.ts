import { toAscii } from '../render/ascii.js';
import { type CommandContext, mapOutput } from './context.js';

/** The first of the three that is set and not empty, as POSIX has it; where none is, the locale is C. */
export function takesUtf8({ LC_ALL, LC_CTYPE, LANG }: CommandContext['env']): boolean {
  // On macOS LC_CTYPE is the character set alone.
  return /(?:^|\.)utf-?8(?:@|$)/i.test(LC_ALL || LC_CTYPE || LANG || 'C');
}

/**
 * The same world for a locale without UTF-8: a terminal, and whoever reads messages, get ASCII. What goes into a pipe or
 * a file from standard output is data, and stays UTF-8.
 *
 * @param exact standard output is written in a format that a program may read
 */
export function inAscii(context: CommandContext, { exact }: { readonly exact: boolean }): CommandContext {
  const { stdout, stderr } = context;
  return {
    ...context,
    stdout: stdout.isTTY === true ? mapOutput(stdout, (text) => toAscii(text, { exact })) : stdout,
    stderr: mapOutput(stderr, (text) => toAscii(text)),
  };
}
