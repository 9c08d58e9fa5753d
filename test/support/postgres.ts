import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { appendFileSync, chownSync, existsSync, renameSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, onTestFinished, vi } from 'vitest';
import { fetchPostgres } from '../../scripts/fetch-package.js';
import { findProgram } from './programs.js';
import { closedPort } from './server.js';
import { folderOfAll } from './temporary-folder.js';

/** A PostgreSQL cluster of one test file: real, in a temporary folder, gone when the tests of the file have ended. */
export interface Cluster {
  /** Where its socket is: what stands as `host`, or as `PGHOST`. Roles need no password there. */
  readonly socketDir: string;
  /** Also on 127.0.0.1, where roles need their password. */
  readonly port: number;
  /** 15 of PostgreSQL 15.18. */
  readonly major: number;
  /** `postgresql://` over the socket. */
  readonly url: (role: string, database: string) => string;
  /** Runs SQL, as the superuser `postgres` where no other role is named; tells the rows, unaligned, without head. */
  readonly sql: (database: string, text: string, role?: string) => string;
  /** Runs SQL as the superuser, and takes it back when the test has ended. */
  readonly during: (database: string, breaks: string, mends: string) => void;
  /** A new database, of its own owner `lightdash`, in which that SQL was run by the owner. */
  readonly database: (name: string, ...sql: readonly string[]) => string;
  /** What the server has written to its log until now, read to its end. */
  readonly log: () => Promise<string>;
  /** Restarts it as a replica, without a primary. */
  readonly becomeReplica: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

/** PostgreSQL refuses to run as root. */
const unprivileged: { readonly uid?: number; readonly gid?: number } =
  process.getuid?.() === 0 ? idsOf('postgres') : {};

const programs = {
  psql: programOf('psql'),
  pg_isready: programOf('pg_isready'),
  pgbouncer: programOf('pgbouncer'),
};

const running: Cluster[] = [];

// Its thousands of files go while other tests run: all of them at the end of the run would keep it waiting.
afterAll(async () => {
  const end = async ({ stop, socketDir }: Cluster) => {
    await stop();
    // The collector of statistics, up to PostgreSQL 14, writes its files after the server has gone.
    await rm(socketDir, { recursive: true, force: true, maxRetries: 10 });
  };
  await Promise.all(running.map(end));
});

/** Nothing of it is meant to outlive a crash. Logical slots and prepared transactions are what tests look at. */
const settings = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_connections: '60',
  max_prepared_transactions: '10',
  wal_level: 'logical',
  autovacuum: 'off',
  // What is written is looked at, too.
  checkpoint_timeout: '1d',
  // The default since PostgreSQL 14.
  password_encryption: 'scram-sha-256',
};

/**
 * @param more settings of `postgresql.conf` in place of, or beside, those of every test
 * @param access lines of `pg_hba.conf` that come before those of every test
 * @param major of the server from npm; null: the newest that is installed
 * @throws where PostgreSQL is not installed: `.ci/tools` does that
 */
export async function startPostgres(
  more: Readonly<Record<string, string>> = {},
  access: readonly string[] = [],
  major: string | null = process.env.LIGHTSPAN_TEST_POSTGRES ?? null,
): Promise<Cluster> {
  const fetched = major === null ? undefined : fetchPostgres(major);
  const ofServer = (name: string) => (fetched === undefined ? programOf(name) : join(fetched, name));
  const version = execFileSync(ofServer('postgres'), ['--version'], { encoding: 'utf8' });
  const folder = folderOfAll();
  const data = join(folder, 'data');
  const port = await closedPort();
  asUser('cp', ['-a', initialised(ofServer('initdb'), version), data]);
  const all = { ...settings, listen_addresses: '127.0.0.1', port: String(port), ...more };
  const lines = Object.entries(all).map(([name, value]) => `${name} = '${value}'`);
  appendFileSync(
    join(data, 'postgresql.conf'),
    `${lines.join('\n')}\nunix_socket_directories = '${folder}'\n`,
  );
  const usual = ['local all all trust', 'host all all 127.0.0.1/32 scram-sha-256'];
  writeFileSync(join(data, 'pg_hba.conf'), `${[...access, ...usual].join('\n')}\n`);
  let log = '';
  const start = async () => {
    const server = spawn(ofServer('postgres'), ['-D', data], {
      ...unprivileged,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const ended = ending(server);
    server.stderr?.on('data', (chunk) => {
      log += chunk;
    });
    for (;;) {
      const { status } = spawnSync(programs.pg_isready, ['-h', folder, '-p', String(port)]);
      if (status === 0) break;
      if (server.exitCode !== null) throw new Error(`PostgreSQL did not start:\n${log}`);
      await sleep(50);
    }
    return async (signal: 'SIGINT' | 'SIGQUIT') => {
      server.kill(signal);
      await ended;
    };
  };
  let end = await start();

  const sql: Cluster['sql'] = (database, text, role = 'postgres') =>
    execFileSync(
      programs.psql,
      [
        ...['-X', '-q', '-A', '-t', '-v', 'ON_ERROR_STOP=1'],
        ...['-h', folder, '-p', String(port), '-U', role, '-d', database],
      ],
      { input: text, encoding: 'utf8', stdio: ['pipe', 'pipe', 'pipe'], maxBuffer: 64e6 },
    ).trimEnd();
  const cluster: Cluster = {
    socketDir: folder,
    port,
    major: Number.parseInt(version.replace(/^\D+/, ''), 10),
    url: (role, database) => `postgresql://${role}@/${database}?host=${folder}&port=${port}`,
    sql,
    during: (database, breaks, mends) => {
      sql(database, breaks);
      onTestFinished(() => void sql(database, mends));
    },
    database: (name, ...statements) => {
      sql('postgres', `CREATE DATABASE "${name}" OWNER lightdash`);
      sql(name, 'ALTER SCHEMA public OWNER TO lightdash');
      for (const statement of statements) sql(name, statement, 'lightdash');
      return name;
    },
    log: async () => {
      const end = `the end of ${log.length} and more`;
      sql('postgres', `DO $$ BEGIN RAISE LOG '${end}'; END $$`);
      while (!log.includes(end)) await sleep(5);
      return log;
    },
    becomeReplica: async () => {
      await end('SIGINT');
      asUser('touch', [join(data, 'standby.signal')]);
      end = await start();
    },
    stop: () => end('SIGQUIT'),
  };
  running.push(cluster);
  sql('postgres', "CREATE ROLE lightdash LOGIN PASSWORD 'secret of lightdash'");
  // gen_random_uuid, which the tables of the tests use, is built in since PostgreSQL 13.
  if (cluster.major < 13) sql('template1', 'CREATE EXTENSION pgcrypto');
  return cluster;
}

/**
 * The tables of a server that has not run yet, made once for all files of a run: copied, they take a tenth of the time.
 *
 * @param version what it says of itself
 */
function initialised(initdb: string, version: string): string {
  const kept = join(tmpdir(), `initialised-${version.replace(/\W+/g, '-')}`);
  if (existsSync(kept)) return kept;
  const folder = folderOfAll();
  const data = join(folder, 'data');
  asUser(initdb, [
    ...['--pgdata', data, '--username', 'postgres', '--auth', 'trust'],
    ...['--encoding', 'UTF8', '--no-locale', '--no-sync'],
  ]);
  try {
    renameSync(data, kept);
  } catch (error) {
    // Another worker was quicker.
    if (!existsSync(kept)) throw error;
  }
  return kept;
}

/**
 * What a look tells once the server had time to be measured: on a busy machine, it may not sort or read within the
 * limit of the statement, and then the look says so and nothing else.
 */
export function whenMeasured<Seen extends object | string>(look: () => Promise<Seen> | Seen): Promise<Seen> {
  const measured = async () => {
    const seen = await look();
    return !JSON.stringify(seen).includes('canceling statement due to statement timeout') && seen;
  };
  return vi.waitUntil(measured, { timeout: 60_000 }) as Promise<Seen>;
}

/** A file that the server takes for its own: a key that others may read is none to it. */
export function fileOfServer(name: string, text: string): string {
  const file = join(folderOfAll(), name);
  writeFileSync(file, text, { mode: 0o600 });
  const { uid, gid } = unprivileged;
  if (uid !== undefined && gid !== undefined) chownSync(file, uid, gid);
  return file;
}

/**
 * PgBouncer before a cluster, in transaction mode: a connection is another server's in each transaction.
 *
 * @param more lines of its settings
 */
export async function startPgBouncer(
  cluster: Cluster,
  more = '',
): Promise<Pick<Cluster, 'url' | 'socketDir' | 'port'>> {
  const folder = folderOfAll();
  const port = await closedPort();
  const file = join(folder, 'pgbouncer.ini');
  writeFileSync(join(folder, 'users.txt'), '"lightdash" ""\n"postgres" ""\n');
  writeFileSync(
    file,
    `[databases]
* = host=${cluster.socketDir} port=${cluster.port}
[pgbouncer]
pool_mode = transaction
listen_addr =
unix_socket_dir = ${folder}
listen_port = ${port}
auth_type = trust
auth_file = ${join(folder, 'users.txt')}
${more}
`,
  );
  const bouncer = spawn(programs.pgbouncer, [file], { ...unprivileged, stdio: 'ignore' });
  const ended = ending(bouncer);
  running.unshift({
    ...cluster,
    stop: async () => {
      bouncer.kill('SIGTERM');
      await ended;
    },
  });
  while (!existsSync(join(folder, `.s.PGSQL.${port}`))) {
    if (bouncer.exitCode !== null) throw new Error('PgBouncer did not start');
    await sleep(50);
  }
  const url: Cluster['url'] = (role, database) =>
    `postgresql://${role}@/${database}?host=${folder}&port=${port}`;
  return { url, socketDir: folder, port };
}

function programOf(name: string): string {
  const found = findProgram(name);
  if (found === undefined) throw new Error(`${name} is not installed: .ci/tools installs it`);
  return found;
}

function asUser(program: string, args: readonly string[]): void {
  execFileSync(program, args, { ...unprivileged, stdio: ['ignore', 'ignore', 'pipe'] });
}

function ending(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.once('exit', () => resolve());
  });
}

function idsOf(user: string): { readonly uid: number; readonly gid: number } {
  const id = (flag: string) => Number(execFileSync('id', [flag, user], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}
