import { Command } from 'commander';
import { addConnectionOptions, connectionExitCodes, connectionNotes } from '../connection-options.js';
import type { Act } from '../context.js';
import { once, readText } from '../shared-options.js';
import { addUsage } from '../usage.js';
import type { QueryCompileOptions } from './run.js';

export function declareQueryCompile(act: Act): Command {
  const command = new Command('compile')
    .description('Compile a metric query to SQL.')
    .argument('<file>', 'metric query as JSON: a file, or - for standard input')
    .option(
      '--explore <name>',
      'explore to compile against (default: exploreName of the query)',
      once(readText),
    );
  return addUsage(
    addConnectionOptions(command, { project: true }).action((file: string, options: QueryCompileOptions) =>
      act(async (context) => (await import('./run.js')).queryCompile(file, options, context)),
    ),
    {
      notes: connectionNotes,
      exitCodes: connectionExitCodes,
      examples: [
        'lightspan query compile metric-query.json --explore orders',
        'lightspan chart get 8c1f0e52-6f0a-4a8b-9d2e-1f3a5b7c9d0e --metric-query | lightspan query compile -',
      ],
    },
  );
}
