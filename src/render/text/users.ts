import { isExactNumber } from '../../shared/exact-json.js';
import { isRecord } from '../../shared/is-record.js';
import { renderPrettyJson } from '../json/response.js';
import { plainPalette } from '../palette.js';
import { renderTable } from './table.js';

/** What a user is known to have; the contract does not show the shape, so each column is there only if users have it. */
const columns = ['email', 'firstName', 'lastName', 'role', 'isActive', 'userUuid'] as const;

/** The users as a table; what is no list of them, and users without any known field, as the JSON that came. */
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
