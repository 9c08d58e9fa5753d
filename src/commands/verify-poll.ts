import { LightspanError } from '../errors.js';
import type { InstanceState } from '../instance-state.js';
import type { Version } from '../release-safety/field-schemas.js';
import { compareVersions } from '../release-safety/version.js';
import { readInstanceState } from '../sources/instance-state.js';
import { describeInstanceState } from '../words/instance.js';
import { printable } from '../words/printable.js';
import { type CommandContext, packageVersion } from './context.js';
import type { OptionsOf, OptionTable } from './declare.js';
import type { allowHttp } from './options.js';
import { readDuration, readNumber, readVersion } from './readers.js';

export const polling = {
  version: {
    flags: '--version <version>',
    description: 'the version that was deployed',
    read: readVersion('--version'),
    required: true,
  },
  window: {
    flags: '--window <duration>',
    description: 'how long to wait for it, such as 90s or 20m',
    read: readDuration,
    default: 20 * 60_000,
    defaultText: '20m',
  },
  polls: {
    flags: '--polls <n>',
    description: 'how many times in a row it must be ready',
    read: readNumber,
    default: 3,
  },
  interval: {
    flags: '--interval <duration>',
    description: 'pause between two polls',
    read: readDuration,
    default: 5_000,
    defaultText: '5s',
  },
  timeout: {
    flags: '--timeout <duration>',
    description: 'longest wait for one answer',
    read: readDuration,
    default: 10_000,
    defaultText: '10s',
  },
} as const satisfies OptionTable;

export type PollOptions = OptionsOf<typeof polling & typeof allowHttp>;

export interface Polled {
  /** An error if it cannot be trusted. */
  readonly last: InstanceState | LightspanError;
  /** The release of the last polls in a row that were ready, and their number. */
  readonly row: { readonly served: Version; readonly polls: number } | undefined;
  readonly elapsedMs: number;
}

export type Say = (words: string) => void;

/**
 * Polls an instance until it has been ready with one release the required number of times in a row, nothing better can
 * be expected, or the window closes. Changes go to standard error, and every 30 s what is still waited for.
 *
 * @param settle called when it is ready: whether there is nothing else to wait for
 */
export async function pollInstance(
  instance: URL,
  { version, window, interval, timeout, polls, allowHttp }: PollOptions,
  context: CommandContext,
  settle: (served: Version, say: Say) => Promise<boolean>,
): Promise<Polled> {
  const started = context.monotonicMs();
  const elapsedMs = () => Math.round(context.monotonicMs() - started);
  let saidAt = 0;
  let saidBefore: readonly string[] = [];
  const write = (words: string) => {
    saidAt = elapsedMs();
    context.stderr.write(`${seconds(saidAt)}: ${words}\n`);
  };

  let row: Polled['row'];
  let end = window;
  let last: Polled['last'];
  for (;;) {
    last = await readInstanceState({
      instance,
      env: context.env,
      userAgent: `lightspan/${packageVersion}`,
      timeoutMs: () => Math.min(timeout, Math.max(0, window + graceMs - elapsedMs())),
      allowHttp: allowHttp === true,
    }).catch(onlyUntrusted);
    // One different poll, and the count starts again: old and new pods may be answering in turn.
    const served = versionThatCounts(last, version);
    row = served === undefined ? undefined : { served, polls: row?.served === served ? row.polls + 1 : 1 };
    const said: string[] = [];
    const say = (words: string) => {
      said.push(words);
      if (!saidBefore.includes(words)) write(words);
    };
    say(
      last instanceof LightspanError
        ? `not to be trusted: ${printable(last.message)}`
        : describeInstanceState(last, version),
    );
    const state = last instanceof LightspanError ? undefined : last;
    if (state?.kind === 'parked') break;
    // The name of a new instance may take a moment to be known; after a minute it is a wrong one.
    const isUnknownHost = state?.kind === 'unreachable' && state.isUnknownHost;
    end = isUnknownHost ? Math.min(window, end, elapsedMs() + unknownHostMs) : window;
    if (row !== undefined && row.polls >= polls && (await settle(row.served, say))) break;
    if (elapsedMs() + interval > end) break;
    saidBefore = said;
    if (elapsedMs() - saidAt >= remindMs) {
      write(`still ${said.at(-1)}; waits for up to ${seconds(end - elapsedMs())} more`);
    }
    await context.sleep(interval);
  }
  return { last, row, elapsedMs: elapsedMs() };
}

/** How much longer than the window the last poll may take. */
const graceMs = 1_000;

/** How long a name that does not resolve is asked for again. */
const unknownHostMs = 60_000;

const remindMs = 30_000;

function seconds(ms: number): string {
  return `${Math.round(ms / 1000)} s`;
}

/** The release that an instance is ready with, if that is the wanted one or a newer one. */
function versionThatCounts(last: InstanceState | LightspanError, wanted: Version): Version | undefined {
  if (last instanceof LightspanError || last.kind !== 'ready') return undefined;
  return compareVersions(last.version, wanted) < 0 ? undefined : last.version;
}

/** An answer that cannot be trusted may be from a pod that is just ending: the next may be better. */
function onlyUntrusted(error: unknown): LightspanError {
  if (error instanceof LightspanError && error.code === 'invalid-response') return error;
  throw error;
}
