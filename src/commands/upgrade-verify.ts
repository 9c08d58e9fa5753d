import type { VerifyDocument } from '../answer/json/documents.js';
import { LightspanError } from '../errors.js';
import { type ExitCode, exitCodeOfOutcome } from '../exit-codes.js';
import type { VerifyOutcome } from '../instance-state.js';
import type { Version } from '../release-safety/field-schemas.js';
import { parseInstanceAddress } from '../sources/instance-health.js';
import { decideVerify } from '../verify/checks.js';
import { connectionNotes } from './connection.js';
import type { CommandContext } from './context.js';
import { defineCommand, type OptionsOf, type OptionTable } from './declare.js';
import { asksDeployment, cluster, manifests } from './deployment-options.js';
import { artifacts, indexSource, limits, migratingRole, online, output, statedFact } from './options.js';
import { readText } from './readers.js';
import { pollInstance, polling } from './verify-poll.js';
import { textOf } from './write-answer.js';

const takes = {
  instance: {
    flags: '--instance <url>',
    description: 'address of the Lightdash instance; only --canary needs a login',
    required: true,
  },
  ...polling,
  allowNewer: {
    flags: '--allow-newer',
    description: 'accept a newer version as a yes (superseded), if it is ready as many times in a row',
  },
  database: {
    flags: '--database <url>',
    description:
      'check the database too: postgresql://..., env to use the PG* variables, or the name of a variable with the URL',
  },
  ...migratingRole,
  facts: {
    flags: '--facts <file>',
    description: 'or: judge facts collected since the deploy: a file, or - for standard input',
    conflicts: 'database',
  },
  ...statedFact,
  canary: {
    flags: '--canary <merge>',
    description:
      'run one query through the instance, which must return rows: a merge file, - for standard input, or the UUID of a chart',
  },
  project: {
    flags: '--project <uuid>',
    description: 'with --canary: the project (env LIGHTDASH_PROJECT)',
    read: readText,
    needs: ['canary'],
  },
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

Each thing that is asked must say yes; none makes up for another, and what was not looked at is never verified.
--max-age limits the age of the facts as well as that of the index.`,
  exitCodes: {
    0: 'the instance was ready and served that version, or with --allow-newer a newer one, so many times in a row; and everything else that was requested is as it must be',
    1: 'it was not by the end of the window, a migration is parked, a newer version is served, or another requested check says no; the reasons are shown',
    2: 'the request is wrong',
    3: 'nothing says no, but something that was requested could not be checked; or something else went wrong',
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

/** `lightspan upgrade-verify`: changes go to standard error, the answer to standard output. */
export async function upgradeVerify(
  options: UpgradeVerifyOptions,
  context: CommandContext,
): Promise<ExitCode> {
  const { version, polls } = options;
  const instance = parseInstanceAddress(options.instance);
  requireEnoughTime(options);
  const { database, facts, canary, window, ...rest } = options;
  const looks = asksDeployment(options) || database !== undefined || facts !== undefined;
  const look = looks ? await (await import('./verify-look.js')).openLook(options, context) : undefined;
  const connecting = { ...rest, url: options.instance };
  const runCanary =
    canary && (await (await import('./verify-look.js')).openCanary(canary, connecting, window, context));

  const settle = look?.settle ?? (async () => true);
  const { last, row, elapsedMs } = await pollInstance(instance, options, context, settle);
  const pollsInRow = row?.polls ?? 0;
  const served = row !== undefined && pollsInRow >= polls ? row.served : undefined;
  const looked = await look?.end(served, version);
  if (last instanceof LightspanError) {
    const seen = `(${pollsInRow} of ${polls} polls in a row, after ${Math.round(elapsedMs / 1000)} s)`;
    throw new LightspanError('invalid-response', `${instance} is not verified: ${last.message} ${seen}`, {
      hint: 'Nothing may be concluded from such an answer. Check whether it really comes from the instance.',
      cause: last,
    });
  }
  const readiness = outcomeOf(served, version);
  const ready = readiness === 'verified' || (readiness === 'superseded' && options.allowNewer === true);
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
  context.stdout.write(
    options.json === true
      ? (await import('../answer/json/upgrade.js')).renderUpgradeVerifyJson(document)
      : await textOf((await import('../answer/preflight.js')).answerOfVerify(document), options, context),
  );
  return exitCodeOfOutcome(decision);
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
