import { LightspanError } from '../../errors.js';
import { type ExitCode, exitCodeOfAnswer } from '../../exit-codes.js';
import type { InstanceState, VerifyOutcome } from '../../instance-state.js';
import { packageVersion } from '../../package-version.js';
import { compareVersions, type Version } from '../../release-safety/version.js';
import { renderUpgradeVerifyJson, type VerifyResult } from '../../render/json/upgrade-verify.js';
import { printable } from '../../render/printable.js';
import { describeInstanceState, wordOfInstanceState } from '../../render/words/instance.js';
import { pointToExplain } from '../../render/words/next.js';
import { readInstanceState } from '../../sources/instance-state.js';
import { parseInstanceUrl } from '../../sources/running-version.js';
import type { CommandContext } from '../context.js';

export interface UpgradeVerifyOptions {
  readonly instance: string;
  readonly version: Version;
  /** Milliseconds, as the two below. */
  readonly window: number;
  readonly interval: number;
  readonly timeout: number;
  readonly polls: number;
  readonly allowNewer?: true;
  readonly allowHttp?: true;
  readonly json?: true;
}

/** `lightspan upgrade-verify`: what is seen goes to standard error as it changes, the answer to standard output. */
export async function upgradeVerify(
  options: UpgradeVerifyOptions,
  context: CommandContext,
): Promise<ExitCode> {
  const { version, window, interval, polls } = options;
  const instance = parseInstanceUrl(options.instance);
  requireEnoughTime(options);
  const started = context.monotonicMs();
  const elapsedMs = () => Math.round(context.monotonicMs() - started);

  let row: { readonly served: Version; readonly polls: number } | undefined;
  let shown: string | undefined;
  let last: InstanceState | LightspanError;
  for (;;) {
    last = await readInstanceState({
      instance,
      env: context.env,
      userAgent: `lightspan/${packageVersion}`,
      timeoutMs: () => Math.min(options.timeout, Math.max(0, window + graceMs - elapsedMs())),
      allowHttp: options.allowHttp === true,
    }).catch(onlyUntrusted);
    // One poll that is otherwise, and the row begins again: old and new pods may be answering in turn.
    const served = versionThatCounts(last, version);
    row = served === undefined ? undefined : { served, polls: row?.served === served ? row.polls + 1 : 1 };
    const words =
      last instanceof LightspanError
        ? `not to be trusted: ${printable(last.message)}`
        : describeInstanceState(last, version);
    if (words !== shown) context.stderr.write(`${Math.round(elapsedMs() / 1000)} s: ${words}\n`);
    shown = words;
    const isParked = !(last instanceof LightspanError) && last.kind === 'parked';
    if (isParked || (row?.polls ?? 0) >= polls || elapsedMs() + interval > window) break;
    await context.sleep(interval);
  }

  const pollsInRow = row?.polls ?? 0;
  const seen = `(${pollsInRow} of ${polls} polls in a row, after ${Math.round(elapsedMs() / 1000)} s)`;
  if (last instanceof LightspanError) {
    throw new LightspanError('invalid-response', `${instance} is not verified: ${last.message} ${seen}`, {
      hint: 'Nothing may be concluded from such an answer. Look whether it is the instance itself that gives it.',
      cause: last,
    });
  }
  const outcome = outcomeOf(pollsInRow >= polls ? row?.served : undefined, version);
  const safe = outcome === 'verified' || (outcome === 'superseded' && options.allowNewer === true);
  const result: VerifyResult = {
    safe,
    instance: String(instance),
    version,
    verified: outcome === 'verified',
    outcome,
    polls,
    pollsInRow,
    elapsedMs: elapsedMs(),
    lastState: last,
  };
  context.stdout.write(
    options.json === true
      ? renderUpgradeVerifyJson(result)
      : [
          `${headOf(result)}: ${instance}: ${shown} ${seen}`,
          ...pointToExplain(safe ? [] : [outcome === 'superseded' ? outcome : wordOfInstanceState(last)]),
          '',
        ].join('\n'),
  );
  return exitCodeOfAnswer(safe);
}

/** @param served the release that was ready in enough polls, if one was */
function outcomeOf(served: Version | undefined, wanted: Version): VerifyOutcome {
  if (served === undefined) return 'not-verified';
  return served === wanted ? 'verified' : 'superseded';
}

/** The release that an instance is ready with, where that is the one that is wanted or a newer one. */
function versionThatCounts(last: InstanceState | LightspanError, wanted: Version): Version | undefined {
  if (last instanceof LightspanError || last.kind !== 'ready') return undefined;
  return compareVersions(last.version, wanted) < 0 ? undefined : last.version;
}

/** An answer that is not to be trusted may be that of a pod that is just ending: the next may be better. */
function onlyUntrusted(error: unknown): LightspanError {
  if (error instanceof LightspanError && error.code === 'invalid-response') return error;
  throw error;
}

function headOf({ safe, outcome }: VerifyResult): string {
  if (outcome === 'superseded') return safe ? 'Superseded' : 'NOT VERIFIED, superseded';
  return safe ? 'Verified' : 'NOT VERIFIED';
}

/** What the last poll may take beyond the window. */
const graceMs = 1_000;

function requireEnoughTime({ window, interval, polls }: UpgradeVerifyOptions): void {
  const needed = (polls - 1) * interval;
  if (needed <= window) return;
  throw new LightspanError(
    'usage',
    `${polls} polls ${interval / 1000} s apart take ${needed / 1000} s, and --window is ${window / 1000} s`,
    { hint: 'Make --window longer, --interval shorter, or --polls fewer.' },
  );
}
