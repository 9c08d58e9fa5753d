import packageJson from '../../package.json' with { type: 'json' };
import { colourPalette, type Palette, plainPalette } from '../answer/formats/palette.js';
import type { ExitCode } from './exit-codes.js';

export interface CommandContext {
  readonly stdout: Output;
  readonly stderr: Output;
  readonly stdin: AsyncIterable<Uint8Array>;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly now: () => Date;
  readonly monotonicMs: () => number;
  readonly sleep: (ms: number) => Promise<void>;
  /** Sets a function that reports something before a signal ends the process; undefined removes it. */
  readonly lastWords: (say: (() => void) | undefined) => void;
  readonly randomUuid: () => string;
}

export interface Output {
  readonly write: (text: string) => unknown;
  /** Resolves when all output has been accepted; else it throws `unwritable-output`. */
  readonly flush?: () => Promise<void>;
  readonly isTTY?: boolean;
  readonly columns?: number;
}

export function mapOutput(output: Output, map: (text: string) => string): Output {
  return { ...output, write: (text) => output.write(map(text)) };
}

export const usualWidth = 80;

/** The width of the terminal in columns; undefined for other outputs, whose lines may have any length. */
export function widthOf({ isTTY, columns }: Pick<Output, 'isTTY' | 'columns'>): number | undefined {
  // A terminal that does not know its width reports 0.
  return isTTY === true ? columns || usualWidth : undefined;
}

export type Act = (command: (context: CommandContext) => Promise<ExitCode>) => Promise<void>;

/** The palette for standard output: the flag decides, then the environment, and whether it is a terminal. */
export async function choosePalette(
  { color }: { readonly color?: boolean },
  { env, stdout }: Pick<CommandContext, 'env' | 'stdout'>,
): Promise<Palette> {
  const coloured = color ?? colourOfEnvironment(env) ?? stdout.isTTY === true;
  return coloured ? colourPalette : plainPalette;
}

/** By no-color.org and force-color.org: set and not empty; `FORCE_COLOR=0` and `=false` turn it off. */
function colourOfEnvironment(env: CommandContext['env']): boolean | undefined {
  if (env.NO_COLOR) return false;
  if (env.FORCE_COLOR) return env.FORCE_COLOR !== '0' && env.FORCE_COLOR !== 'false';
  return env.TERM === 'dumb' ? false : undefined;
}

/** One line that shows the progress of a command to a person who waits. */
export interface Progress {
  readonly show: (text: string) => void;
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

export const packageVersion: string = packageJson.version;
