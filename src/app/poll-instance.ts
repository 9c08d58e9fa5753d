import { LightspanError } from '../core/lightspan-error.js';
import { printable } from '../core/text/printable.js';
import { compareVersions, type Version } from '../core/version.js';
import { type CommandContext, createProgress } from '../door/context.js';
import { readInstanceState } from '../gather/running-instance.js';
import type { InstanceState } from '../instance/instance-state.js';
import type { VerifyQuestion } from '../question/verify.js';
import { describeInstanceState } from '../words/instance-state.js';
import type { InstanceChecks } from './verify-look.js';

/**
 * Polls an instance until it has been ready with one release the required number of times in a row, nothing better can
 * be expected, or the window closes. Changes go to standard error, and every 30 s what is still waited for.
 *
 * @param waitsOn called when it is ready: what else is waited for
 * @returns `last`: an error if it cannot be trusted; `row`: the release of the last polls in a row that were ready, and
 *   their number
 */
export async function pollInstance(
  question: VerifyQuestion,
  context: CommandContext,
  waitsOn: InstanceChecks['waitsOn'] | undefined,
) {
  const { instance, version, polling } = question;
  const { windowMs, intervalMs, polls, network } = polling;
  const migration = await migrationOf(question, context);
  const progress = createProgress(context);
  const started = context.monotonicMs();
  const elapsedMs = () => Math.round(context.monotonicMs() - started);
  let shown = { news: '', atMs: 0 };
  let row: { readonly served: Version; readonly polls: number } | undefined;
  let end = windowMs;
  for (;;) {
    const last = await readInstanceState({
      instance,
      env: context.env,
      timeoutMs:
        windowMs === 0
          ? network.timeoutMs
          : Math.min(network.timeoutMs, Math.max(0, windowMs + graceMs - elapsedMs())),
      allowHttp: network.allowHttp,
    }).catch(requireUntrusted);
    // One different poll, and the count starts again: old and new pods may be answering in turn.
    const served = releaseOf(last, version);
    row = served === undefined ? undefined : { served, polls: row?.served === served ? row.polls + 1 : 1 };
    const isEnough = row !== undefined && row.polls >= polls;
    const awaited = row !== undefined && isEnough ? await waitsOn?.(row.served) : undefined;
    const state = last instanceof LightspanError ? undefined : last;
    const seen =
      last instanceof LightspanError
        ? `not to be trusted: ${printable(last.message)}`
        : describeInstanceState(last, version);
    const words = awaited === undefined ? seen : `${seen}; waits on ${awaited.text}`;
    // No second connection to a database that could not be reached a moment ago.
    const migrating = row === undefined || awaited?.isSeen ? await migration?.() : undefined;
    const summary = migrating === undefined ? words : `${words}; ${migrating.summary}`;
    const news = `${words} ${migrating?.news}`;
    progress.clear();
    const seconds = Math.round(elapsedMs() / 1000);
    if (news !== shown.news || elapsedMs() - shown.atMs >= remindMs) {
      shown = { news, atMs: elapsedMs() };
      context.stderr.write(`${seconds} s: ${summary}\n`);
    } else progress.show(`${seconds} s of ${Math.round(windowMs / 1000)} s: ${summary}`);
    // The name of a new instance may take a moment to be known; after a minute it is a wrong one.
    const isUnknownHost = state?.kind === 'unreachable' && state.isUnknownHost;
    end = isUnknownHost ? Math.min(windowMs, end, elapsedMs() + unknownHostMs) : windowMs;
    const isOver = state?.kind === 'parked' || (isEnough && awaited === undefined);
    if (isOver || elapsedMs() + intervalMs > end) {
      progress.clear();
      return { last, row, elapsedMs: elapsedMs() };
    }
    await context.sleep(intervalMs);
  }
}

interface MigrationSeen {
  readonly summary: string;
  /** What of it is news: the time that passes is none. */
  readonly news: string;
}

/** The line of upgrade-status, shown while waiting for an upgrade; without it, the wait goes on. */
async function migrationOf({ look, polling }: VerifyQuestion, context: CommandContext) {
  const database = look?.facts.database;
  if (database === undefined) return undefined;
  const { lookAtMigration } = await import('../app/look-at-migration.js');
  const { statusOf, stuckAfterMs: stuckMs } = await import('../instance/migration-status.js');
  const timeoutMs = Math.min(polling.network.timeoutMs, longestLookMs);
  const question = { database: database.url, migratingRole: database.migratingRole, timeoutMs, stuckMs };
  return async (): Promise<MigrationSeen> => {
    try {
      const { status } = statusOf(await lookAtMigration(question, context), stuckMs / 1000);
      return { summary: status.summary, news: `${status.state} ${status.migration}` };
    } catch (error) {
      const why = printable(error instanceof Error ? error.message : String(error));
      return { summary: `its migrator is not seen: ${why}`, news: 'not seen' };
    }
  };
}

/** A look that takes longer says nothing before the next poll. */
const longestLookMs = 3_000;

/** How much longer than the window the last poll may take. */
const graceMs = 1_000;

const unknownHostMs = 60_000;

const remindMs = 30_000;

/** The release that an instance is ready with, if that is the wanted one or a newer one. */
function releaseOf(last: InstanceState | LightspanError, wanted: Version): Version | undefined {
  if (last instanceof LightspanError || last.kind !== 'ready') return undefined;
  return compareVersions(last.version, wanted) < 0 ? undefined : last.version;
}

/** An answer that cannot be trusted may be from a pod that is just ending: the next may be better. */
function requireUntrusted(error: unknown): LightspanError {
  if (error instanceof LightspanError && error.code === 'invalid-response') return error;
  throw error;
}
