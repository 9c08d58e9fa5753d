import { Command } from 'commander';
import type { Act } from '../context.js';
import { declareOrgUsers } from '../org-users/declaration.js';

export function declareOrg(act: Act): Command {
  return new Command('org')
    .description('The organization of a Lightdash instance.')
    .addCommand(declareOrgUsers(act));
}
