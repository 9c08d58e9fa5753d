import { Command } from 'commander';
import { addConnectionOptions, connectionNotes } from '../connection-options.js';
import type { Act } from '../context.js';
import { addRowOptions } from '../row-options.js';
import { once, readDuration } from '../shared-options.js';
import { addUsage } from '../usage.js';
import type { QueryResultsOptions } from './run.js';

export function declareQueryResults(act: Act): Command {
  const command = new Command('results')
    .description('Fetch the result of a query that was submitted before.')
    .argument('<queryUuid>', 'UUID of the query, as merge submit prints it')
    .option(
      '--wait <duration>',
      'longest wait for a query that is still running (default: 10m)',
      once(readDuration),
    );
  return addUsage(
    addConnectionOptions(addRowOptions(command), { project: true }).action(
      (queryUuid: string, options: QueryResultsOptions) =>
        act(async (context) => (await import('./run.js')).queryResults(queryUuid, options, context)),
    ),
    {
      notes: connectionNotes,
      exitCodes: {
        0: 'the result is complete',
        1: 'the query failed, was cancelled, expired or is not known',
        2: 'the request is wrong; nothing was sent',
        3: 'no answer is available: network, timeout, login, an error of the server, or the wait was over first',
        4: 'an answer does not match the contract',
      },
      examples: [
        'lightspan query results b1f7c0de-9a1b-4c2d-8e3f-0a1b2c3d4e5f',
        'lightspan query results b1f7c0de-9a1b-4c2d-8e3f-0a1b2c3d4e5f --output csv --out result.csv',
      ],
    },
  );
}
