import { type ChildProcessWithoutNullStreams, execFile, spawn } from 'node:child_process';
import type { Writable } from 'node:stream';
import { LightspanError } from '../../core/lightspan-error.js';
import { hasErrorCode } from '../../gather/files/read-file.js';
import type { PinTree, TreeFile } from '../pin-tree.js';

export interface Repository {
  readonly folder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

interface GitOutcome {
  readonly exitCode: number;
  readonly stdout: Buffer;
  readonly stderr: string;
}

const maxOutputBytes = 256 * 1024 ** 2;

/**
 * Runs git with a list of arguments: without a shell, a pager or a prompt, and so that nothing from the environment
 * or the repository shows other content than what is committed, runs another program or reaches a remote.
 */
function runGit(repository: Repository, command: readonly string[]): Promise<GitOutcome> {
  const { args, options } = invocationOf(repository, command);
  const reading = { ...options, encoding: 'buffer', maxBuffer: maxOutputBytes } as const;
  return new Promise((done, fail) => {
    execFile('git', args, reading, (error, stdout, stderr) => {
      const exitCode = error === null ? 0 : error.code;
      if (typeof exitCode === 'number') done({ exitCode, stdout, stderr: stderr.toString() });
      else fail(cannotRun(repository, error));
    });
  });
}

function invocationOf({ folder, env }: Repository, command: readonly string[]) {
  return {
    args: ['--no-pager', '--no-optional-locks', '-c', 'core.fsmonitor=', ...command],
    options: { cwd: folder, env: environmentFor(env), windowsHide: true },
  };
}

function cannotRun({ folder }: Repository, error: Error | null): LightspanError {
  if (!hasErrorCode(error, 'ENOENT')) return unreadable(`cannot run git: ${error?.message}`);
  return unreadable(
    `cannot run git: there is no such program, or no folder ${folder}`,
    'Install git, and run this in the repository (or name it with --repo).',
  );
}

function unreadable(message: string, hint?: string): LightspanError {
  return new LightspanError('unreadable-source', message, { hint });
}

export async function readGit(repository: Repository, args: readonly string[]): Promise<Buffer> {
  const { exitCode, stdout, stderr } = await runGit(repository, args);
  if (exitCode === 0) return stdout;
  throw gitFault(stderr);
}

/**
 * Reads files as they are committed, without a filter or textconv. One process of git serves all reads that follow each
 * other without a pause: starting one for each file would take most of the time.
 *
 * @returns the bytes of an object; throws {@link LightspanError} `unreadable-source` if the repository lacks it
 */
export function blobReader(repository: Repository): (id: string) => Promise<Uint8Array> {
  let reading: ReturnType<typeof startReading> | undefined;
  return (id) => {
    reading ??= startReading(repository, () => {
      reading = undefined;
    });
    return reading(id);
  };
}

function startReading(repository: Repository, onIdle: () => void) {
  const { args, options } = invocationOf(repository, ['cat-file', '--batch']);
  const git = spawn('git', args, { ...options, stdio: 'pipe' });
  const waiting: { readonly done: (bytes: Uint8Array) => void; readonly fail: (error: Error) => void }[] = [];
  let ended: LightspanError | undefined;
  const endBy = (error: LightspanError) => {
    ended ??= error;
    for (const { fail } of waiting.splice(0)) fail(ended);
  };
  let stderr = '';
  git.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  // If git has ended, its exit says why.
  git.stdin.on('error', () => {});
  git.on('error', (error) => endBy(cannotRun(repository, error)));
  git.on('close', () => endBy(gitFault(stderr)));

  // The answers, in order: `<id> <type> <size>`, the content and a line break, or `<id> missing`.
  let chunks: Buffer[] = [];
  let length = 0;
  let wanted = 0;
  git.stdout.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    length += chunk.length;
    if (length < wanted) return;
    let rest = Buffer.concat(chunks);
    for (let end = rest.indexOf('\n'); end >= 0; end = rest.indexOf('\n')) {
      const [id, type, size] = rest.toString('latin1', 0, end).split(' ');
      const whole = end + 1 + (size === undefined ? 0 : Number(size) + 1);
      if (whole > maxOutputBytes) {
        endBy(unreadable(`git answers with more than ${maxOutputBytes / 1024 ** 2} MiB`));
        git.kill();
        git.stdout.destroy();
        return;
      }
      wanted = whole;
      if (rest.length < whole) break;
      const request = waiting.shift();
      if (type === 'blob') request?.done(rest.subarray(end + 1, whole - 1));
      else
        request?.fail(
          unreadable(`the repository has no file ${id}: it is ${type}`, 'git fsck says what is lost.'),
        );
      rest = rest.subarray(whole);
      wanted = 0;
    }
    chunks = [rest];
    length = rest.length;
    if (waiting.length > 0) return;
    idle.refresh();
    keepRunning(false);
  });
  const idle = setTimeout(() => {
    if (waiting.length > 0) return;
    onIdle();
    git.stdin.end();
  }, idleMs).unref();
  const keepRunning = holdOf(git);
  keepRunning(false);

  return (id: string) =>
    new Promise<Uint8Array>((done, fail) => {
      if (ended !== undefined) return fail(ended);
      if (waiting.length === 0) keepRunning(true);
      waiting.push({ done, fail });
      writeTogether(git.stdin, `${id}\n`);
    });
}

/** What is written in one turn of the event loop goes out at its end. */
function writeTogether(stream: Writable, text: string): void {
  if (stream.writableCorked === 0) {
    stream.cork();
    process.nextTick(() => stream.uncork());
  }
  stream.write(text);
}

/**
 * What decides whether the program, with nothing else to do, goes on for a git: while it reads, not while it waits. Bun
 * counts how often a pipe is held, and begins at one: it is let go before it is held, and then in turns.
 */
function holdOf(git: ChildProcessWithoutNullStreams): (holds: boolean) => void {
  const all: readonly object[] = [git, git.stdin, git.stdout, git.stderr];
  const handles = all.filter(isHandle);
  return (holds) => {
    for (const handle of handles) {
      if (holds) handle.ref();
      else handle.unref();
    }
  };
}

/** The pipes of a child are typed as streams; Node has sockets there, and Bun, which the executable runs on, others. */
function isHandle(object: object): object is { ref(): void; unref(): void } {
  return 'ref' in object && 'unref' in object;
}

/** How long git waits for the next read, while the caller works on the last one. */
const idleMs = 100;

function gitFault(stderr: string): LightspanError {
  const lines = stderr.trim().split('\n');
  // Why git ended comes after its warnings.
  const reason = lines.findLast((line) => line.startsWith('fatal: ')) ?? lines[0];
  return unreadable(
    `git cannot read the repository: ${reason || 'it failed'}`,
    /dubious ownership/.test(stderr)
      ? 'It belongs to another user. If that is intended: git config --global --add safe.directory <its folder>.'
      : /promisor remote/.test(stderr)
        ? 'This is a partial clone, and lightspan fetches nothing. Fetch the rest: git fetch --refetch --no-filter; or clone without --filter.'
        : 'Run this in a clone of the repository, or name one with --repo.',
  );
}

/** The git variables that are passed on: where objects are stored, which settings apply, what is in the index. */
const harmless =
  /^GIT_(CONFIG_.*|OBJECT_DIRECTORY|ALTERNATE_OBJECT_DIRECTORIES|QUARANTINE_PATH|INDEX_FILE|CEILING_DIRECTORIES|DISCOVERY_ACROSS_FILESYSTEM)$/;

/** Leaves out variables that lead git to another repository, or to programs that rewrite its output. */
function environmentFor(env: Repository['env']): NodeJS.ProcessEnv {
  const kept = Object.entries(env).filter(
    ([name, value]) => value !== undefined && (!name.startsWith('GIT_') || harmless.test(name)),
  );
  return {
    ...Object.fromEntries(kept),
    // A replacement of a commit (refs/replace) is not what was committed.
    GIT_NO_REPLACE_OBJECTS: '1',
    // A partial clone would fetch what it lacks, with programs that its settings name. Older versions of git know only
    // the second variable: no protocol is allowed.
    GIT_NO_LAZY_FETCH: '1',
    GIT_ALLOW_PROTOCOL: '',
    LC_ALL: 'C',
  };
}

interface Commit {
  readonly ref: string;
  readonly id: string;
}

export async function findCommit(repository: Repository, ref: string): Promise<Commit> {
  const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`];
  const { exitCode, stdout, stderr } = await runGit(repository, args);
  const id = stdout.toString().trim();
  if (exitCode === 0 && /^[0-9a-f]{40,64}$/.test(id)) return { ref, id };
  // `--quiet` silences a missing name; any message means another problem.
  if (/not a git repository|dubious ownership/.test(stderr)) throw gitFault(stderr);
  const shallow = await isShallow(repository);
  throw unreadable(
    `the repository has no commit ${JSON.stringify(ref)}${shallow ? ': its history is cut off (shallow clone)' : ''}`,
    /^0+$/.test(ref) ? newBranchHint : shallow ? unshallowHint : fetchHint(ref),
  );
}

/**
 * Where the change began: the last commit that both sides have. If history has more than one, the base itself, into
 * which the change would be merged.
 */
export async function findStart(repository: Repository, base: Commit, head: Commit): Promise<Commit> {
  if (base.id === head.id) return base;
  const args = ['merge-base', '--all', '--end-of-options', base.id, head.id];
  const { exitCode, stdout, stderr } = await runGit(repository, args);
  const commits = stdout.toString().split('\n').filter(Boolean);
  const [only, second] = commits;
  if (only === base.id) return base;
  if (exitCode > 1) throw gitFault(stderr);
  if (await isShallow(repository)) {
    throw unreadable(
      `the history between ${base.ref} and ${head.ref} is cut off (shallow clone)`,
      unshallowHint,
    );
  }
  if (only === undefined) {
    throw unreadable(
      `${base.ref} and ${head.ref} have no commit in common`,
      'With --base, name the branch that the change will be merged into.',
    );
  }
  return second === undefined ? { ref: base.ref, id: only } : base;
}

/** Which of some files git leaves out, from the folder of the repository; none where there is no repository, or no git. */
export async function filesIgnored(
  repository: Repository,
  files: readonly string[],
): Promise<readonly string[]> {
  const those = 'ls-files -z --others --ignored --exclude-standard --'.split(' ');
  const args = [...those, ...files.map((file) => `:(literal)${file}`)];
  const listed = files.length === 0 ? '' : await readGit(repository, args).catch(() => '');
  return listed.toString().split('\0').filter(Boolean);
}

async function isShallow(repository: Repository): Promise<boolean> {
  const { exitCode, stdout } = await runGit(repository, ['rev-parse', '--is-shallow-repository']);
  return exitCode === 0 && stdout.toString().trim() === 'true';
}

const unshallowHint =
  'Fetch the whole history: git fetch --unshallow; or fetch-depth: 0 of actions/checkout, GIT_DEPTH: "0" in GitLab.';
const newBranchHint =
  'It stands for a new branch without a previous commit: name the branch it will be merged into.';

function fetchHint(ref: string): string {
  const [, remote, branch] = /^(origin)\/([\w./-]+)$/.exec(ref) ?? [];
  const source = branch === undefined ? 'origin' : `${remote} ${branch}`;
  return `Check the name, or fetch it: git fetch ${source}.`;
}

export async function treeOfCommit(repository: Repository, id: string): Promise<PinTree> {
  const listed = await readGit(repository, ['ls-tree', '-r', '-z', '--full-tree', id]);
  return treeOf(
    repository,
    listed,
    (meta) => {
      const [mode = '', , object = ''] = meta.split(' ');
      return { id: object, kind: kindOf(mode) };
    },
    id,
  );
}

export async function treeOfIndex(repository: Repository): Promise<PinTree> {
  const listed = await readGit(repository, ['ls-files', '--stage', '-z', '--full-name', '--', ':/']);
  return treeOf(repository, listed, (meta) => {
    const [mode = '', object = '', stage = ''] = meta.split(' ');
    return { id: object, kind: stage === '0' ? kindOf(mode) : 'unmerged' };
  });
}

/** @param commit undefined for what is staged */
function treeOf(
  repository: Repository,
  listed: Buffer,
  fileOf: (meta: string) => TreeFile,
  commit?: string,
): PinTree {
  const files = new Map<string, TreeFile>();
  for (const record of listed.toString().split('\0')) {
    const tab = record.indexOf('\t');
    if (tab <= 0) continue;
    const path = record.slice(tab + 1);
    const file = fileOf(record.slice(0, tab));
    // git has bytes for a path: two of them that are not UTF-8 may become the same text.
    files.set(path, files.has(path) && file.kind !== 'unmerged' ? { ...file, kind: 'unnamed' } : file);
  }
  const read = blobReader(repository);
  return { files, read: ({ id }) => read(id), filesWith: (word) => filesWith(repository, word, commit) };
}

async function filesWith(
  repository: Repository,
  word: string,
  commit: string | undefined,
): Promise<readonly string[]> {
  const how = '-z -l -i -F --full-name --no-textconv --no-recurse-submodules --no-color'.split(' ');
  const where = commit === undefined ? ['--cached'] : [];
  const args = ['grep', ...how, ...where, '-e', word, ...(commit === undefined ? [] : [commit]), '--', ':/'];
  const { exitCode, stdout, stderr } = await runGit(repository, args);
  if (exitCode > 1) throw gitFault(stderr);
  const lead = commit === undefined ? 0 : commit.length + 1;
  return stdout
    .toString()
    .split('\0')
    .filter(Boolean)
    .map((name) => name.slice(lead));
}

function kindOf(mode: string): TreeFile['kind'] {
  return mode === '120000' ? 'link' : mode === '160000' ? 'submodule' : 'file';
}

export async function findRenames(
  repository: Repository,
  { from, to }: { readonly from: string; readonly to: string | undefined },
): Promise<ReadonlyMap<string, string>> {
  const how = ['-z', '-r', '-M', '-l1000', '--name-status'];
  const safe = ['--no-ext-diff', '--no-textconv', '--ignore-submodules=all'];
  const listed = await readGit(
    repository,
    to === undefined
      ? ['diff-index', '--cached', ...how, ...safe, from, '--']
      : ['diff-tree', ...how, ...safe, from, to, '--'],
  );
  const renamed = new Map<string, string>();
  const parts = listed.toString('utf8').split('\0').values();
  for (const status of parts) {
    const file = parts.next().value ?? '';
    if (status.startsWith('R')) renamed.set(file, parts.next().value ?? '');
  }
  return renamed;
}
