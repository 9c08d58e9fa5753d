import { Command } from 'commander';
import type { Act } from '../context.js';
import { once, readSource, readTagSuffix } from '../shared-options.js';
import { addUsage } from '../usage.js';
import type { InitOptions } from './run.js';

export function declareInit(act: Act): Command {
  return addUsage(
    new Command('init')
      .description('Write a lightspan.yaml for this folder, from the pins that are in it.')
      .option('--instance <url>', 'the running instance, which is asked for its version', once(readSource))
      .option(
        '--tag-suffix <suffix>',
        'what follows the version in tags, such as -custom',
        once(readTagSuffix),
      )
      .option('--allow-http', 'allow plain http beyond this machine')
      .action((options: InitOptions) =>
        act(async (context) => (await import('./run.js')).init(options, context)),
      ),
    {
      exitCodes: {
        0: 'the file is written, and what was not found is named',
        2: 'the request is wrong, there is a file already, or nothing was found',
        3: 'the instance does not answer, or a file cannot be read or written',
        4: 'the answer of the instance cannot be trusted',
      },
      examples: ['lightspan init', 'lightspan init --instance https://lightdash.example.com'],
    },
  );
}
