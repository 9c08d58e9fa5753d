import { readInvocation } from '../../src/door/invocation.js';
import { run } from '../../src/launch/cli.js';

export interface CommandRun {
  readonly exitCode: number;
  readonly stdout: string;
  /** Both streams, as a terminal shows them. */
  readonly shown: string;
}

/** One hour after the index in `fixtures/` was generated: what is shown does not change with the day. */
const now = new Date('2026-09-06T19:08:42Z');

/** Runs a command line without a network. With `columns`, standard output is a terminal so wide, in colour. */
export async function runCommand(
  argv: readonly string[],
  { columns }: { readonly columns?: number } = {},
): Promise<CommandRun> {
  let stdout = '';
  let shown = '';
  const exitCode = await run(readInvocation(argv), {
    stdout: {
      write: (text) => {
        stdout += text;
        shown += text;
      },
      ...(columns === undefined ? {} : { isTTY: true, columns }),
    },
    stderr: {
      write: (text) => {
        shown += text;
      },
    },
    stdin: (async function* () {})(),
    env: { LANG: 'C.UTF-8' },
    now: () => now,
    monotonicMs: () => 0,
    sleep: async () => {},
    onSignal: () => {},
    randomUuid: () => '00000000-0000-4000-8000-000000000000',
  });
  return { exitCode, stdout, shown };
}
