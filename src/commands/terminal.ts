import { colourPalette, type Palette, plainPalette } from '../render/palette.js';
import { toAscii } from '../render/printable.js';
import { type CommandContext, mapOutput } from './context.js';
import type { OutputOptions } from './options.js';

/**
 * The palette for standard output: the flag decides, then `NO_COLOR`, `FORCE_COLOR`, `TERM`, and whether it is a
 * terminal.
 */
export async function choosePalette(
  { color }: Pick<OutputOptions, 'color'>,
  { env, stdout }: Pick<CommandContext, 'env' | 'stdout'>,
): Promise<Palette> {
  const coloured = color ?? colourOfEnvironment(env) ?? stdout.isTTY === true;
  return coloured ? colourPalette : plainPalette;
}

/**
 * By the conventions of no-color.org and force-color.org: set and not empty; `FORCE_COLOR=0` and `=false` turn it off.
 */
function colourOfEnvironment(env: CommandContext['env']): boolean | undefined {
  if (env.NO_COLOR) return false;
  if (env.FORCE_COLOR) return env.FORCE_COLOR !== '0' && env.FORCE_COLOR !== 'false';
  return env.TERM === 'dumb' ? false : undefined;
}

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

/** One line that shows the progress of a command to a person who waits. */
export interface Progress {
  readonly show: (text: string) => void;
  /** Removes the line. */
  readonly clear: () => void;
}

const clearLine = '\r\u001b[K';

/** Only on standard error and only on a terminal, which can clear a line: none of it ends up in a log. */
export function createProgress({ stderr, env }: Pick<CommandContext, 'stderr' | 'env'>): Progress {
  if (stderr.isTTY !== true || env.TERM === 'dumb') return { show: () => {}, clear: () => {} };
  return {
    show: (text) => stderr.write(`${clearLine}${text.slice(0, (stderr.columns ?? 80) - 1)}`),
    clear: () => stderr.write(clearLine),
  };
}
