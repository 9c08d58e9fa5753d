import { type Command, Help } from 'commander';
import type { ExitCode } from '../exit-codes.js';

/** What the help of a command tells beside its flags. The pages in `docs/` are made of the same. */
export interface Usage {
  /** What there is to know before the exit codes, in lines of at most 120 characters. */
  readonly notes?: string;
  /** What each exit code of this command means. */
  readonly exitCodes: ExitCodeMeanings;
  /** Command lines to copy, two or more; a test parses every one. */
  readonly examples: readonly [string, string, ...string[]];
}

/** Every command can succeed, and every one can be asked wrongly. */
export type ExitCodeMeanings = Readonly<Record<0 | 2, string> & Partial<Record<ExitCode, string>>>;

const usages = new WeakMap<Command, Usage>();

/** Shows it at the end of the command's help, the same for every command. */
export function addUsage(command: Command, usage: Usage): Command {
  usages.set(command, usage);
  return command.addHelpText('after', () => `\n${renderUsage(usage)}`);
}

/** What `addUsage` was given; undefined for a command that only groups others. */
export function usageOf(command: Command): Usage | undefined {
  return usages.get(command);
}

/** No line of help is longer, on however wide a terminal. */
const widest = 120;

function renderUsage({ notes, exitCodes, examples }: Usage): string {
  const indent = '     ';
  const wrapped = (text: string) => new Help().boxWrap(text, widest - indent.length);
  const parts = [
    ...(notes === undefined ? [] : [notes]),
    [
      'Exit codes:',
      ...Object.entries(exitCodes).map(
        ([code, meaning]) => `  ${code}  ${wrapped(meaning).replaceAll('\n', `\n${indent}`)}`,
      ),
    ].join('\n'),
    ['Examples:', ...examples.map((example) => `  $ ${example}`)].join('\n'),
  ];
  return parts.join('\n\n');
}
