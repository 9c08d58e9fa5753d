import { Command } from 'commander';
import type { Act } from '../context.js';
import { addOutputOptions, addSourceOptions } from '../shared-options.js';
import { addUsage } from '../usage.js';
import type { IndexVerifyOptions } from './run.js';

export function declareIndexVerify(act: Act): Command {
  const command = new Command('verify').description('Name every fault of an index.');
  addSourceOptions(command);
  addOutputOptions(command);
  return addUsage(
    command.action((options: IndexVerifyOptions) =>
      act(async (context) => (await import('./run.js')).indexVerify(options, context)),
    ),
    {
      notes: `Faults: fields that are not as documented, keys and releases that appear twice, gaps, disorder, stops and minimums that
no upgrade can meet, a floor that is missing or not marked, dates that run backwards.`,
      exitCodes: {
        0: 'no fault',
        1: 'at least one',
        2: 'the request is wrong',
        3: 'no index is available',
        4: 'what came is not JSON',
      },
      examples: [
        'lightspan index verify',
        'lightspan index verify --index ./release-safety-index.json --json',
      ],
    },
  );
}
