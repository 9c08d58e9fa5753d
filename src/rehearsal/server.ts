import { type ChildProcess, execFileSync, type SpawnSyncOptions, spawn, spawnSync } from 'node:child_process';
import {
  accessSync,
  chownSync,
  constants,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmdirSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Env } from '../core/common/env.js';
import { LightspanError } from '../core/lightspan-error.js';
import { describeWriteFault } from '../gather/files/read-file.js';
import { onInterrupt } from '../gather/files/write-file.js';
import type { ProgramsPlace } from '../question/rehearsal.js';
import { runRestore } from './dump.js';
import { migratorEnvironment, variablesOfCopy } from './migrator.js';
import { isOrphan, ownLabel, startOf } from './owner.js';
import type { Place, PlaceRequest, RehearsalServer } from './place.js';
import { openSession } from './session.js';

interface ServerPrograms {
  readonly initdb: string;
  readonly postgres: string;
  readonly pgRestore: string;
  readonly major: number;
}

const port = 5432;

/**
 * `initdb` and `postgres` of one folder, or else of the PATH; `pg_restore` may stand elsewhere.
 *
 * @throws {LightspanError} `unreadable-source` if one of them is not there
 */
function findPrograms(folder: string | undefined, env: Env): ServerPrograms {
  const path = (env.PATH ?? '').split(delimiter).filter(Boolean);
  const find = (name: string, folders: readonly string[]) => {
    const program = folders.map((place) => join(place, name)).find(isExecutable);
    if (program !== undefined) return program;
    throw new LightspanError('unreadable-source', `${name} is not in ${folder ?? 'the PATH'}`, {
      hint: 'Name the folder of the programs: --postgres /usr/lib/postgresql/15/bin.',
    });
  };
  const folders = folder === undefined ? path : [folder];
  const postgres = find('postgres', folders);
  const pgRestore = find('pg_restore', [...folders, ...path]);
  const { stdout } = spawnSync(postgres, ['--version'], { encoding: 'utf8', env: plainEnvironment(env) });
  const [, major] = /\(PostgreSQL\) (\d+)/.exec(stdout ?? '') ?? [];
  if (major === undefined) {
    throw new LightspanError(
      'unreadable-source',
      `${postgres} --version does not say which PostgreSQL it is`,
    );
  }
  return { initdb: find('initdb', folders), postgres, pgRestore, major: Number(major) };
}

/** The environment of the programs of PostgreSQL, without the variables that name a server. */
function plainEnvironment({ PATH, TMPDIR }: Env): Env {
  return { PATH, TMPDIR, LC_ALL: 'C', TZ: 'UTC' };
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Programs of this machine, and a command that migrates. */
export function openPrograms({ folder, migrate }: ProgramsPlace, request: PlaceRequest): Place {
  const { env, tmp } = request;
  const programs = findPrograms(folder, env);
  return {
    by: 'programs',
    restore: (options, path) => runRestore([programs.pgRestore, ...options, path], plainEnvironment(env)),
    removeLeftovers: () => removeLeftovers(tmp),
    start: (dump) => {
      if (dump.fromMajor === undefined || dump.fromMajor <= programs.major) {
        return startServer(programs, migrate, request);
      }
      const versions = `the dump is of PostgreSQL ${dump.fromMajor}, and the programs are of ${programs.major}`;
      throw new LightspanError('unreadable-source', versions, {
        hint: `Pass those of PostgreSQL ${dump.fromMajor} with --postgres.`,
      });
    },
  };
}

/** Makes a server in a folder of its own, which nobody else may enter. It listens on a socket there and on no network. */
async function startServer(
  programs: ServerPrograms,
  migrate: string,
  request: PlaceRequest,
): Promise<RehearsalServer> {
  const { tmp, suffix, full } = request;
  const env = plainEnvironment(request.env);
  const folder = makeFolder(tmp);
  let room: ReturnType<typeof watchRoom> | undefined;
  const remove = () => {
    forget();
    room?.end();
    removeFolder(folder);
  };
  const forget = onInterrupt(() => undisturbed(remove));
  try {
    const user = chooseUser(folder);
    const superuser = `lightspan_${suffix}`;
    const data = join(folder, 'data');
    run(programs.initdb, initdbOptions(data, superuser), { ...user, env, cwd: '/' });
    const settings = { ...settingsOf(full), listen_addresses: '', port: String(port) };
    const file = join(data, 'postgresql.auto.conf');
    writeFileSync(file, settingsText({ ...settings, unix_socket_directories: folder }), { mode: 0o600 });
    if (user !== undefined) chownSync(file, user.uid, user.gid);
    const withoutNetwork = networkless(user, env);
    const [program = '', ...words] = [...(withoutNetwork?.server ?? []), programs.postgres, '-D', data];
    const child = spawn(program, words, {
      // With a network of its own, that program changes the user too.
      ...(withoutNetwork === undefined ? user : {}),
      ...{ env, cwd: '/', stdio: ['ignore', 'ignore', 'pipe'], detached: true },
    });
    const log = followLog(child);
    if (full) room = watchRoom(folder);
    const failure = () => room?.failure() ?? log.failure();
    const address = { host: folder, port };
    const connect = (role: string, database: string) => openSession(address, role, database);
    await untilReady(() => connect(superuser, 'postgres'), failure);
    return {
      ...{ superuser, connect, failure, major: programs.major, isIsolated: withoutNetwork !== undefined },
      onLog: log.onLine,
      imageOf: () => undefined,
      migrator: (copy, version) => {
        const home = join(folder, 'home');
        mkdirSync(home, { recursive: true });
        const ofCopy = variablesOfCopy(copy, { host: folder, port });
        const shell = ['/bin/sh', '-c', migrate.replaceAll('{version}', version)];
        return {
          command: [...(withoutNetwork?.migrator ?? []), ...shell],
          env: migratorEnvironment(request.env, request.variables, ofCopy, home),
        };
      },
      remove,
    };
  } catch (error) {
    remove();
    throw error;
  }
}

/** What has to stay free for whoever else writes to the same disk. */
const leastFree = 1024 ** 3;

/** The longest path of a socket, which holds on every system. */
const longestSocket = 103;

function makeFolder(tmp: string): string {
  const hint = 'TMPDIR names the folder in which it is made.';
  try {
    const folder = mkdtempSync(join(tmp, `${prefix}${ownLabel()}-`));
    if (Buffer.byteLength(join(folder, `.s.PGSQL.${port}`)) <= longestSocket) return folder;
    rmdirSync(folder);
    throw new Error(`its path is too long for a socket, which may have ${longestSocket} bytes`);
  } catch (error) {
    const message = `no copy can be made in ${tmp}: ${describeWriteFault(error)}`;
    throw new LightspanError('unwritable-output', message, { hint });
  }
}

/** Ends a copy that grows until the disk is nearly full. */
function watchRoom(folder: string) {
  let failure: string | undefined;
  const timer = setInterval(() => {
    const { bavail, bsize } = statfsSync(folder);
    if (bavail * bsize >= leastFree) return;
    failure = 'less than 1 GiB is free where the copy is: TMPDIR names another folder';
    clearInterval(timer);
    removeFolder(folder);
  }, 1000).unref();
  return { failure: () => failure, end: () => clearInterval(timer) };
}

const prefix = 'lsr-';

function initdbOptions(data: string, superuser: string): readonly string[] {
  const plain = ['--auth=trust', '--encoding=UTF8', '--no-locale', '--no-sync'];
  return ['--pgdata', data, '--username', superuser, ...plain];
}

/** `%e` is the SQLSTATE, `%p` the process, `%n` the time. */
const logPrefix = '%e %p %n|';

/** How a server of our own is set: its log tells what happens, and without rows it need not survive anything. */
export function settingsOf(full: boolean): Readonly<Record<string, string>> {
  return {
    log_destination: 'stderr',
    logging_collector: 'off',
    log_line_prefix: logPrefix,
    log_statement: 'all',
    log_min_messages: 'warning',
    log_min_error_statement: 'error',
    log_timezone: 'UTC',
    ...(full ? {} : { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off', autovacuum: 'off' }),
  };
}

function settingsText(settings: Readonly<Record<string, string>>): string {
  return Object.entries(settings)
    .map(([name, value]) => `${name} = '${value.replaceAll("'", "''")}'\n`)
    .join('');
}

/** A user of the operating system. */
interface SystemUser {
  readonly uid: number;
  readonly gid: number;
}

/** PostgreSQL does not run as root: then it runs as a user who owns nothing else. */
function chooseUser(folder: string): SystemUser | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const id = (name: string, flag: string) => Number(execFileSync('id', [flag, name], { encoding: 'utf8' }));
  for (const name of ['postgres', 'nobody']) {
    try {
      const user = { uid: id(name, '-u'), gid: id(name, '-g') };
      chownSync(folder, user.uid, user.gid);
      return user;
    } catch {
      // There is no such user here.
    }
  }
  const message = 'PostgreSQL does not run as root, and no user is there for it';
  const hint = 'Run lightspan as another user, or add the user postgres.';
  throw new LightspanError('unreadable-source', message, { hint });
}

/**
 * What starts a program in a network of its own, without any device; for a user without rights, in a world of users of
 * its own. Undefined where that is not allowed.
 */
function networkless(user: SystemUser | undefined, env: Env) {
  const asUser = user === undefined ? [] : [`--setuid=${user.uid}`, `--setgid=${user.gid}`];
  const ways = [
    ['unshare', '--net'],
    ['unshare', '--map-current-user', '--net'],
  ].map((way) => ({ server: [...way, ...asUser, '--'], migrator: [...way, '--'] }));
  return ways.find(({ server: [program = '', ...words] }) => {
    const { status } = spawnSync(program, [...words, 'true'], { env, stdio: 'ignore' });
    return status === 0;
  });
}

function run(program: string, words: readonly string[], options: SpawnSyncOptions): void {
  const { status, stderr, error } = spawnSync(program, words, {
    ...options,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  if (status === 0) return;
  const [line = ''] = (error?.message ?? String(stderr)).split('\n').filter((text) => text.trim() !== '');
  throw new LightspanError('unreadable-source', `${program} failed: ${line}`);
}

/**
 * Whether a line may say why a server has ended: it is fatal, or no entry of our form, as before there is one. Other
 * entries are statements, which may hold values of rows. That it is starting up says nothing.
 */
function saysWhy(line: string): boolean {
  const [, sqlState, severity] = /^(\w{5}) \d+ [\d.]+\|(\w+):/.exec(line) ?? [];
  if (severity === undefined) return line.trim() !== '' && !line.startsWith('\t');
  return sqlState !== '57P03' && /^(?:FATAL|PANIC)$/.test(severity);
}

export function followLog(child: ChildProcess) {
  const listeners = new Set<(line: string) => void>();
  let rest = '';
  let last = '';
  let ended: string | undefined;
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    last = lines.findLast(saysWhy) ?? last;
    for (const line of lines) for (const tell of listeners) tell(line);
  });
  child.once('error', (error) => {
    ended = error.message;
  });
  child.once('exit', (code, signal) => {
    const why = last === '' ? '' : `: ${last.replace(/^[^|]*\|/, '')}`;
    ended ??= `the server ended with ${code ?? signal}${why}`;
  });
  return {
    onLine: (tell: (line: string) => void) => {
      listeners.add(tell);
      return () => void listeners.delete(tell);
    },
    failure: () => ended,
  };
}

export async function untilReady(
  connect: () => Promise<{ readonly end: () => Promise<void> }>,
  failure: () => string | undefined,
): Promise<void> {
  for (let tries = 0; ; tries += 1) {
    try {
      await (await connect()).end();
      return;
    } catch (error) {
      const why = failure() ?? (tries < 600 ? undefined : String(error));
      if (why !== undefined)
        throw new LightspanError('unreadable-source', `PostgreSQL did not start: ${why}`);
      await new Promise((done) => setTimeout(done, 50));
    }
  }
}

/** Removes what a rehearsal has left whose process is gone. One that runs beside this one is left alone. */
export function removeLeftovers(tmp: string): readonly string[] {
  const isFolder = statSync(tmp, { throwIfNoEntry: false })?.isDirectory() === true;
  return (isFolder ? readdirSync(tmp) : []).filter((name) => {
    const [, label] = /^lsr-([0-9a-f]{8}-\d+-\w+)-\w{6}$/.exec(name) ?? [];
    return label !== undefined && isOrphan(label) && isRemoved(join(tmp, name));
  });
}

/** What another user has left is theirs to remove. */
function isRemoved(folder: string): boolean {
  try {
    removeFolder(folder);
    return true;
  } catch {
    return false;
  }
}

/** Does what has to be done whole, while somebody presses Ctrl-C again. */
function undisturbed(work: () => void): void {
  const ignore = () => undefined;
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const signal of signals) process.on(signal, ignore);
  try {
    work();
  } finally {
    for (const signal of signals) process.off(signal, ignore);
  }
}

/** Its processes first: none of them may write into a folder that goes. */
function removeFolder(folder: string): void {
  endServer(folder);
  for (let rounds = 0; rounds < 20; rounds += 1) {
    const pids = processesOf(folder);
    for (const pid of pids) kill(pid, 'SIGKILL');
    if (pids.length === 0) break;
  }
  rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
}

/**
 * A server that is killed leaves memory that it shares on the machine, which has room for that of some thousand; one
 * that ends at once takes it along.
 */
function endServer(folder: string): void {
  const pid = serverOf(folder);
  // Its number may be that of somebody else by now.
  if (pid === undefined || !processesOf(folder).includes(pid)) return;
  kill(pid, 'SIGQUIT');
  for (let tries = 0; tries < 100 && processesOf(folder).includes(pid); tries += 1) {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
  }
}

/** Undefined while there is none: the number is negative while initdb makes the tables. */
function serverOf(folder: string): number | undefined {
  try {
    const pid = Number.parseInt(readFileSync(join(folder, 'data', 'postmaster.pid'), 'utf8'), 10);
    return pid > 0 ? pid : undefined;
  } catch {
    return undefined;
  }
}

/** Those that name the folder, whose name is its own, in their words or variables, or work in it. */
function processesOf(folder: string): readonly number[] {
  if (process.platform !== 'linux') return listedProcesses(folder);
  const numbers = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return numbers.map(Number).filter((pid) => {
    if (pid === process.pid || startOf(pid) === undefined) return false;
    const texts = [
      () => readlinkSync(`/proc/${pid}/cwd`),
      () => readFileSync(`/proc/${pid}/cmdline`, 'latin1'),
      () => readFileSync(`/proc/${pid}/environ`, 'latin1'),
    ];
    return texts.some((read) => {
      try {
        return read().includes(folder);
      } catch {
        // It is somebody else's, or gone.
        return false;
      }
    });
  });
}

function listedProcesses(folder: string): readonly number[] {
  const { stdout } = spawnSync('ps', ['-axwwEo', 'pid=,command='], { encoding: 'utf8' });
  return (stdout ?? '')
    .split('\n')
    .filter((line) => line.includes(folder))
    .map((line) => Number.parseInt(line, 10))
    .filter((pid) => pid !== process.pid);
}

function kill(pid: number, signal: 'SIGKILL' | 'SIGQUIT'): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended meanwhile.
  }
}
