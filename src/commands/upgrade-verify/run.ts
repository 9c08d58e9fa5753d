import { LightspanError } from '../../errors.js';
import { type ExitCode, exitCodeOfError, exitCodeOfOutcome, exitCodes } from '../../exit-codes.js';
import type { VerifyOutcome } from '../../instance-state.js';
import { ReleaseSafetyError } from '../../release-safety/errors.js';
import type { Version } from '../../release-safety/version.js';
import { printable } from '../../render/printable.js';
import type { VerifyDocument } from '../../render/verify/document.js';
import { parseInstanceUrl } from '../../sources/running-version.js';
import type { CanaryFinding } from '../../verify/canary.js';
import { decideVerify } from '../../verify/checks.js';
import type { CommandContext } from '../context.js';
import { textOf } from '../gate-format.js';
import type { OutputOptions } from '../shared-options.js';
import { asksDeployment } from '../upgrade-preflight/deployment-options.js';
import type { Looked, LookOptions } from './look.js';
import { type PollOptions, pollInstance, type Say } from './poll.js';

export type UpgradeVerifyOptions = PollOptions &
  LookOptions &
  OutputOptions & {
    readonly instance: string;
    readonly canary?: string;
    readonly project?: string;
    readonly allowNewer?: true;
  };

/** `lightspan upgrade-verify`: changes go to standard error, the answer to standard output. */
export async function upgradeVerify(
  options: UpgradeVerifyOptions,
  context: CommandContext,
): Promise<ExitCode> {
  const { version, polls } = options;
  const instance = parseInstanceUrl(options.instance);
  requireEnoughTime(options);
  const looking = await openLooking(options, context);
  const canary = await openCanary(options, context);

  const { last, row, elapsedMs } = await pollInstance(instance, options, context, looking.settle);
  const pollsInRow = row?.polls ?? 0;
  const served = row !== undefined && pollsInRow >= polls ? row.served : undefined;
  const looked = await looking.end(served, version);
  if (last instanceof LightspanError) {
    const seen = `(${pollsInRow} of ${polls} polls in a row, after ${Math.round(elapsedMs / 1000)} s)`;
    throw new LightspanError('invalid-response', `${instance} is not verified: ${last.message} ${seen}`, {
      hint: 'Nothing may be concluded from such an answer. Check whether it really comes from the instance.',
      cause: last,
    });
  }
  const readiness = outcomeOf(served, version);
  const ready = readiness === 'verified' || (readiness === 'superseded' && options.allowNewer === true);
  const findings = [...(looked?.findings ?? []), ...(await canary(ready))];
  const decision = decideVerify(ready, findings);
  const safe = decision === 'verified';
  const document: VerifyDocument = {
    safe,
    outcome: ready && !safe ? 'not-verified' : readiness,
    instance: String(instance),
    version,
    polls,
    pollsInRow,
    elapsedMs,
    lastState: last,
    facts: looked?.facts ?? null,
    findings,
  };
  context.stdout.write(await render(document, options, context));
  return exitCodeOfOutcome(decision);
}

/** The query to run at the end, if one is named. */
async function openCanary(
  { canary, project, ...options }: UpgradeVerifyOptions,
  context: CommandContext,
): Promise<(ready: boolean) => Promise<readonly CanaryFinding[]>> {
  if (canary === undefined) {
    if (project === undefined) return async () => [];
    throw new LightspanError(
      'usage',
      '--project applies to the query of --canary, but --canary is not given',
    );
  }
  const reader = await import('./canary.js');
  const run = await reader.openCanary({ ...options, canary, project }, context);
  return async (ready) => [await run(ready)];
}

async function render(
  document: VerifyDocument,
  options: OutputOptions,
  context: CommandContext,
): Promise<string> {
  if (options.json === true) {
    const { renderUpgradeVerifyJson } = await import('../../render/json/upgrade-verify.js');
    return renderUpgradeVerifyJson(document);
  }
  const { answerOfVerify } = await import('../../answer/verify.js');
  return await textOf(answerOfVerify(document), options, context);
}

/** The checks besides readiness, during polling and at the end. */
interface Looking {
  /** Runs the checks, and returns whether there is nothing else to wait for. */
  readonly settle: (served: Version, say: Say) => Promise<boolean>;
  /**
   * The last findings. If the instance was not ready, the checks run anyway, because they may show why.
   *
   * @throws the error that prevented the checks, if the instance itself is ready
   */
  readonly end: (served: Version | undefined, wanted: Version) => Promise<Looked | undefined>;
}

async function openLooking(options: UpgradeVerifyOptions, context: CommandContext): Promise<Looking> {
  const isAsked = options.database !== undefined || options.facts !== undefined;
  if (!asksDeployment(options) && !isAsked) {
    return { settle: async () => true, end: async () => undefined };
  }
  const { openLook } = await import('./look.js');
  const look = await openLook(options, context);
  const { mayPass } = await import('../../verify/checks.js');
  let last: Looked | LightspanError | ReleaseSafetyError | undefined;

  return {
    settle: async (served, say) => {
      last = await look.at(served).catch(unlessUsage);
      if (last instanceof Error) {
        say(`not looked at: ${printable(last.message)}`);
        return last.code !== 'network' && last.code !== 'timeout';
      }
      const awaited = look.isLive ? last.findings.find(({ evidence }) => mayPass(evidence)) : undefined;
      if (awaited !== undefined) {
        const { describeVerifyFinding } = await import('../../verify/describe.js');
        say(`waits on: ${awaited.check}: ${describeVerifyFinding(awaited).description}`);
      }
      return awaited === undefined;
    },
    end: async (served, wanted) => {
      // One that was ready was looked at when it was.
      last ??= await look.at(wanted).catch(unlessUsage);
      if (!(last instanceof Error)) return last;
      if (served !== undefined) throw last;
      context.stderr.write(`what else was asked was not looked at: ${printable(last.message)}\n`);
      return undefined;
    },
  };
}

/** A wrong request stays one. Any other error may be temporary, or does not matter if the answer is no anyway. */
function unlessUsage(error: unknown): LightspanError | ReleaseSafetyError {
  const isTold = error instanceof LightspanError || error instanceof ReleaseSafetyError;
  if (isTold && exitCodeOfError(error.code) !== exitCodes.usage) return error;
  throw error;
}

/** @param served the release that was ready in enough polls, if any */
function outcomeOf(served: Version | undefined, wanted: Version): VerifyOutcome {
  if (served === undefined) return 'not-verified';
  return served === wanted ? 'verified' : 'superseded';
}

function requireEnoughTime({ window, interval, polls }: UpgradeVerifyOptions): void {
  const needed = (polls - 1) * interval;
  if (needed <= window) return;
  throw new LightspanError(
    'usage',
    `${polls} polls ${interval / 1000} s apart take ${needed / 1000} s, and --window is ${window / 1000} s`,
    { hint: 'Make --window longer, --interval shorter, or --polls fewer.' },
  );
}
