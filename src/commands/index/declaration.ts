import { Command } from 'commander';
import type { Act } from '../context.js';
import { declareIndexMirror } from '../index-mirror/declaration.js';
import { declareIndexStatus } from '../index-status/declaration.js';
import { declareIndexVerify } from '../index-verify/declaration.js';

export function declareIndex(act: Act): Command {
  return new Command('index')
    .description('Look at the release-safety index, verify it, or mirror it.')
    .addCommand(declareIndexStatus(act))
    .addCommand(declareIndexVerify(act))
    .addCommand(declareIndexMirror(act));
}
