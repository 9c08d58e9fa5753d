import { Command } from 'commander';
import type { Act } from '../context.js';
import { addKnownIssueOptions } from '../known-issue-options.js';
import { addCurrentVersionOptions, addSourceOptions, once, readSource } from '../shared-options.js';
import { addUsage } from '../usage.js';
import type { IndexDatasourceOptions } from './run.js';

export function declareIndexDatasource(act: Act): Command {
  const command = new Command('datasource').description(
    'Write a custom datasource for Renovate that lists only releases to which a rolling step is proven.',
  );
  addCurrentVersionOptions(command);
  command.option(
    '--out <file>',
    'write it to a file, complete or not at all (default: standard output)',
    once(readSource),
  );
  addSourceOptions(command);
  addKnownIssueOptions(command);
  command
    .option('--verbose', 'say on standard error where the index came from')
    .action((options: IndexDatasourceOptions) =>
      act(async (context) => (await import('./run.js')).indexDatasource(options, context)),
    );
  return addUsage(command, {
    notes: `It is valid for the version that it was made from, and for later ones: an older one needs its own file. Make it
again when the index changes, and when known issues do.`,
    exitCodes: {
      0: 'the datasource is written; if nothing is proven, it contains only the running version',
      2: 'the request is wrong',
      3: 'no index, or no answer from the instance, is available, or the file cannot be written',
      4: 'the index, or an answer of the instance, cannot be trusted',
    },
    examples: [
      'lightspan index datasource --from 1.121.0',
      'lightspan index datasource --from-file values.yaml --max-age 7d --out 1.121.0.json',
    ],
  });
}
