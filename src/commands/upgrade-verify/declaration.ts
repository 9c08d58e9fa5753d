import { Command, Option } from 'commander';
import { connectionNotes } from '../connection-options.js';
import type { Act } from '../context.js';
import { factOption } from '../known-issue-options.js';
import { requireGiven } from '../settings/fill.js';
import {
  addArtifactOptions,
  addIndexOption,
  addLimitOptions,
  addOutputOptions,
  migratingRoleOption,
  once,
  readDuration,
  readNumber,
  readSource,
  readText,
  readVersion,
} from '../shared-options.js';
import { addClusterOptions, manifestsOption } from '../upgrade-preflight/deployment-options.js';
import { addUsage } from '../usage.js';
import type { UpgradeVerifyOptions } from './run.js';

export function declareUpgradeVerify(act: Act): Command {
  const command = new Command('upgrade-verify')
    .description('After a deploy, wait until the instance is ready and serves the version that was deployed.')
    .option(
      '--instance <url>',
      'address of the Lightdash instance; only --canary needs a login',
      once(readSource),
    )
    .option('--version <version>', 'the version that was deployed', once(readVersion('--version')))
    .addOption(
      new Option('--window <duration>', 'how long to wait for it, such as 90s or 20m')
        .argParser(once(readDuration))
        .default(20 * 60_000, '20m'),
    )
    .option('--polls <n>', 'how many times in a row it must be ready', once(readNumber), 3)
    .addOption(
      new Option('--interval <duration>', 'pause between two polls')
        .argParser(once(readDuration))
        .default(5_000, '5s'),
    )
    .addOption(
      new Option('--timeout <duration>', 'longest wait for one answer')
        .argParser(once(readDuration))
        .default(10_000, '10s'),
    )
    .option(
      '--allow-newer',
      'accept a newer version as a yes (superseded), if it is ready as many times in a row',
    )
    .option(
      '--database <url>',
      'check the database too: postgresql://..., env to use the PG* variables, or the name of a variable with the URL',
      once(readSource),
    )
    .addOption(migratingRoleOption())
    .option(
      '--facts <file>',
      'or: judge facts collected since the deploy: a file, or - for standard input',
      once(readSource),
    )
    .addOption(factOption());
  command
    .option(
      '--canary <merge>',
      'run one query through the instance, which must return rows: a merge file, - for standard input, or the UUID of a chart',
      once(readSource),
    )
    .option('--project <uuid>', 'with --canary: the project (env LIGHTDASH_PROJECT)', once(readText));
  addClusterOptions(command.addOption(manifestsOption()));
  addLimitOptions(addArtifactOptions(addIndexOption(command)))
    .option('--no-cache', 'neither read nor write the cache')
    .option('--allow-http', 'allow plain http beyond this machine');
  addOutputOptions(command).action((options: UpgradeVerifyOptions) =>
    act(async (context) => {
      // Settings may have given what the command line has not.
      requireGiven(command, 'instance', 'version');
      return (await import('./run.js')).upgradeVerify(options, context);
    }),
  );
  return addUsage(command, {
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
  });
}
