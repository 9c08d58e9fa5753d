import { readFileSync, statSync } from 'node:fs';
import { describeFileFault, hasErrorCode } from '../read-file.js';

/** The fields by which a line of a password file is found. */
export interface PasswordOf {
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly user: string;
}

/**
 * The password of the first matching line, as libpq reads `~/.pgpass`: a file that others may read is not read, and a
 * missing file is no error.
 */
export function readPasswordFile(
  path: string,
  wanted: PasswordOf,
): { readonly password?: string; readonly fault?: string } {
  let text: string;
  try {
    const stats = statSync(path);
    if (!stats.isFile()) return { fault: `${path} is not a file` };
    // Windows has no such modes.
    if (process.platform !== 'win32' && (stats.mode & 0o077) !== 0) {
      return { fault: `${path} was not read, because others may read it (chmod 600 ${path})` };
    }
    text = readFileSync(path, 'utf8');
  } catch (error) {
    return hasErrorCode(error, 'ENOENT')
      ? {}
      : { fault: `${path} was not read: ${describeFileFault(error)}` };
  }
  const password = passwordIn(text, wanted);
  return password === undefined ? {} : { password };
}

/** @param text lines of `host:port:database:user:password`, where `*` matches anything, and `\` escapes `:` and `\` */
export function passwordIn(text: string, { host, port, database, user }: PasswordOf): string | undefined {
  const hosts = defaultSocketFolders.has(host) ? [host, 'localhost'] : [host];
  const fits = (field: string | undefined, values: readonly string[]) =>
    field === '*' || (field !== undefined && values.includes(unescaped(field)));
  for (const line of text.split(/\r?\n/)) {
    if (line.startsWith('#')) continue;
    const [atHost, atPort, atDatabase, atUser, password] = line.split(separator);
    if (password === undefined) continue;
    if (!fits(atHost, hosts) || !fits(atPort, [String(port)])) continue;
    if (fits(atDatabase, [database]) && fits(atUser, [user])) return unescaped(password);
  }
  return undefined;
}

/** A colon that is not escaped by a backslash. */
const separator = /(?<=(?<!\\)(?:\\\\)*):/;

/** A line for `localhost` also applies to the usual socket. */
const defaultSocketFolders: ReadonlySet<string> = new Set(['/var/run/postgresql', '/run/postgresql', '/tmp']);

function unescaped(field: string): string {
  return field.replace(/\\(.)/g, '$1');
}
