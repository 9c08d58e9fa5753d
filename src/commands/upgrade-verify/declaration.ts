import { Command, Option } from 'commander';
import type { Act } from '../context.js';
import { once, readDuration, readNumber, readSource, readVersion } from '../shared-options.js';
import { addUsage } from '../usage.js';
import type { UpgradeVerifyOptions } from './run.js';

export function declareUpgradeVerify(act: Act): Command {
  const command = new Command('upgrade-verify')
    .description('After a deploy, wait until the instance is ready and serves the version that was deployed.')
    .addOption(
      new Option('--instance <url>', 'address of the Lightdash instance; no login is needed')
        .argParser(once(readSource))
        .makeOptionMandatory(),
    )
    .addOption(
      new Option('--version <version>', 'the version that was deployed')
        .argParser(once(readVersion('--version')))
        .makeOptionMandatory(),
    )
    .addOption(
      new Option('--window <duration>', 'how long to wait for it, such as 90s or 20m')
        .argParser(once(readDuration))
        .default(20 * 60_000, '20m'),
    )
    .addOption(
      new Option('--polls <n>', 'how many times in a row it must be so')
        .argParser(once(readNumber))
        .default(3),
    )
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
    .option('--allow-newer', 'take a newer version for a yes (superseded), ready as many times in a row')
    .option('--allow-http', 'let plain http go beyond this machine')
    .option('--json', 'write one line of JSON to standard output')
    .action((options: UpgradeVerifyOptions) =>
      act(async (context) => (await import('./run.js')).upgradeVerify(options, context)),
    );
  return addUsage(command, {
    exitCodes: {
      0: 'the instance was ready and served that version, or with --allow-newer a newer one, so many times in a row',
      1: 'it was not by the end of the window, a migration is parked, or a newer version is served; the last reason is shown',
      2: 'the request is wrong',
      3: 'something else went wrong',
      4: 'what it answered last contradicts itself',
    },
    examples: [
      'lightspan upgrade-verify --instance https://lightdash.example.com --version 1.156.0',
      'lightspan upgrade-verify --instance https://lightdash.example.com --version 1.156.0 --window 5m --json',
    ],
  });
}
