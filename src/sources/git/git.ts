import { execFile } from 'node:child_process';
import { LightspanError } from '../../errors.js';
import { hasErrorCode } from '../read-file.js';

/** A repository as this process reaches it. */
export interface Repository {
  /** A folder in it. */
  readonly folder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export interface GitOutcome {
  readonly exitCode: number;
  readonly stdout: Buffer;
  readonly stderr: string;
}

/** Three times the file lists of the largest repositories. */
export const maxOutputBytes = 256 * 1024 ** 2;

/**
 * How git is run: without a shell, a pager or a prompt, and so that nothing from the environment or the repository shows
 * other content than what is committed, runs another program or reaches a remote.
 */
export function invocationOf({ folder, env }: Repository, args: readonly string[]) {
  return {
    args: ['--no-pager', '--no-optional-locks', '-c', 'core.fsmonitor=', ...args],
    options: { cwd: folder, env: environmentFor(env), windowsHide: true },
  };
}

/**
 * Runs git with a list of arguments.
 *
 * @throws {LightspanError} `unreadable-source` if git cannot be run, ends by a signal, or prints too much
 */
export function runGit(repository: Repository, command: readonly string[]): Promise<GitOutcome> {
  const { args, options } = invocationOf(repository, command);
  return new Promise((done, fail) => {
    execFile(
      'git',
      args,
      { ...options, encoding: 'buffer', maxBuffer: maxOutputBytes },
      (error, stdout, stderr) => {
        if (error === null) return done({ exitCode: 0, stdout, stderr: stderr.toString() });
        if (typeof error.code === 'number') {
          return done({ exitCode: error.code, stdout, stderr: stderr.toString() });
        }
        if (typeof error.signal === 'string') return fail(endedBy(error.signal));
        if (hasErrorCode(error, 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER')) return fail(tooMuch(command));
        fail(cannotRun(repository, error));
      },
    );
  });
}

/**
 * Runs a git command that must succeed.
 *
 * @throws {LightspanError} `unreadable-source` with git's message
 */
export async function readGit(repository: Repository, args: readonly string[]): Promise<Buffer> {
  const { exitCode, stdout, stderr } = await runGit(repository, args);
  if (exitCode === 0) return stdout;
  throw gitFault(stderr);
}

export function gitFault(stderr: string): LightspanError {
  const lines = stderr.trim().split('\n');
  // Why git ended comes after its warnings.
  const said = lines.findLast((line) => line.startsWith('fatal: ')) ?? lines[0];
  return new LightspanError('unreadable-source', `git cannot read the repository: ${said || 'it failed'}`, {
    hint: /dubious ownership/.test(stderr)
      ? 'It belongs to another user. If that is intended: git config --global --add safe.directory <its folder>.'
      : /promisor remote/.test(stderr)
        ? 'This is a partial clone, and nothing is fetched here. Fetch what it lacks: git fetch --refetch --no-filter; or clone without --filter.'
        : 'Run this in a clone of the repository, or name one with --repo.',
  });
}

export function tooMuch([command]: readonly string[]): LightspanError {
  return new LightspanError('unreadable-source', `git ${command} answers with more than 256 MiB`, {
    hint: 'Lists and files of that size are not read.',
  });
}

export function endedBy(signal: string): LightspanError {
  return new LightspanError('unreadable-source', `git was ended by ${signal}`);
}

export function cannotRun({ folder }: Repository, error: Error): LightspanError {
  const why = hasErrorCode(error, 'ENOENT')
    ? `there is no program of that name, or no folder ${folder}`
    : error.message;
  return new LightspanError('unreadable-source', `cannot run git: ${why}`, {
    hint: 'Install git, and run this in the repository (or name it with --repo).',
    cause: error,
  });
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
