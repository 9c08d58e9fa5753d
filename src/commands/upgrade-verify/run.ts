import { LightspanError } from '../../errors.js';
import { type ExitCode, exitCodeOfAnswer } from '../../exit-codes.js';
import type { InstanceState } from '../../instance-state.js';
import { packageVersion } from '../../package-version.js';
import { renderUpgradeVerifyJson } from '../../render/json/upgrade-verify.js';
import { describeInstanceState } from '../../render/text/instance-state.js';
import { pointToExplain } from '../../render/text/reasons.js';
import { readInstanceState } from '../../sources/instance-state.js';
import { parseInstanceUrl } from '../../sources/running-version.js';
import type { CommandContext } from '../context.js';
import type { UpgradeVerifyOptions } from './declaration.js';

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

  let pollsInRow = 0;
  let shown: string | undefined;
  let lastState: InstanceState;
  for (;;) {
    lastState = await readInstanceState({
      instance,
      env: context.env,
      userAgent: `lightspan/${packageVersion}`,
      timeoutMs: () => Math.min(options.timeout, Math.max(0, window + graceMs - elapsedMs())),
      allowHttp: options.allowHttp === true,
    });
    // One poll that is otherwise, and the row begins anew: old and new pods may be answering in turn.
    pollsInRow = lastState.kind === 'ready' && lastState.version === version ? pollsInRow + 1 : 0;
    const words = describeInstanceState(lastState, version);
    if (words !== shown) context.stderr.write(`${Math.round(elapsedMs() / 1000)} s: ${words}\n`);
    shown = words;
    if (pollsInRow >= polls || elapsedMs() + interval > window) break;
    await context.sleep(interval);
  }

  const verified = pollsInRow >= polls;
  const result = {
    instance: String(instance),
    version,
    verified,
    polls,
    pollsInRow,
    elapsedMs: elapsedMs(),
    lastState,
  };
  const inRow = `${pollsInRow} of ${polls} polls in a row`;
  context.stdout.write(
    options.json === true
      ? renderUpgradeVerifyJson(result)
      : [
          `${verified ? 'Verified' : 'NOT VERIFIED'}: ${instance}: ${shown} (${inRow}, after ${Math.round(result.elapsedMs / 1000)} s)`,
          ...pointToExplain(verified ? [] : [lastState.kind]),
          '',
        ].join('\n'),
  );
  return exitCodeOfAnswer({ safe: verified });
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
