import { Command } from 'commander';
import type { Act } from '../context.js';
import { addUsage } from '../usage.js';
import type { MergeValidateOptions } from './run.js';

export function declareMergeValidate(act: Act): Command {
  return addUsage(
    new Command('validate')
      .description('Check a merge without sending it: its shape, and every rule that needs no server.')
      .argument('<file>', 'merge request as YAML or JSON: a file, or - for standard input')
      .option('--json', 'write one line of JSON to standard output')
      .action((file: string, options: MergeValidateOptions) =>
        act(async (context) => (await import('./run.js')).mergeValidate(file, options, context)),
      ),
    {
      exitCodes: {
        0: 'nothing is wrong with it, as far as can be known without the server',
        1: 'it is a merge request, but breaks a rule',
        2: 'it is not a merge request, or the command line is wrong',
        3: 'the file cannot be read',
      },
      examples: [
        'lightspan merge validate merge.yaml',
        "lightspan merge validate merge.yaml --json | jq '.errors[].kind'",
      ],
    },
  );
}
