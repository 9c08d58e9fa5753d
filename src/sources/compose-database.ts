import { parse } from 'yaml';
import { isRecord } from '../shared/is-record.js';

/**
 * The service of a compose file that runs PostgreSQL and publishes no port, so that it can be reached only through its
 * container. Undefined if there is none, or more than one, or the file cannot be read for this.
 *
 * @param text of a file whose nesting has been checked, as by `readPin`
 */
export function databaseServiceOf(text: string): string | undefined {
  let file: unknown;
  try {
    file = parse(text, { merge: true, uniqueKeys: false, logLevel: 'silent' });
  } catch {
    return undefined;
  }
  if (!isRecord(file) || !isRecord(file.services)) return undefined;
  const databases = Object.entries(file.services).filter(
    ([, service]) => isRecord(service) && typeof service.image === 'string' && isPostgres(service.image),
  );
  const [only, second] = databases;
  if (only === undefined || second !== undefined) return undefined;
  const [name, service] = only;
  if (!isRecord(service)) return undefined;
  const publishes =
    service.network_mode === 'host' || (service.ports !== undefined && !isEmpty(service.ports));
  return publishes ? undefined : name;
}

/** The official image and the one with pgvector, which take the same variables. */
function isPostgres(image: string): boolean {
  return /(^|\/)(postgres|pgvector)([:@]|$)/.test(image);
}

function isEmpty(ports: unknown): boolean {
  return ports === null || (Array.isArray(ports) && ports.length === 0);
}
