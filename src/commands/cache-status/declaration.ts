import { Command } from 'commander';
import type { Act } from '../context.js';
import { addUsage } from '../usage.js';

export interface CacheOptions {
  readonly json?: true;
}

export function declareCacheStatus(act: Act): Command {
  return addUsage(
    new Command('status')
      .description('Say where fetched answers are kept, how many there are, and how much they take.')
      .option('--json', 'write one line of JSON to standard output')
      .action((options: CacheOptions) =>
        act(async (context) => (await import('./run.js')).cacheStatus(options, context)),
      ),
    {
      exitCodes: {
        0: 'the cache is described, empty or not',
        2: 'the request is wrong',
        3: 'the folder could not be read',
      },
      examples: ['lightspan cache status', 'lightspan cache status --json'],
    },
  );
}
