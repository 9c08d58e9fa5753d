import { wrapProse } from '../answer/formats/wrap.js';
import { type CommandContext, type Output, widestProse } from './context.js';

const clearLine = '\r\u001b[K';

/**
 * Standard output and standard error of a terminal, which share one screen: its last line may show progress, and any
 * other output clears that first. Text on standard error is wrapped at words.
 */
export function screenOf(
  { stdout, stderr }: Pick<CommandContext, 'stdout' | 'stderr'>,
  env: CommandContext['env'],
): Pick<CommandContext, 'stdout' | 'stderr'> {
  if (stderr.isTTY !== true) return { stdout, stderr };
  const canClear = env.TERM !== 'dumb';
  const columns = () => stderr.columns || 80;
  let shown = '';
  const status = (line: string) => {
    if (!canClear || line === shown) return;
    stderr.write(`${clearLine}${line.slice(0, columns() - 1)}`);
    shown = line;
  };
  const clearing = (output: Output, map: (text: string) => string): Output => ({
    ...output,
    write: (text) => {
      status('');
      return output.write(map(text));
    },
    get isTTY() {
      return output.isTTY === true;
    },
    get columns() {
      return output.columns ?? 80;
    },
  });
  return {
    // Only what goes to the same screen.
    stdout: stdout.isTTY === true ? clearing(stdout, (text) => text) : stdout,
    stderr: { ...clearing(stderr, (text) => wrapProse(text, Math.min(columns(), widestProse))), status },
  };
}
