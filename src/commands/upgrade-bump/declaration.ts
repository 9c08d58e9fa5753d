import { Command } from 'commander';
import type { Act } from '../context.js';
import { addKnownIssueOptions } from '../known-issue-options.js';
import { addSourceOptions, once, readSource, readTagSuffix, targetOption } from '../shared-options.js';
import { addUsage } from '../usage.js';
import type { UpgradeBumpOptions } from './run.js';

export function declareUpgradeBump(act: Act): Command {
  const command = new Command('upgrade-bump')
    .description(
      'Move a pinned version to the next release that is proven safe to roll to, and print the verdict as one line of JSON.',
    )
    .requiredOption(
      '--file <file>',
      'the YAML or JSON file that pins the image tag, such as values.yaml; if it has several, with the path of one, such as docker-compose.yml#services.lightdash.image',
      once(readSource),
    )
    .addOption(targetOption())
    .option(
      '--tag-suffix <suffix>',
      'what follows the version in the tag, such as -custom',
      once(readTagSuffix),
    )
    .option('--check', 'say what would be done, and change nothing')
    .option('--allow-recreate', 'also pin a hop that needs a downtime, and say so');
  addSourceOptions(command);
  addKnownIssueOptions(command);
  command
    .option('--verbose', 'say on standard error where the answer came from')
    .action((options: UpgradeBumpOptions) =>
      act(async (context) => (await import('./run.js')).upgradeBump(options, context)),
    );
  return addUsage(command, {
    notes:
      'The pin moves by one hop at a time towards a target that is a name: the release that it lands on must run before the next.',
    exitCodes: {
      0: 'the pin was moved, or would be (--check), or there is nothing to move to; with --allow-recreate the hop may need a downtime, and "safe" in the JSON is then false',
      1: 'the hop is not proven safe, or the facts of --facts stop it; nothing was changed',
      2: 'the request is wrong, or the pin is not a release that can be moved',
      3: 'no index is available, or the file cannot be read or written, or changed in the meantime',
      4: 'the index cannot be trusted',
    },
    examples: [
      'lightspan upgrade-bump --file values.yaml --to latest-rolling',
      "lightspan upgrade-bump --file 'docker-compose.yml#services.lightdash.image' --allow-recreate --check",
    ],
  });
}
