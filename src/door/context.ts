import type { ColorSupportLevel } from 'chalk';
import packageJson from '../../package.json' with { type: 'json' };
import { type Palette, paletteOf, plainPalette } from '../answer/formats/palette.js';
import type { Env } from '../core/common/env.js';

export interface CommandContext {
  readonly stdout: Output;
  readonly stderr: Output;
  readonly stdin: AsyncIterable<Uint8Array>;
  readonly env: Env;
  readonly now: () => Date;
  readonly monotonicMs: () => number;
  readonly sleep: (ms: number) => Promise<void>;
  /** Sets a function that reports something before a signal ends the process; undefined removes it. */
  readonly onSignal: (say: (() => void) | undefined) => void;
  readonly randomUuid: () => string;
}

export interface Output {
  readonly write: (text: string) => unknown;
  /** Resolves when all output has been accepted; else it throws `unwritable-output`. */
  readonly flush?: () => Promise<void>;
  readonly isTTY?: boolean;
  readonly columns?: number;
  /** Shows a line of progress until something else is written; an empty one clears it. On a terminal alone. */
  readonly status?: (line: string) => void;
}

export function mapOutput(output: Output, map: (text: string) => string): Output {
  return { ...output, write: (text) => output.write(map(text)) };
}

export const usualWidth = 80;

/** Longer lines of prose are hard to read, however wide the terminal is. */
export const widestProse = 100;

/** The width of the terminal in columns; undefined for other outputs, whose lines may have any length. */
export function widthOf({ isTTY, columns }: Pick<Output, 'isTTY' | 'columns'>): number | undefined {
  // A terminal that does not know its width reports 0.
  return isTTY === true ? columns || usualWidth : undefined;
}

/**
 * The palette for standard output. chalk is loaded only if colour is written, and gets its level from us: by itself it
 * would rank FORCE_COLOR above `--no-color`, and does not know NO_COLOR.
 */
export async function choosePalette(...of: Parameters<typeof colourLevel>): Promise<Palette> {
  const level = colourLevel(...of);
  if (level === 0) return plainPalette;
  const { Chalk } = await import('chalk');
  return paletteOf(new Chalk({ level }));
}

/** A level of chalk, 0 for no colour: the flag decides, then the environment, then whether it is a terminal. */
export function colourLevel(
  { color }: { readonly color?: boolean | undefined },
  { env, stdout }: Pick<CommandContext, 'env' | 'stdout'>,
): ColorSupportLevel {
  if (color !== undefined) return color ? 1 : 0;
  return levelOfEnvironment(env) ?? (stdout.isTTY === true ? 1 : 0);
}

/**
 * By no-color.org and force-color.org: set and not empty. FORCE_COLOR may be a level; `false` is 0, any other word 1.
 */
function levelOfEnvironment(env: CommandContext['env']): ColorSupportLevel | undefined {
  if (env.NO_COLOR || env.FORCE_COLOR === 'false') return 0;
  if (env.FORCE_COLOR) {
    return /^\d+$/.test(env.FORCE_COLOR) ? (Math.min(Number(env.FORCE_COLOR), 3) as ColorSupportLevel) : 1;
  }
  return env.TERM === 'dumb' ? 0 : undefined;
}

/** Whether a terminal has letters beyond ASCII: by its locale, where it names one. */
export function isAscii(env: CommandContext['env']): boolean {
  const locale = env.LC_ALL || env.LC_CTYPE || env.LANG || '';
  return locale !== '' && !/utf-?8/i.test(locale);
}

/** One line that shows the progress of a command to a person who waits. */
export interface Progress {
  readonly show: (text: string) => void;
  readonly clear: () => void;
}

/** Only on standard error and only on a terminal, which can clear a line: none of it ends up in a log. */
export function createProgress({ stderr }: Pick<CommandContext, 'stderr'>): Progress {
  const { status = () => {} } = stderr;
  return { show: status, clear: () => status('') };
}

/** Shows what is waited for, and for how long, from the first second on; any other output clears it first. */
export async function whileWaiting<T>(
  context: Pick<CommandContext, 'stderr'>,
  what: string,
  work: (clear: () => void) => Promise<T>,
): Promise<T> {
  const { show, clear } = createProgress(context);
  let seconds = 0;
  const ticking = setInterval(() => show(`${what}: ${++seconds} s`), 1000);
  try {
    return await work(clear);
  } finally {
    clearInterval(ticking);
    clear();
  }
}

export const packageVersion: string = packageJson.version;
