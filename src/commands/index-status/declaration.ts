import { Command } from 'commander';
import type { Act } from '../context.js';
import { addOutputOptions, addSourceOptions } from '../shared-options.js';
import { addUsage } from '../usage.js';
import type { IndexStatusOptions } from './run.js';

export function declareIndexStatus(act: Act): Command {
  const command = new Command('status').description(
    'Show how old an index is, what it covers, and its newest green span.',
  );
  addSourceOptions(command);
  addOutputOptions(command);
  return addUsage(
    command.action((options: IndexStatusOptions) =>
      act(async (context) => (await import('./run.js')).indexStatus(options, context)),
    ),
    {
      exitCodes: {
        0: 'the index is described, whatever its age',
        2: 'the request is wrong',
        3: 'no index is available',
        4: 'the index cannot be trusted',
      },
      examples: ['lightspan index status', 'lightspan index status --index ./mirror --max-age 7d --json'],
    },
  );
}
