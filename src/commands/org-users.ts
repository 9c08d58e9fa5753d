import { renderResponseJson } from '../answer/json/document.js';
import { renderUsersText } from '../answer/outputs/lightdash.js';
import { exitCodes } from '../exit-codes.js';
import { connect, connection, connectionExitCodes, connectionNotes } from './connection.js';
import { defineCommand } from './declare.js';

export const command = defineCommand({
  takes: connection,
  notes: connectionNotes,
  exitCodes: connectionExitCodes,
  examples: [
    'lightspan org users --url https://lightdash.example.org',
    "lightspan org users --json | jq '.results[].email'",
  ],
  run: async (options, context) => {
    const client = await connect(options, { project: false }, context);
    const response = await client.listUsers();
    context.stdout.write(
      options.json === true ? renderResponseJson(response) : renderUsersText(response.results),
    );
    return exitCodes.yes;
  },
});
