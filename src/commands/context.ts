import type { ExitCode } from '../exit-codes.js';

/** What a command may touch of the world; tests hand in their own. */
export interface CommandContext {
  readonly stdout: Output;
  readonly stderr: Output;
  readonly stdin: AsyncIterable<Uint8Array>;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly now: () => Date;
  /** Milliseconds since some moment, by a clock that nobody sets. */
  readonly monotonicMs: () => number;
  readonly sleep: (ms: number) => Promise<void>;
  /** What is said before a signal ends the process; undefined takes it back. */
  readonly lastWords: (say: (() => void) | undefined) => void;
  /** Another one at every call. */
  readonly randomUuid: () => string;
}

export interface Output {
  readonly write: (text: string) => unknown;
  /**
   * Resolves when all that was written has been taken.
   *
   * @throws {LightspanError} `unwritable-output` where some of it was not
   */
  readonly flush?: () => Promise<void>;
  readonly isTTY?: boolean;
  readonly columns?: number;
}

/** The same output, which takes another text in place of each that is written. */
export function mapOutput(output: Output, map: (text: string) => string): Output {
  const { flush, isTTY, columns } = output;
  return {
    write: (text) => output.write(map(text)),
    ...(flush === undefined ? {} : { flush: () => flush.call(output) }),
    ...(isTTY === undefined ? {} : { isTTY }),
    ...(columns === undefined ? {} : { columns }),
  };
}

export const usualWidth = 80;

/** Columns of the terminal that is written to; undefined where it is none, and lines may be as long as they are. */
export function widthOf({ isTTY, columns }: Pick<Output, 'isTTY' | 'columns'>): number | undefined {
  // A terminal that does not know its width says 0.
  return isTTY === true ? columns || usualWidth : undefined;
}

/** Hands a declared command what it needs and takes its exit code. */
export type Act = (command: (context: CommandContext) => Promise<ExitCode>) => Promise<void>;
