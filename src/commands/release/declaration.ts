import { Command } from 'commander';
import type { Act } from '../context.js';
import { declareReleaseShow } from '../release-show/declaration.js';

export function declareRelease(act: Act): Command {
  return new Command('release')
    .description('Look at what one release brings.')
    .addCommand(declareReleaseShow(act));
}
