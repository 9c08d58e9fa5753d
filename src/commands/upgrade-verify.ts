import type { VerifyDocument } from '../answer/json/upgrade.js';
import type { InstanceChecks } from '../app/verify-look.js';
import { decideVerify } from '../checks/after-upgrade/checks.js';
import type { Version } from '../core/field-schemas.js';
import { LightspanError } from '../core/lightspan-error.js';
import { printable } from '../core/text/printable.js';
import { compareVersions } from '../core/version.js';
import { type CommandContext, createProgress } from '../door/context.js';
import { defineCommand, type OptionsOf, type OptionTable } from '../door/declare.js';
import { type ExitCode, exitCodeOfOutcome } from '../door/exit-codes.js';
import { auth, connectionNotes, connectionOf } from '../door/options/connection-options.js';
import {
  cluster,
  database,
  factsQuestionOf,
  manifests,
  migratingRole,
} from '../door/options/deployment-options.js';
import { artifacts, indexSource, limits, sourcesOf, statedFact } from '../door/options/evidence-options.js';
import { currentVersion, mannerOf, online, output } from '../door/options/options.js';
import { fileOrInput } from '../door/options/phrases.js';
import { readDuration, readDurationOrZero, readText, readVersion } from '../door/readers.js';
import { textOf } from '../door/write-answer.js';
import { parseInstanceAddress, readInstanceState } from '../gather/running-instance.js';
import type { InstanceState } from '../instance/instance-state.js';
import type { Polling, VerifyQuestion } from '../question/verify.js';
import { describeInstanceState } from '../words/instance-state.js';

const takes = {
  instance: {
    flags: '--instance <url>',
    group: 'question',
    setting: currentVersion.instance.setting,
    brief: 'the address of the instance',
    description: 'address of the Lightdash instance; only --canary needs a login',
    required: true,
  },
  version: {
    flags: '--version <version>',
    group: 'question',
    description: 'the version that was deployed',
    read: readVersion('--version'),
    required: true,
  },
  window: {
    flags: '--window <duration>',
    group: 'question',
    description: 'how long to wait for it, such as 90s or 20m; 0s looks once',
    read: readDurationOrZero,
    default: 20 * 60_000,
    defaultText: '20m',
  },
  interval: {
    flags: '--interval <duration>',
    group: 'question',
    rare: true,
    description: 'pause between two polls',
    read: readDuration,
    default: 5_000,
    defaultText: '5s',
  },
  timeout: {
    flags: '--timeout <duration>',
    group: 'network',
    rare: true,
    description: 'longest wait for one answer',
    read: readDuration,
    default: 10_000,
    defaultText: '10s',
  },
  allowNewer: {
    flags: '--allow-newer',
    group: 'question',
    brief: 'accept a newer version if it is just as ready',
    description: 'accept a newer version too (superseded), if it is ready as many times in a row',
  },
  database: {
    ...database.database,
    brief: 'also check the database: postgresql://..., or env',
    description:
      'also check the database: postgresql://..., env to use the PG* variables, or the name of a variable with the URL',
  },
  ...migratingRole,
  facts: {
    flags: '--facts <file>',
    group: 'evidence',
    brief: 'or: judge facts collected since the deploy',
    description: `or: judge facts collected since the deploy: ${fileOrInput}`,
    conflicts: 'database',
  },
  ...statedFact,
  canary: {
    flags: '--canary <merge>',
    group: 'evidence',
    brief: 'also run one query: a merge file or a chart UUID',
    description:
      'run one query through the instance, which must return rows: a merge file, - for standard input, or ' +
      'the UUID of a chart',
  },
  project: {
    flags: '--project <uuid>',
    group: 'evidence',
    description: 'with --canary: the project (env LIGHTDASH_PROJECT)',
    read: readText,
    needs: ['canary'],
  },
  auth: { ...auth.auth, needs: ['canary'] },
  ...manifests,
  ...cluster,
  ...indexSource,
  ...artifacts,
  ...limits,
  ...online,
  ...output,
} as const satisfies OptionTable;

export type UpgradeVerifyOptions = OptionsOf<typeof takes>;

export const command = defineCommand({
  takes,
  notes: `${connectionNotes.replace('Settings:', 'Settings of --canary:')}

Every requested check must pass; none makes up for another, and what was not looked at is never verified.
--max-age limits the age of the facts as well as that of the index; without it, facts may be a day old.`,
  exitCodes: {
    0:
      'the instance was ready three times in a row (once with --window 0s) with that version (with ' +
      '--allow-newer, or a newer one), and every other requested check passes',
    1:
      'it was not by the end of the window, a migration is parked, it serves a newer version, or another ' +
      'requested check fails; the reasons are shown',
    2: 'the request is wrong',
    3: 'none fails, but a requested check could not be made; or something else went wrong',
    4: 'its last answer contradicts itself, or the index or facts cannot be trusted',
  },
  examples: [
    'lightspan upgrade-verify --instance https://lightdash.example.com --version 1.156.0',
    'lightspan upgrade-verify --instance https://lightdash.example.com --version 1.156.0 --window 5m --json',
    'lightspan upgrade-verify --instance https://lightdash.example.com --version 1.156.0 --database env',
    'lightspan upgrade-verify --instance https://lightdash.example.com --version 1.156.0 --kubernetes --namespace bi',
    'lightspan upgrade-verify --instance https://lightdash.example.com --version 1.156.0 --canary merge.yaml',
  ],
  run: upgradeVerify,
});

function verifyQuestionOf(options: UpgradeVerifyOptions, env: CommandContext['env']): VerifyQuestion {
  const { version, window: windowMs, interval: intervalMs, canary: query } = options;
  const { network, index, artifacts } = sourcesOf(options, env);
  const facts = factsQuestionOf(options);
  const looks = (facts.deployment ?? facts.database ?? facts.file) !== undefined;
  return {
    instance: parseInstanceAddress(options.instance),
    version,
    polling: { windowMs, intervalMs, polls: windowMs === 0 ? 1 : pollsInRowWanted, network },
    allowNewer: options.allowNewer === true,
    look: looks ? { facts, network, index, artifacts } : undefined,
    canary: query
      ? {
          query,
          connection: connectionOf({ ...options, url: options.instance }),
          windowMs: windowMs || takes.window.default,
        }
      : undefined,
  };
}

export async function upgradeVerify(
  options: UpgradeVerifyOptions,
  context: CommandContext,
): Promise<ExitCode> {
  const question = verifyQuestionOf(options, context.env);
  const { instance, version, allowNewer, polling, canary } = question;
  const { polls } = polling;
  requireEnoughTime(polling);
  const look =
    question.look &&
    (await (await import('../app/verify-look.js')).openInstanceChecks(question.look, context));
  const runCanary = canary && (await (await import('../app/verify-look.js')).openCanary(canary, context));

  const { last, row, elapsedMs } = await pollInstance(question, context, {
    waitsOn: look?.waitsOn,
    migration: await migrationOf(question, context),
  });
  const pollsInRow = row?.polls ?? 0;
  const served = row !== undefined && pollsInRow >= polls ? row.served : undefined;
  const looked = await look?.end(served, version);
  if (last instanceof LightspanError) {
    throw new LightspanError('invalid-response', `${instance} is not verified: ${last.message}`, {
      hint: 'Such an answer proves nothing. Check whether it really comes from the instance.',
    });
  }
  const readiness = served === undefined ? 'not-verified' : served === version ? 'verified' : 'superseded';
  const ready = readiness === 'verified' || (readiness === 'superseded' && allowNewer);
  const findings = [...(looked?.findings ?? []), ...(runCanary ? [await runCanary(ready)] : [])];
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
  const exitCode = exitCodeOfOutcome(decision);
  const manner = mannerOf(options);
  context.stdout.write(
    manner.format === 'json'
      ? (await import('../answer/json/upgrade.js')).renderUpgradeVerifyJson(document)
      : await textOf(
          (await import('../answer/builders/preflight.js')).answerOfVerify(document),
          exitCode,
          manner,
          context,
        ),
  );
  return exitCode;
}

/** Old and new pods may answer in turn: one answer shows one of them. */
const pollsInRowWanted = 3;

function requireEnoughTime({ windowMs, intervalMs, polls }: Polling): void {
  const needed = (polls - 1) * intervalMs;
  if (needed <= windowMs) return;
  throw new LightspanError(
    'usage',
    `${polls} polls ${intervalMs / 1000} s apart take ${needed / 1000} s, but --window is ${windowMs / 1000} s`,
    { hint: 'Make --window longer or --interval shorter; --window 0s looks once.' },
  );
}

/**
 * Polls an instance until it has been ready with one release the required number of times in a row, nothing better can
 * be expected, or the window closes. Changes go to standard error, and every 30 s what is still waited for.
 *
 * @param waitsOn called when it is ready: what else is waited for
 * @param migration called while it is not: what its migrator does, where there is a database to look at
 * @returns `last`: an error if it cannot be trusted; `row`: the release of the last polls in a row that were ready, and
 *   their number
 */
async function pollInstance(
  { instance, version, polling: { windowMs, intervalMs, polls, network } }: VerifyQuestion,
  context: CommandContext,
  {
    waitsOn,
    migration,
  }: {
    waitsOn: InstanceChecks['waitsOn'] | undefined;
    migration: (() => Promise<MigrationSeen>) | undefined;
  },
) {
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
