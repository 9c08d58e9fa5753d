import { Command, Option } from 'commander';
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
    'What speaks against an upgrade in your own database and deployment: reads them, changes nothing, and says go, go with care, or stop.',
  );
  addCurrentVersionOptions(command);
  command
    .option('--from-database', 'or: take it from the migrations that the database has run')
    .addOption(targetOption())
    .addOption(
      new Option(
        '--database <url>',
        'read the database of Lightdash: postgresql://..., env for what PG* variables say, or the name of a variable that holds the URL',
      ).argParser(once(readSource)),
    )
    .addOption(migratingRoleOption())
    .option('--no-measure', 'do not measure how fast the server reads and sorts (at most two seconds)')
    .addOption(
      new Option('--facts-out <file>', 'write what was seen to a file, to be judged elsewhere').argParser(
        once(readSource),
      ),
    )
    .addOption(
      new Option(
        '--facts <file>',
        'or: judge facts that were collected before, on whatever machine: a file, or - for standard input',
      ).argParser(once(readSource)),
    )
    .option('--sql', 'print the script for psql -X -A -t whose output is that file, and do nothing else')
    .option('--grants', 'print, as SQL, the least role that sees everything, and do nothing else')
    .addOption(factOption())
    .addOption(diskFreeOption())
    .addOption(onlyOption())
    .addOption(
      choice('--fail-on <level>', 'from where on a finding is exit 1', ['stop', 'warn']).default('stop'),
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
      notes: `Every check is in the answer. What was not looked at is never ok: where it could stop the upgrade, there is no go.
--max-age limits the age of the facts as well as that of the index.`,
      exitCodes: {
        0: 'nothing that was asked stops the upgrade, and all that can was looked at',
        1: 'something stops it, or with --fail-on warn is warned of',
        2: 'the request is wrong',
        3: 'nothing stops it, but something that can was not looked at; or no index, no database, no cluster, is available',
        4: 'an index, facts, manifests, or answers of the database, came that cannot be trusted',
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
