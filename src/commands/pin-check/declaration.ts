import { Command } from 'commander';
import type { Act } from '../context.js';
import { addFormatOption } from '../gate-format.js';
import { addJudgeOptions } from '../judge-options.js';
import { addOutputOptions, once, readSource, readTagSuffix, several } from '../shared-options.js';
import { addUsage } from '../usage.js';
import type { PinCheckOptions } from './run.js';

export function declarePinCheck(act: Act): Command {
  const command = new Command('pin-check')
    .description('May a change move its pins as it does? Exits 0 only if each pin is proven, or stays.')
    .option('--base <git ref>', 'the branch or commit that the change will be merged into', once(readSource))
    .option('--head <git ref>', 'the last commit of the change (default: HEAD)', once(readSource))
    .option('--staged', 'the change is what is staged for the next commit')
    .option(
      '--pre-commit',
      'or: the change that pre-commit runs a hook for: a commit, a merge commit, a push, or --from-ref and --to-ref',
    )
    .option('--before <file>', 'or: the change of one file, as it was', once(readSource))
    .option('--after <file>', 'and as it is now', once(readSource))
    .option(
      '--pin <glob#path>',
      "the pins to judge, such as 'envs/*/values.yaml#image.tag' or 'compose.yaml#services.*.image'; may be given several times (default: those that lightspan.pins.yaml lists)",
      several(readSource),
    )
    .option(
      '--config <file>',
      'a file that lists the pins, from the root of the repository',
      once(readSource),
    )
    .option(
      '--tag-suffix <suffix>',
      'what follows the version in the tags, such as -custom',
      once(readTagSuffix),
    )
    .option('--repo <folder>', 'a folder of the repository (default: this one)', once(readSource));
  addJudgeOptions(command);
  addOutputOptions(command);
  addFormatOption(command);
  return addUsage(
    command.action((options: PinCheckOptions) =>
      act(async (context) => (await import('./run.js')).pinCheck(options, context)),
    ),
    {
      notes:
        'Both sides are read from git, as they are committed or staged. If no pin moves, no index is fetched.',
      exitCodes: {
        0: 'every pin stays as it is, is proven safe to roll in one step, or is accepted by name',
        1: 'one of them is not, or cannot be judged, or the facts of --facts stop it',
        2: 'the request is wrong, or a --pin matches nothing',
        3: 'no index is available, or git cannot show both sides: a commit or a file is missing, as in a shallow or partial clone',
        4: 'the index cannot be trusted',
      },
      examples: [
        "lightspan pin-check --base origin/main --pin 'envs/*/values.yaml#image.tag' --pin 'compose.yaml#services.*.image'",
        "lightspan pin-check --base HEAD --staged --pin 'values.yaml#image.tag' --accept recreate",
      ],
    },
  );
}
