import { Command } from 'commander';
import type { Act } from '../context.js';
import { addFormatOption } from '../gate-format.js';
import { addIssueExceptions, addKnownIssueSources, factOption } from '../known-issue-options.js';
import {
  addArtifactOptions,
  addCurrentVersionOptions,
  addOutputOptions,
  addSourceOptions,
  choice,
  diskFreeOption,
  migratingRoleOption,
  once,
  onlyOption,
  readSource,
  targetOption,
} from '../shared-options.js';
import { addUsage } from '../usage.js';
import { addDeploymentOptions } from './deployment-options.js';
import type { UpgradePreflightOptions } from './run.js';

export function declareUpgradePreflight(act: Act): Command {
  const command = new Command('upgrade-preflight').description(
    'Check your own database and deployment before an upgrade: reads them, changes nothing, and says go, go with care, or stop.',
  );
  addCurrentVersionOptions(command);
  command
    .option('--from-database', 'or: derive it from the migrations that the database has run')
    .addOption(targetOption())
    .option(
      '--database <url>',
      'read the database of Lightdash: postgresql://..., env to use the PG* variables, or the name of a variable with the URL',
      once(readSource),
    )
    .addOption(migratingRoleOption())
    .option('--no-measure', 'do not measure how fast the server reads and sorts (at most two seconds)')
    .option('--facts-out <file>', 'write what was seen to a file, to judge it elsewhere', once(readSource))
    .option(
      '--facts <file>',
      'or: judge facts collected earlier, on any machine: a file, or - for standard input',
      once(readSource),
    )
    .option('--sql', 'print the script for psql -X -A -t whose output is such a file, and do nothing else')
    .option(
      '--grants',
      'print SQL that creates the least privileged role that sees everything, and do nothing else',
    )
    .addOption(factOption())
    .addOption(diskFreeOption())
    .addOption(onlyOption())
    .addOption(
      choice('--fail-on <level>', 'the lowest level of a finding that is exit 1', ['stop', 'warn']).default(
        'stop',
      ),
    );
  addDeploymentOptions(command);
  addIssueExceptions(addKnownIssueSources(command));
  addSourceOptions(command);
  addArtifactOptions(command);
  addOutputOptions(command);
  addFormatOption(command);
  return addUsage(
    command.action((options: UpgradePreflightOptions) =>
      act(async (context) => (await import('./run.js')).upgradePreflight(options, context)),
    ),
    {
      notes: `Every check is in the answer; --verbose lists those in order too. What was not checked is never ok: if it could stop the upgrade, there is no go.
--max-age limits the age of the facts as well as that of the index.`,
      exitCodes: {
        0: 'no requested check stops the upgrade, and everything that can stop it was checked',
        1: 'something stops it, or with --fail-on warn, there is a warning',
        2: 'the request is wrong',
        3: 'nothing stops it, but something that can was not checked; or no index, no answer from the instance, no database or no cluster is available',
        4: 'the index, facts, manifests, or answers of the database cannot be trusted',
      },
      examples: [
        'lightspan upgrade-preflight --from-database --to latest --database env --facts-out facts.json',
        'lightspan upgrade-preflight --sql > facts.sql',
        'lightspan upgrade-preflight --from 1.198.1 --to 2.134.2 --facts facts.json --index ./mirror',
        'lightspan upgrade-preflight --from 1.198.1 --to latest --database env --kubernetes --namespace bi',
        'lightspan upgrade-preflight --from 1.198.1 --to latest --manifests manifests.yaml --only deployment',
        'lightspan upgrade-preflight --from-database --to latest --facts facts.json --only database --disk-free 40GiB',
      ],
    },
  );
}
