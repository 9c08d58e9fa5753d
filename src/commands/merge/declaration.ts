import { Command } from 'commander';
import type { Act } from '../context.js';
import { declareMergeSubmit } from '../merge-submit/declaration.js';
import { declareMergeValidate } from '../merge-validate/declaration.js';

export function declareMerge(act: Act): Command {
  return new Command('merge')
    .description('Merge queries of a Lightdash project (compose merge query).')
    .addCommand(declareMergeValidate(act))
    .addCommand(declareMergeSubmit(act));
}
