import { Command } from 'commander';
import type { Act } from '../context.js';
import { addUsage } from '../usage.js';
import type { MergeValidateOptions } from './run.js';

export function declareMergeValidate(act: Act): Command {
  return addUsage(
    new Command('validate')
      .description('Check merges without sending them: their shape, and every rule that needs no server.')
      .argument('<file...>', 'merge requests as YAML or JSON: files, or - for standard input')
      .option('--json', 'write one line of JSON to standard output')
      .action((files: readonly string[], options: MergeValidateOptions) =>
        act(async (context) => (await import('./run.js')).mergeValidate(files, options, context)),
      ),
    {
      exitCodes: {
        0: 'nothing is wrong with any file, as far as can be known without the server',
        1: 'each is a merge request, but one breaks a rule',
        2: 'one is not a merge request, or the command line is wrong',
        3: 'a file cannot be read',
      },
      examples: [
        'lightspan merge validate merges/*.yaml',
        "lightspan merge validate merge.yaml --json | jq '.errors[].kind'",
      ],
    },
  );
}
