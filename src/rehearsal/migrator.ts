import { spawn } from 'node:child_process';
import type { Env } from '../core/common/env.js';

/** How a migrator is started. */
export interface MigratorCommand {
  readonly command: readonly string[];
  readonly env: Env;
  readonly limitMs: number;
  /** Ends what the command has started beyond its own processes. */
  readonly stop?: (() => void) | undefined;
}

export interface MigratorRun {
  readonly exitCode: number | undefined;
  /** Set if a signal ended it. */
  readonly signal: string | undefined;
  readonly isOverLimit: boolean;
  readonly seconds: number;
  /** The last of what it printed, without the secrets. */
  readonly lastLines: readonly string[];
  /** What knex says of the migration that failed, and of files that the image lacks. */
  readonly knexWords: KnexWords;
}

interface KnexWords {
  readonly failedMigration: string | undefined;
  readonly missingFiles: readonly string[];
  readonly isLocked: boolean;
}

const mostLines = 20;
const longestLine = 400;

/** Runs a migrator to its end, or to the limit: then all of its processes are ended. */
export function runMigrator(
  { command, env, limitMs, stop }: MigratorCommand,
  /** Values that are shown nowhere. */
  secrets: readonly string[],
): Promise<MigratorRun> {
  const [program = '', ...words] = command;
  const begun = performance.now();
  const child = spawn(program, words, { env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  const lines: string[] = [];
  let knexWords: KnexWords = { failedMigration: undefined, missingFiles: [], isLocked: false };
  const take = (line: string) => {
    knexWords = wordsOf(line, knexWords);
    const hidden = secrets.reduce((text, secret) => text.replaceAll(secret, '…'), line);
    if (hidden.trim() !== '') lines.push(hidden.slice(0, longestLine));
    if (lines.length > mostLines) lines.shift();
  };
  const ends = [child.stdout, child.stderr].map((stream) => {
    let rest = '';
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      const parts = (rest + chunk).split('\n');
      rest = (parts.pop() ?? '').slice(-100_000);
      for (const part of parts) take(part);
    });
    return () => take(rest);
  });
  let isOverLimit = false;
  const endAll = () => {
    if (child.pid !== undefined) killGroup(child.pid);
    stop?.();
  };
  const limit = setTimeout(() => {
    isOverLimit = true;
    endAll();
  }, limitMs);
  return new Promise((done) => {
    const finish = (exitCode: number | undefined, signal: string | undefined) => {
      clearTimeout(limit);
      // What it has left running could still change the copy.
      endAll();
      for (const end of ends) end();
      const seconds = (performance.now() - begun) / 1000;
      done({ exitCode, signal, isOverLimit, seconds, lastLines: lines, knexWords });
    };
    child.once('error', (error) => {
      take(error.message);
      finish(undefined, undefined);
    });
    child.once('exit', (code, signal) => {
      // Output that is still under way; a process that it has left may hold the pipe for ever.
      setTimeout(() => finish(code ?? undefined, signal ?? undefined), 100);
    });
  });
}

function wordsOf(line: string, before: KnexWords): KnexWords {
  const [, failedMigration = before.failedMigration] =
    /migration file "([^"]{1,255})" failed/.exec(line) ?? [];
  const [, missing] =
    /migration directory is corrupt, the following files are missing: (.*)/.exec(line) ?? [];
  return {
    failedMigration,
    missingFiles: missing === undefined ? before.missingFiles : (missing.match(/\d{14}_\w+/g) ?? []),
    isLocked: before.isLocked || /Migration table is already locked/.test(line),
  };
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // All of it has ended.
  }
}

/**
 * The variables by which the migrator, and the programs of PostgreSQL, find a copy and no other database.
 *
 * @param host a name, or the folder of a socket
 */
export function variablesOfCopy(
  { migratingRole, database }: { readonly migratingRole: string; readonly database: string },
  { host, port }: { readonly host: string; readonly port: number },
): Readonly<Record<string, string>> {
  const [role, name, folder] = [migratingRole, database, host].map(encodeURIComponent);
  const at = host.startsWith('/') ? `/${name}?host=${folder}&port=${port}` : `${host}:${port}/${name}`;
  const url = `postgresql://${role}:none@${at}`;
  return {
    ...{
      PGHOST: host,
      PGPORT: String(port),
      PGUSER: migratingRole,
      PGPASSWORD: 'none',
      PGDATABASE: database,
    },
    ...{ PGSSLMODE: 'disable', PGPASSFILE: '/dev/null', PGSERVICEFILE: '/dev/null' },
    ...{ PGCONNECTIONURI: url, DATABASE_URL: url },
  };
}

/** What a start needs besides a database: stand-ins, of which a migration uses none. */
export const standIns = {
  NODE_ENV: 'production',
  LIGHTDASH_SECRET: 'rehearsal',
  SITE_URL: 'http://localhost:8080',
  S3_ENDPOINT: 'http://localhost:9000',
  S3_BUCKET: 'rehearsal',
  S3_REGION: 'us-east-1',
  COREPACK_ENABLE_NETWORK: '0',
  CI: 'true',
} as const;

/** What a program needs of a caller's environment to run at all; whatever else is handed on is named by the caller. */
const handedOn = ['PATH', 'LANG', 'LC_ALL', 'TZ', 'TMPDIR', 'SHELL', 'NODE_PATH', 'SystemRoot', 'ComSpec'];

/**
 * The environment of a migrator on this machine. Nothing of the caller's says where a database is: neither a variable,
 * nor a file in the home folder, which is another one.
 */
export function migratorEnvironment(
  caller: Env,
  named: readonly string[],
  copy: Readonly<Record<string, string>>,
  home: string,
): Env {
  const take = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, caller[name]]));
  return { ...take(handedOn), HOME: home, ...standIns, ...take(named), ...copy };
}
