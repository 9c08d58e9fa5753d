import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID as randomUuid } from 'node:crypto';
import { resolve } from 'node:path';
import type { CommandContext } from '../../src/door/context.js';
import { readInvocation } from '../../src/door/invocation.js';
import { run } from '../../src/launch/cli.js';
import { nodeUnderTest } from './node-under-test.js';
import { temporaryFolder } from './temporary-folder.js';

export interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CliWorld {
  readonly env?: Record<string, string>;
  readonly stdin?: string | Uint8Array;
  readonly now?: Date;
  /** Makes standard output a terminal of so many columns; in-process only. */
  readonly columns?: number;
  /** How to wait; in-process only. */
  readonly sleep?: CommandContext['sleep'];
  /** What a window ends by; in-process only. */
  readonly monotonicMs?: CommandContext['monotonicMs'];
  /** Hears what is to be said before a signal ends the process; in-process only. */
  readonly onSignal?: CommandContext['onSignal'];
}

/** The moment at which tests run the program unless they say otherwise: one hour after the fixture index was made. */
export const testNow = new Date('2026-09-06T19:08:42Z');

/** Tests keep what they fetch to themselves: the cache of the person who runs them is not touched. */
const cacheOfTests = temporaryFolder();
const envOf = (world: CliWorld) => ({ LIGHTSPAN_CACHE_DIR: cacheOfTests, ...world.env });

/** Runs a command line in this process, against a world of its own. */
export async function runCli(argv: readonly string[], world: CliWorld = {}): Promise<Outcome> {
  const { context, said } = contextOf({
    stdin: (async function* () {
      yield Buffer.from(world.stdin ?? '');
    })(),
    env: envOf(world),
    now: () => world.now ?? testNow,
    ...(world.onSignal && { onSignal: world.onSignal }),
    ...(world.sleep && { sleep: world.sleep }),
    ...(world.monotonicMs && { monotonicMs: world.monotonicMs }),
  });
  const terminal = world.columns === undefined ? {} : { isTTY: true, columns: world.columns };
  const stdout = { ...context.stdout, ...terminal };
  const code = await run(readInvocation(argv), { ...context, stdout });
  return { code, ...said };
}

/** A clock that only sleeping moves: however busy the machine, a window has as many polls. */
export function clockOfSleep(): Pick<CommandContext, 'sleep' | 'monotonicMs'> {
  let now = 0;
  return {
    sleep: async (ms) => {
      now += ms;
    },
    monotonicMs: () => now,
  };
}

/** What a command gets of the world in a test, and what it says there. */
export function contextOf(given: Partial<CommandContext> = {}) {
  const said = { stdout: '', stderr: '' };
  const outputTo = (name: keyof typeof said) => ({
    write: (text: string) => {
      said[name] += text;
    },
  });
  const context: CommandContext = {
    stdout: outputTo('stdout'),
    stderr: outputTo('stderr'),
    stdin: (async function* () {})(),
    env: {},
    now: () => testNow,
    monotonicMs: () => performance.now(),
    sleep: (ms) => new Promise((done) => setTimeout(done, ms)),
    onSignal: () => {},
    randomUuid,
    ...given,
  };
  return { context, said };
}

/** Runs the built program as a process of its own, in an environment that holds nothing but `world.env` and a cache folder. */
export function spawnCli(
  argv: readonly string[],
  {
    stdin = '',
    bin = 'lightspan',
    ...world
  }: CliWorld & { readonly bin?: 'lightspan' | 'upgrade-check' | 'lightdash-upgrade-check' } = {},
): Promise<Outcome> {
  const child = spawn(nodeUnderTest, [resolve('bin', `${bin}.cjs`), ...argv], { env: envOf(world) });
  // A program that ends before it has read its input closes the pipe.
  child.stdin.on('error', () => {});
  child.stdin.end(stdin);
  return outcomeOf(child);
}

/** How a process has ended, and what it has said on the pipes that it was given. */
export function outcomeOf(child: ChildProcess): Promise<Outcome> {
  return new Promise((done, fail) => {
    const said: Record<'stdout' | 'stderr', Buffer[]> = { stdout: [], stderr: [] };
    for (const name of ['stdout', 'stderr'] as const) {
      child[name]?.on('data', (chunk) => said[name].push(chunk));
    }
    child.on('error', fail);
    child.on('close', (code) => {
      const [stdout, stderr] = [said.stdout, said.stderr].map((chunks) => Buffer.concat(chunks).toString());
      done({ code, stdout: stdout ?? '', stderr: stderr ?? '' });
    });
  });
}

/** The keys of `upgrade-check --json`, in order: existing automation refuses any tenth. */
export const nineKeys = [
  ...['fromVersion', 'toVersion', 'direction', 'safe', 'verdict', 'requiredStops', 'minPreviousVersion'],
  ...['coveredVersions', 'missingRanges'],
];
