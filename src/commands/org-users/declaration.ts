import { Command } from 'commander';
import { addConnectionOptions, connectionExitCodes, connectionNotes } from '../connection-options.js';
import type { Act } from '../context.js';
import { addUsage } from '../usage.js';
import type { OrgUsersOptions } from './run.js';

export function declareOrgUsers(act: Act): Command {
  const command = new Command('users').description('List the users of the organization.');
  return addUsage(
    addConnectionOptions(command, { project: false }).action((options: OrgUsersOptions) =>
      act(async (context) => (await import('./run.js')).orgUsers(options, context)),
    ),
    {
      notes: connectionNotes,
      exitCodes: connectionExitCodes,
      examples: [
        'lightspan org users --url https://lightdash.example.org',
        "lightspan org users --json | jq '.results[].email'",
      ],
    },
  );
}
