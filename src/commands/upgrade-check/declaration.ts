import { Command, Option } from 'commander';
import type { Act } from '../context.js';
import { addFormatOption } from '../gate-format.js';
import { addJudgeOptions } from '../judge-options.js';
import {
  addCurrentVersionOptions,
  addOutputOptions,
  once,
  readCheckTarget,
  readSource,
} from '../shared-options.js';
import { addUsage } from '../usage.js';
import type { UpgradeCheckOptions } from './run.js';

export function declareUpgradeCheck(act: Act): Command {
  const command = new Command('upgrade-check').description(
    'May this upgrade be one step, and may old and new pods overlap? Exits 0 only if both are proven.',
  );
  addCurrentVersionOptions(command);
  command
    .option(
      '--to <version>',
      'the target version; latest is the newest in the index',
      once(readCheckTarget),
      'latest',
    )
    .addOption(
      new Option(
        '--to-file <file>',
        'or: read it as --from-file does; with a --from-file, both must have the same image',
      )
        .argParser(once(readSource))
        .conflicts('to'),
    );
  addJudgeOptions(command);
  addOutputOptions(command);
  addFormatOption(command);
  return addUsage(
    command.action((options: UpgradeCheckOptions) =>
      act(async (context) => (await import('./run.js')).upgradeCheck(options, context)),
    ),
    {
      exitCodes: {
        0: 'the whole span is proven safe to roll in one step',
        1: 'it is not: a release in it is false or unknown, a rule forbids the direct upgrade, or the facts of --facts stop it',
        2: 'the request is wrong',
        3: 'no index, or no answer from the instance, is available',
        4: 'the index, or an answer of the instance, cannot be trusted',
      },
      examples: [
        'lightspan upgrade-check --from 1.121.0 --to 1.156.0',
        'lightspan upgrade-check --from 1.111.0 --to 1.115.0 --index ./release-safety-index.json --json',
      ],
    },
  );
}
