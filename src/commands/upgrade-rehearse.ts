import { renderDocument } from '../answer/json/document.js';
import { rehearse } from '../app/rehearse.js';
import { publishersImage } from '../core/lightdash-name.js';
import { LightspanError } from '../core/lightspan-error.js';
import { printable } from '../core/text/printable.js';
import { commandWith } from '../core/text/quoted-words.js';
import type { CommandContext } from '../door/context.js';
import { defineCommand, type OptionsOf, type OptionTable } from '../door/declare.js';
import { exitCodeOfOutcome, exitCodes } from '../door/exit-codes.js';
import {
  artifacts,
  evidenceQuestionOf,
  issueSources,
  sources,
  statedFact,
} from '../door/options/evidence-options.js';
import {
  answerWantedOf,
  gateFormat,
  output,
  tagSuffix,
  target,
  targetQuestionOf,
} from '../door/options/options.js';
import { readDuration, readTagSuffix, readText, readVersion } from '../door/readers.js';
import { writeAnswer } from '../door/write-answer.js';
import { withoutExtension } from '../instance/facts/known-facts.js';
import type { Rehearsal } from '../instance/rehearsal.js';
import type { KnownIssue } from '../known-issues/records.js';
import type { CopyPlace, RehearsalQuestion } from '../question/rehearsal.js';
import type { SettingsOutcome } from '../question/settings.js';

const takes = {
  from: {
    flags: '--from <version>',
    group: 'question',
    brief: 'the running version (default: by the ledger)',
    description: 'the running version (default: the one that the ledger in the dump shows)',
    read: readVersion('--from'),
  },
  to: target.to,
  minAge: target.minAge,
  dump: {
    flags: '--dump <file>',
    group: 'question',
    brief: 'your backup: what pg_dump has written',
    description: 'your backup: what pg_dump has written, in custom, directory or plain form',
    conflicts: 'printDump',
  },
  full: {
    flags: '--full',
    group: 'question',
    brief: 'restore the rows too, and measure the time',
    description: 'restore the rows too, and measure the time (default: only the schema and the ledger)',
  },
  containers: {
    flags: '--containers <program>',
    group: 'question',
    rare: true,
    description: 'docker or podman (default: the first that answers)',
    choices: ['docker', 'podman'],
    conflicts: ['migrate', 'postgres'],
  },
  image: {
    flags: '--image <name>',
    group: 'question',
    rare: true,
    description: 'the image of Lightdash, without a tag',
    read: readText,
    default: publishersImage,
  },
  tagSuffix: {
    flags: '--tag-suffix <suffix>',
    group: 'question',
    rare: true,
    description: 'the suffix of its tags behind the version, such as -custom',
    read: readTagSuffix,
    setting: tagSuffix.tagSuffix.setting,
  },
  serverImage: {
    flags: '--server-image <image>',
    group: 'question',
    rare: true,
    description: 'the image of PostgreSQL (default: pgvector/pgvector, of the version that the dump names)',
    read: readText,
    conflicts: ['migrate', 'postgres'],
  },
  migrate: {
    flags: '--migrate <command>',
    group: 'question',
    brief: 'without containers: what migrates to {version}',
    description:
      'without containers: the command that migrates to {version}, as a shell reads it; PGHOST and its ' +
      'like name the copy',
    read: readText,
  },
  postgres: {
    flags: '--postgres <folder>',
    group: 'question',
    brief: 'with it: the folder of initdb and postgres',
    description: 'with --migrate: the folder of initdb, postgres and pg_restore (default: those in the PATH)',
    needs: ['migrate'],
  },
  roles: {
    flags: '--roles <file>',
    group: 'evidence',
    brief: 'the roles, from pg_dumpall --roles-only',
    description:
      'the output of pg_dumpall --roles-only --no-role-passwords: a dump does not hold who is a member of what',
  },
  role: {
    flags: '--role <role>',
    group: 'question',
    rare: true,
    description: 'the role that migrates (default: the owner of knex_migrations)',
    read: readText,
  },
  env: {
    flags: '--env <name>',
    group: 'question',
    rare: true,
    description: 'hand on a variable of this environment to the migrator, such as a licence key; repeatable',
    several: true,
    read: readVariable,
  },
  limit: {
    flags: '--limit <duration>',
    group: 'question',
    rare: true,
    description: 'longest run of a migrator (default: 1h, with --full 6h)',
    read: readDuration,
  },
  out: {
    flags: '--out <file>',
    group: 'output',
    description: 'write what was found to a file, as evidence for --rehearsal of other commands',
  },
  printDump: {
    flags: '--print-dump',
    group: 'output',
    brief: 'print the commands that make a dump without rows',
    description: 'only print the commands that make a dump without rows, and the roles',
  },
  ...statedFact,
  ...issueSources,
  ...sources,
  ...artifacts,
  ...output,
  ...gateFormat,
} as const satisfies OptionTable;

type RehearseOptions = OptionsOf<typeof takes>;

export const command = defineCommand({
  takes,
  notes: `The copy is made on this machine, in containers or by its own programs, has no network, and is removed at the end. No option
takes the address of a server, so no other database can be meant. Nothing of the caller's PG* variables, DATABASE_URL
or home folder reaches the migrator. A rehearsal never makes a span rolling.`,
  exitCodes: {
    0: 'the migrations of every hop went through on the copy, and a second start found nothing to do',
    1: 'a hop fails on the copy, or the dump cannot be restored: it is no backup',
    3: 'it could not be rehearsed; the answer says what is missing',
    4: 'the index or an artifact cannot be trusted',
  },
  examples: [
    'lightspan upgrade-rehearse --to latest --dump nightly.dump',
    'lightspan upgrade-rehearse --to 2.134.2 --dump nightly.dump --full --out rehearsal.json',
    "lightspan upgrade-rehearse --to latest --dump nightly.dump --migrate 'node migrate.js {version}'",
    'lightspan upgrade-rehearse --print-dump',
  ],
  run: async (options, context, { settings, words }) => {
    if (options.printDump === true) {
      context.stdout.write(dumpCommands);
      return exitCodes.yes;
    }
    const wanted = answerWantedOf(options, words);
    const { rehearsal, lastLines, source } = await rehearse(
      questionOf(options, settings, context.env),
      context,
    );
    const exitCode = exitCodeOfOutcome(rehearsal.answer);
    await keep(rehearsal, options.out, context);
    await writeAnswer(
      {
        wanted,
        exitCode,
        leftOut: source.leftOut,
        json: () => renderDocument<Rehearsal>(rehearsal),
        answer: async () =>
          (await import('../answer/builders/rehearsal.js')).answerOfRehearsal(rehearsal, {
            dump: options.dump ?? '',
            lastLines,
            knownIssue: await issueOf(rehearsal),
            commands: {
              again: (...more) => commandWith(words.all, more),
              plan: planWith(rehearsal, options.out, words.evidence),
            },
          }),
      },
      context,
    );
    return exitCode;
  },
});

function planWith(
  { fromVersion, toVersion }: Rehearsal,
  out: string | undefined,
  evidence: readonly string[],
): string | undefined {
  const span = ['--from', fromVersion, '--to', toVersion];
  return out === undefined
    ? undefined
    : commandWith(['upgrade-plan', ...span, ...evidence], ['--rehearsal', out]);
}

const hour = 3_600_000;

function questionOf(
  options: RehearseOptions,
  settings: SettingsOutcome,
  env: CommandContext['env'],
): RehearsalQuestion {
  const { dump, full, limit } = options;
  if (dump === undefined) {
    throw new LightspanError('usage', "required option '--dump <file>' not specified", {
      hint: 'It names the backup to rehearse on; --print-dump prints how a small one is made.',
    });
  }
  return {
    from: options.from,
    target: targetQuestionOf(options),
    evidence: evidenceQuestionOf(options, settings, env, { isWanted: true }),
    copy: {
      ...{ dump, full: full === true, roles: options.roles, role: options.role },
      limitMs: limit ?? (full === true ? 6 * hour : hour),
      variables: options.env ?? [],
      where: placeOf(options),
    },
  };
}

function placeOf({
  migrate,
  postgres,
  containers,
  image,
  serverImage,
  tagSuffix,
}: RehearseOptions): CopyPlace {
  if (migrate === undefined) {
    return { by: 'containers', program: containers, image, serverImage, tagSuffix: tagSuffix ?? '' };
  }
  if (migrate.includes('{version}')) return { by: 'programs', folder: postgres, migrate };
  throw new LightspanError('usage', '--migrate does not say where the version stands', {
    hint: "Write {version} in it: --migrate 'node migrate.js {version}'.",
  });
}

/** A name alone: a value on a command line would stand in the list of processes. */
function readVariable(text: string): string {
  const name = readText(text);
  if (!/^[A-Za-z_]\w*$/.test(name) || /^(?:PG|DATABASE_URL$)/i.test(name)) {
    throw new LightspanError(
      'usage',
      `--env takes the name of a variable that names no database, not ${name}`,
    );
  }
  return name;
}

async function keep(
  rehearsal: Rehearsal,
  out: string | undefined,
  { stderr }: Pick<CommandContext, 'stderr'>,
): Promise<void> {
  if (out === undefined) return;
  const { writeWhole } = await import('../door/text-sink.js');
  await writeWhole(out, `${JSON.stringify(rehearsal, null, 2)}\n`);
  stderr.write(`Rehearsal written to ${printable(out)}\n`);
}

/** The known issue that names the migration which failed. */
async function issueOf({ hops }: Rehearsal): Promise<KnownIssue | undefined> {
  const failed = hops.find(({ outcome }) => outcome === 'failed')?.problem?.migration;
  if (failed === null || failed === undefined) return undefined;
  const name = withoutExtension(failed);
  const { builtInKnownIssues } = await import('../known-issues/built-in.js');
  return builtInKnownIssues.records.find((record) => JSON.stringify(record).includes(name));
}

const dumpCommands = `pg_dump --schema-only --no-comments --no-subscriptions "$DATABASE_URL" | sed '/^CREATE USER MAPPING/,/;$/d' > rehearsal.sql
pg_dump --data-only --table='*.knex_migrations' --table='*.knex_migrations_lock' --table='graphile_worker.migrations' "$DATABASE_URL" >> rehearsal.sql
pg_dumpall --roles-only --no-role-passwords --dbname="$DATABASE_URL" > roles.sql
`;
