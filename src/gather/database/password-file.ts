import { open } from 'node:fs/promises';
import type { DatabaseAddress } from './address.js';

type PasswordTarget = Pick<DatabaseAddress, 'host' | 'port' | 'user' | 'database'>;

/**
 * The password that psql would take from its password file; undefined if it takes none. A file that others may read is
 * no password file.
 */
export async function passwordInFile(
  wanted: PasswordTarget & Pick<DatabaseAddress, 'passwordFile'>,
): Promise<string | undefined> {
  const text = await readOwn(wanted.passwordFile);
  return text === undefined ? undefined : passwordIn(text, wanted);
}

async function readOwn(path: string): Promise<string | undefined> {
  const file = await open(path).catch(() => undefined);
  if (file === undefined) return undefined;
  try {
    const stats = await file.stat();
    const isOpen = process.platform !== 'win32' && (stats.mode & 0o077) !== 0;
    return stats.isFile() && !isOpen ? await file.readFile('utf8') : undefined;
  } finally {
    await file.close();
  }
}

/** The folder in which libpq looks for the socket by default, as distributions and Homebrew build it. */
const usualSocket = process.platform === 'darwin' ? '/tmp' : '/var/run/postgresql';

/**
 * By the rules of libpq (`passwordFromFile`): the first line whose four fields match. A colon without a backslash
 * before it ends a field, the password as well; a backslash stands for the character behind it. `localhost` is the
 * usual socket too, and no other one: another is named by its folder.
 */
export function passwordIn(text: string, { host, port, user, database }: PasswordTarget): string | undefined {
  const fields = [host === usualSocket ? 'localhost' : host, String(port), database, user];
  for (const line of text.split(/\r?\n/)) {
    if (line === '' || line.startsWith('#')) continue;
    const parts = line.match(/(?:\\.|[^:\\]|\\$)*(?::|$)/g) ?? [];
    const [password, ...matched] = [parts[4], ...parts.slice(0, 4)];
    if (password === undefined || !fields.every((field, i) => matches(matched[i] ?? '', field))) continue;
    return plain(password) || undefined;
  }
  return undefined;
}

function matches(part: string, field: string): boolean {
  return part === '*:' || (part.endsWith(':') && plain(part) === field);
}

/** What a field says, without the colon that ends it. */
function plain(part: string): string {
  return part.replace(/(\\.)|:$/g, (_, escaped?: string) => escaped?.slice(1) ?? '');
}
