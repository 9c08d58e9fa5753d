import { Command } from 'commander';
import { routePreferences } from '../../release-safety/version.js';
import type { Act } from '../context.js';
import { addFormatOption } from '../gate-format.js';
import { addKnownIssueOptions } from '../known-issue-options.js';
import {
  addArtifactOptions,
  addCurrentVersionOptions,
  addOutputOptions,
  addSourceOptions,
  choice,
  once,
  readNumber,
  readText,
  targetOption,
} from '../shared-options.js';
import { addUsage } from '../usage.js';
import type { UpgradePlanOptions } from './run.js';

export function declareUpgradePlan(act: Act): Command {
  const command = new Command('upgrade-plan').description(
    'The shortest certified route to a release, hop by hop, and how to run it. Nothing is executed.',
  );
  addCurrentVersionOptions(command);
  command.addOption(targetOption());
  addSourceOptions(command);
  addKnownIssueOptions(command);
  addArtifactOptions(command);
  addOutputOptions(command);
  addFormatOption(command);
  return addUsage(
    command
      .option('--require-rolling', 'exit 1 unless every hop is a rolling update')
      .option('--max-hops <number>', 'exit 1 if the route has more hops', once(readNumber))
      .addOption(
        choice(
          '--prefer <way>',
          'of all routes, the one with the fewest hops, or the one that rolls wherever that is proven and leaves the least to Recreate',
          routePreferences,
        ).default(routePreferences[0]),
      )
      .addOption(
        choice(
          '--deploy <with>',
          'list the steps of the first hop, with one block of commands to paste, for',
          ['helm', 'compose'],
        ),
      )
      .option('--open', 'print the address of the page that shows this path; nothing is opened')
      .option('--out <folder>', 'write the commands there, one script per hop', once(readText))
      .option('--chart-version <version>', 'helm: version of the chart that is deployed', once(readText))
      .option('--migration-job', 'helm: migrationJob.enabled is set')
      .option('--release <name>', 'helm: name of the release', once(readText))
      .option(
        '--values <file>',
        'helm: your values file (default: the one named by --from-file)',
        once(readText),
      )
      .action((options: UpgradePlanOptions) =>
        act(async (context) => (await import('./run.js')).upgradePlan(options, context)),
      ),
    {
      exitCodes: {
        0: 'a complete route, every hop of which the index covers; Recreate hops are part of a plan',
        1: 'no route, or a hop that cannot be certified, or the facts of --facts stop it, or --require-rolling or --max-hops is not met',
        2: 'the request is wrong',
        3: 'no index, or no answer from the instance, is available, or the scripts cannot be written',
        4: 'the index, or an answer, cannot be trusted',
      },
      notes:
        'With --facts of an instance (upgrade-preflight --facts-out), no steps are printed past what stops the upgrade; with those of a database, each hop says how long its migrations take, and whether going back needs the backup. That reads the artifacts on the route. So does --prefer least-downtime, which uses that time if it is known, and else the number of migrations that run under Recreate.',
      examples: [
        'lightspan upgrade-plan --from 1.198.1 --to latest-rolling',
        'lightspan upgrade-plan --from-file values.yaml --deploy helm --migration-job --chart-version 2.16.284',
        'lightspan upgrade-plan --from-file docker-compose.yml --deploy compose --out hops',
      ],
    },
  );
}
