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
const maxOutputBytes = 256 * 1024 ** 2;

/**
 * Runs git with a list of arguments: no shell, no pager, no prompt, and nothing from the environment or the repository
 * that would show other content than what is committed.
 *
 * @throws {LightspanError} `unreadable-source` if git cannot be run, ends by a signal, or prints too much
 */
export function runGit({ folder, env }: Repository, args: readonly string[]): Promise<GitOutcome> {
  return new Promise((done, fail) => {
    execFile(
      'git',
      ['--no-pager', '--no-optional-locks', ...args],
      {
        cwd: folder,
        env: environmentFor(env),
        encoding: 'buffer',
        maxBuffer: maxOutputBytes,
        windowsHide: true,
      },
      (error, stdout, stderr) => {
        if (error === null) return done({ exitCode: 0, stdout, stderr: stderr.toString() });
        if (typeof error.code === 'number') {
          return done({ exitCode: error.code, stdout, stderr: stderr.toString() });
        }
        if (typeof error.signal === 'string') {
          return fail(new LightspanError('unreadable-source', `git was ended by ${error.signal}`));
        }
        if (hasErrorCode(error, 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER')) {
          return fail(
            new LightspanError('unreadable-source', `git ${args[0]} answers with more than 256 MiB`, {
              hint: 'Lists and files of that size are not read.',
            }),
          );
        }
        const why = hasErrorCode(error, 'ENOENT') ? notFound(folder) : error.message;
        fail(
          new LightspanError('unreadable-source', `cannot run git: ${why}`, {
            hint: 'Install git, and run this in the repository (or name it with --repo).',
            cause: error,
          }),
        );
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
  const [said = ''] = stderr.trim().split('\n');
  return new LightspanError('unreadable-source', `git cannot read the repository: ${said || 'it failed'}`, {
    hint: /dubious ownership/.test(said)
      ? 'It belongs to another user. If that is intended: git config --global --add safe.directory <its folder>.'
      : 'Run this in a clone of the repository, or name one with --repo.',
  });
}

/** The git variables that are passed on: where objects are stored, which settings apply, what is in the index. */
const harmless =
  /^GIT_(CONFIG_.*|OBJECT_DIRECTORY|ALTERNATE_OBJECT_DIRECTORIES|QUARANTINE_PATH|INDEX_FILE|SSL_.*|CEILING_DIRECTORIES|DISCOVERY_ACROSS_FILESYSTEM)$/;

/** Leaves out variables that lead git to another repository, or to programs that rewrite its output. */
function environmentFor(env: Repository['env']): NodeJS.ProcessEnv {
  const kept = Object.entries(env).filter(
    ([name, value]) => value !== undefined && (!name.startsWith('GIT_') || harmless.test(name)),
  );
  return {
    ...Object.fromEntries(kept),
    // A replacement of a commit (refs/replace) is not what was committed.
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_TERMINAL_PROMPT: '0',
    LC_ALL: 'C',
  };
}

function notFound(folder: string): string {
  return `there is no program of that name, or no folder ${folder}`;
}
