import { Command } from 'commander';
import type { Act } from '../context.js';
import { addUsage } from '../usage.js';
import type { CacheOptions } from './run.js';

export function declareCacheStatus(act: Act): Command {
  return addUsage(
    new Command('status')
      .description('Show where fetched answers are kept, how many there are, and how much space they take.')
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

export function declareCacheClear(act: Act): Command {
  return addUsage(
    new Command('clear')
      .description('Remove the fetched answers that lightspan keeps, and nothing else.')
      .option('--json', 'write one line of JSON to standard output')
      .action((options: CacheOptions) =>
        act(async (context) => (await import('./run.js')).cacheClear(options, context)),
      ),
    {
      exitCodes: {
        0: 'all kept answers are removed',
        2: 'the request is wrong',
        3: 'the folder could not be read, or something in it could not be removed',
      },
      examples: ['lightspan cache clear', 'lightspan cache clear --json'],
    },
  );
}
