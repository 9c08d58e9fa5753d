import { Command } from 'commander';
import { addConnectionOptions, type ConnectionOptions, connectionHelp } from '../connection-options.js';
import type { Act } from '../context.js';

export type OrgUsersOptions = ConnectionOptions;

export function declareOrgUsers(act: Act): Command {
  const command = new Command('users').description('List the users of the organization.');
  return addConnectionOptions(command, { project: false })
    .addHelpText('after', connectionHelp)
    .action((options: OrgUsersOptions) =>
      act(async (context) => (await import('./run.js')).orgUsers(options, context)),
    );
}
