import { renderTable } from '../answer/formats/wrap.js';
import { renderPrettyJson, renderResponseJson } from '../answer/json/document.js';
import { connect } from '../app/lightdash/connection.js';
import { isExactNumber } from '../core/json/exact-json.js';
import { isRecord } from '../core/json/is-record.js';
import { defineCommand } from '../door/declare.js';
import { exitCodes } from '../door/exit-codes.js';
import {
  connection,
  connectionExitCodes,
  connectionNotes,
  connectionOf,
} from '../door/options/connection-options.js';
import { writeResult } from '../door/write-answer.js';

/** Its JSON: the answer of the API as it came, with the version of our own output. */
export const resultSchema = async () => (await import('../gather/api/client.js')).orgUsersSchema;

export const command = defineCommand({
  takes: connection,
  notes: connectionNotes,
  exitCodes: connectionExitCodes,
  examples: [
    'lightspan org users --url https://lightdash.example.org',
    "lightspan org users --json | jq '.results[].email'",
  ],
  run: async (options, context) => {
    const client = await connect(connectionOf(options), { project: false }, context);
    const response = await client.listUsers();
    await writeResult(options, context, {
      json: () => renderResponseJson(response),
      text: () => renderUsersText(response.results),
    });
    return exitCodes.yes;
  },
});

/**
 * The users as a table; if the answer is not a list of users with a known field, the JSON as it came. The contract does
 * not show the shape: some versions answer with the list, some with a page of it.
 */
export function renderUsersText(results: unknown): string {
  const users = isRecord(results) ? results.data : results;
  if (!Array.isArray(users) || !users.every(isRecord)) return renderPrettyJson(results ?? null);
  if (users.length === 0) return 'No users.\n';
  const columns = ['email', 'firstName', 'lastName', 'role', 'isActive', 'userUuid'].filter((column) =>
    users.some((user) => isShown(user[column])),
  );
  if (columns.length === 0) return renderPrettyJson(results);
  return renderTable(
    columns.map((column) => column.toUpperCase()),
    users.map((user) => columns.map((column) => (isShown(user[column]) ? String(user[column]) : ''))),
  );
}

function isShown(value: unknown): boolean {
  return ['string', 'number', 'boolean'].includes(typeof value) || isExactNumber(value);
}
