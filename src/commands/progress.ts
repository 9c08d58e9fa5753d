import type { CommandContext } from './context.js';

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
