import type { VerifyDocument } from '../answer/json/upgrade.js';
import { pollInstance } from '../app/poll-instance.js';
import { decideVerify } from '../checks/after-upgrade/checks.js';
import { LightspanError } from '../core/lightspan-error.js';
import type { CommandContext } from '../door/context.js';
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
import { parseInstanceAddress } from '../gather/running-instance.js';
import type { Polling, VerifyQuestion } from '../question/verify.js';

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

  const { last, row, elapsedMs } = await pollInstance(question, context, look?.waitsOn);
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
