import { isExactNumber } from '../../shared/exact-json.js';
import { isRecord } from '../../shared/is-record.js';
import { renderPrettyJson } from '../json/response.js';
import { plainPalette } from '../palette.js';
import { renderTable } from './table.js';

/**
 * The known fields of a user. The contract does not show the shape, so a column is shown only if users have the field.
 */
const columns = ['email', 'firstName', 'lastName', 'role', 'isActive', 'userUuid'] as const;

/** The users as a table. If the answer is not a list of users with a known field, the JSON as it came. */
export function renderUsersText(results: unknown, width: number | undefined): string {
  const users = listOf(results);
  const present = columns.filter((column) => users?.some((user) => isShown(user[column])));
  if (users === undefined || (present.length === 0 && users.length > 0))
    return renderPrettyJson(results ?? null);
  if (users.length === 0) return 'No users.\n';
  return renderTable(
    present.map((column) => column.toUpperCase()),
    users.map((user) => present.map((column) => (isShown(user[column]) ? String(user[column]) : ''))),
    plainPalette,
    width,
  );
}

/** Some versions answer with the list, some with a page of it. */
function listOf(results: unknown): Record<string, unknown>[] | undefined {
  const list = isRecord(results) ? results.data : results;
  return Array.isArray(list) && list.every(isRecord) ? list : undefined;
}

function isShown(value: unknown): boolean {
  return ['string', 'number', 'boolean'].includes(typeof value) || isExactNumber(value);
}
