import { LightspanError } from '../../errors.js';
import { gitFault, type Repository, readGit, runGit } from './git.js';

/** A commit, and the name by which it was requested. */
export interface Commit {
  readonly ref: string;
  /** The whole hash. */
  readonly id: string;
}

/**
 * Refuses names that git could read as an option, or that would break a line of a message. git checks the rest.
 *
 * @throws {LightspanError} `usage`
 */
export function checkRef(ref: string, option: string): void {
  const fault =
    ref.trim() === ''
      ? 'it is empty'
      : ref.startsWith('-')
        ? 'it begins with "-"'
        : /\p{Cc}/u.test(ref)
          ? 'it contains a control character'
          : undefined;
  if (fault === undefined) return;
  throw new LightspanError(
    'usage',
    `${option} ${JSON.stringify(ref)} is not the name of a commit: ${fault}`,
    {
      hint: 'Name a branch, a tag or a commit, such as origin/main.',
    },
  );
}

/**
 * The commit that a name stands for.
 *
 * @throws {LightspanError} `unreadable-source` if the repository does not have it, with what to fetch
 */
export async function findCommit(repository: Repository, ref: string): Promise<Commit> {
  const { exitCode, stdout, stderr } = await runGit(repository, [
    'rev-parse',
    '--verify',
    '--quiet',
    '--end-of-options',
    `${ref}^{commit}`,
  ]);
  const id = stdout.toString().trim();
  if (exitCode === 0 && /^[0-9a-f]{40,64}$/.test(id)) return { ref, id };
  // `--quiet` silences a missing name; any message means another problem.
  if (/not a git repository|dubious ownership/.test(stderr)) throw gitFault(stderr);
  const shallow = await isShallow(repository);
  throw new LightspanError(
    'unreadable-source',
    `the repository has no commit ${JSON.stringify(ref)}${shallow ? ': its history is cut off (a shallow clone)' : ''}`,
    { hint: /^0+$/.test(ref) ? newBranchHint : shallow ? unshallowHint : fetchHint(ref) },
  );
}

/**
 * Where the change began: the last commit that both sides have. If history has more than one, the base itself, into
 * which the change would be merged.
 *
 * @throws {LightspanError} `unreadable-source` if there is none, or if a shallow history may hide it
 */
export async function findStart(repository: Repository, base: Commit, head: Commit): Promise<Commit> {
  if (base.id === head.id) return base;
  const { exitCode, stdout, stderr } = await runGit(repository, [
    'merge-base',
    '--all',
    '--end-of-options',
    base.id,
    head.id,
  ]);
  const found = stdout.toString().split('\n').filter(Boolean);
  const [only, second] = found;
  if (only === base.id) return base;
  if (exitCode > 1) throw gitFault(stderr);
  if (await isShallow(repository)) {
    throw new LightspanError(
      'unreadable-source',
      `the history between ${base.ref} and ${head.ref} is cut off (a shallow clone)`,
      { hint: unshallowHint },
    );
  }
  if (only === undefined) {
    throw new LightspanError('unreadable-source', `${base.ref} and ${head.ref} have no commit in common`, {
      hint: 'With --base, name the branch that the change will be merged into.',
    });
  }
  return second === undefined ? { ref: base.ref, id: only } : base;
}

/** The hash of the empty tree, with which a repository without a commit is compared. */
export async function emptyTree(repository: Repository): Promise<string> {
  const format = await readGit(repository, ['rev-parse', '--show-object-format']);
  return format.toString().trim() === 'sha256'
    ? '6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321'
    : '4b825dc642cb6eb9a060e54bf8d69288fbee4904';
}

async function isShallow(repository: Repository): Promise<boolean> {
  const { exitCode, stdout } = await runGit(repository, ['rev-parse', '--is-shallow-repository']);
  return exitCode === 0 && stdout.toString().trim() === 'true';
}

const unshallowHint =
  'Fetch all of it: git fetch --unshallow; or fetch-depth: 0 of actions/checkout, GIT_DEPTH: "0" in GitLab.';
const newBranchHint =
  'Forges use it for a new branch without a previous commit: name the branch it will be merged into.';

function fetchHint(ref: string): string {
  const [, remote, branch] = /^(origin)\/([\w./-]+)$/.exec(ref) ?? [];
  const what = branch === undefined ? 'origin' : `${remote} ${branch}`;
  return `Check the name, or fetch it: git fetch ${what}.`;
}
