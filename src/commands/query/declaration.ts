import { Command } from 'commander';
import type { Act } from '../context.js';
import { declareQueryCompile } from '../query-compile/declaration.js';

export function declareQuery(act: Act): Command {
  return new Command('query')
    .description('Metric queries of a Lightdash project.')
    .addCommand(declareQueryCompile(act));
}
