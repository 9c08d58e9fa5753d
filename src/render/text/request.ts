import { renderPrettyJson } from '../json/response.js';
import { printable } from '../printable.js';

/** A request that is not sent: what would be sent where. */
export function renderRequestText({
  method,
  url,
  body,
}: {
  readonly method: string;
  readonly url: string;
  readonly body: unknown;
}): string {
  return `${method} ${printable(url)}\n\n${renderPrettyJson(body)}`;
}
