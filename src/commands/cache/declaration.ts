import { Command } from 'commander';
import { declareCacheClear } from '../cache-clear/declaration.js';
import { declareCacheStatus } from '../cache-status/declaration.js';
import type { Act } from '../context.js';

export function declareCache(act: Act): Command {
  return new Command('cache')
    .description('Say where fetched answers are kept and how much they take, or clear them.')
    .addCommand(declareCacheStatus(act))
    .addCommand(declareCacheClear(act));
}
