import { type ExitCode, exitCodes } from '../../exit-codes.js';
import { renderResponseJson } from '../../render/json/response.js';
import { renderUsersText } from '../../render/text/users.js';
import { connect } from '../connection.js';
import type { ConnectionOptions } from '../connection-options.js';
import { type CommandContext, widthOf } from '../context.js';

export type OrgUsersOptions = ConnectionOptions;

/** `lightspan org users` */
export async function orgUsers(options: OrgUsersOptions, context: CommandContext): Promise<ExitCode> {
  const client = await connect(options, { project: false }, context);
  const response = await client.listUsers();
  context.stdout.write(
    options.json === true
      ? renderResponseJson(response)
      : renderUsersText(response.results, widthOf(context.stdout)),
  );
  return exitCodes.yes;
}
