import type { ExitCode } from '../exit-codes.js';

/** What a command may use of its environment; tests pass their own. */
export interface CommandContext {
  readonly stdout: Output;
  readonly stderr: Output;
  readonly stdin: AsyncIterable<Uint8Array>;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly now: () => Date;
  /** Milliseconds of a monotonic clock. */
  readonly monotonicMs: () => number;
  readonly sleep: (ms: number) => Promise<void>;
  /** Sets a function that reports something before a signal ends the process; undefined removes it. */
  readonly lastWords: (say: (() => void) | undefined) => void;
  /** A new one at every call. */
  readonly randomUuid: () => string;
}

export interface Output {
  readonly write: (text: string) => unknown;
  /**
   * Resolves when all output has been accepted.
   *
   * @throws {LightspanError} `unwritable-output` if some of it was not
   */
  readonly flush?: () => Promise<void>;
  readonly isTTY?: boolean;
  readonly columns?: number;
}

/** The same output, but with every text replaced by the result of `map`. */
export function mapOutput(output: Output, map: (text: string) => string): Output {
  return { ...output, write: (text) => output.write(map(text)) };
}

export const usualWidth = 80;

/** The width of the terminal in columns; undefined for other outputs, whose lines may have any length. */
export function widthOf({ isTTY, columns }: Pick<Output, 'isTTY' | 'columns'>): number | undefined {
  // A terminal that does not know its width reports 0.
  return isTTY === true ? columns || usualWidth : undefined;
}

/** Runs a declared command with its context and receives its exit code. */
export type Act = (command: (context: CommandContext) => Promise<ExitCode>) => Promise<void>;
