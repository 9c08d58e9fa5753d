import type { CommandContext } from './context.js';

/** One line that says how far a command is, for a person who waits. */
export interface Progress {
  readonly show: (text: string) => void;
  /** Takes the line away again. */
  readonly clear: () => void;
}

const clearLine = '\r\u001b[K';

/** On standard error and on a terminal only, which can clear a line: nothing of it ends up in a log. */
export function createProgress({ stderr, env }: Pick<CommandContext, 'stderr' | 'env'>): Progress {
  if (stderr.isTTY !== true || env.TERM === 'dumb') return { show: () => {}, clear: () => {} };
  return {
    show: (text) => stderr.write(`${clearLine}${text.slice(0, (stderr.columns ?? 80) - 1)}`),
    clear: () => stderr.write(clearLine),
  };
}
