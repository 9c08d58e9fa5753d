import { readFileSync, realpathSync } from 'node:fs';
import { isRecord } from '../../core/json/is-record.js';
import { LightspanError } from '../../core/lightspan-error.js';
import type { CommandContext } from '../../door/context.js';
import { describeFileFault } from '../../gather/files/read-file.js';
import { isUrlOrTemplate } from '../../gather/publisher/publisher-urls.js';

export interface Change {
  readonly repo?: string | undefined;
  readonly base?: string | undefined;
  readonly head?: string | undefined;
  readonly preCommit?: boolean | undefined;
}

/**
 * The commit that a change is to be merged into; undefined outside of a change, and null in a job for a change that
 * does not name its base.
 */
export function baseOf({ base, preCommit }: Change, env: CommandContext['env']): string | null | undefined {
  if (base !== undefined) return base;
  if (preCommit === true) {
    if (env.PRE_COMMIT_FROM_REF && env.PRE_COMMIT_TO_REF) return env.PRE_COMMIT_FROM_REF;
    // All zeros: the remote has nothing of a new branch yet.
    return env.PRE_COMMIT_REMOTE_URL ? '0'.repeat(40) : 'HEAD';
  }
  const { GITHUB_EVENT_NAME: event = '', GITHUB_EVENT_PATH: file, GITHUB_BASE_REF: branch } = env;
  const isOfGitHub = event.startsWith('pull_request') || event.startsWith('merge_group');
  const commit = isOfGitHub && file ? baseOfEvent(file) : undefined;
  if (commit !== undefined) return commit;
  if (branch) return `refs/remotes/origin/${branch}`;
  const ofGitLab = env.CI_MERGE_REQUEST_TARGET_BRANCH_SHA || env.CI_MERGE_REQUEST_DIFF_BASE_SHA;
  if (ofGitLab) return ofGitLab;
  return isOfGitHub || env.CI_MERGE_REQUEST_IID ? null : undefined;
}

/** @throws {LightspanError} `usage` for a file that is not there, or is no JSON */
function baseOfEvent(file: string): string | undefined {
  let event: unknown;
  try {
    event = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    const why = error instanceof SyntaxError ? 'it is not JSON' : describeFileFault(error);
    throw new LightspanError('usage', `cannot read the event of GITHUB_EVENT_PATH, ${file}: ${why}`, {
      hint: 'It names the branch that the change will be merged into. Name it with --base if the command has it.',
      cause: error,
    });
  }
  const part = (of: unknown, key: string) => (isRecord(of) ? of[key] : undefined);
  const commit =
    part(part(part(event, 'pull_request'), 'base'), 'sha') ?? part(part(event, 'merge_group'), 'base_sha');
  return typeof commit === 'string' && commit !== '' ? commit : undefined;
}

/** The repository of a change, and the commit before it; without one before the first commit. */
export interface BaseCommit {
  readonly ref: string;
  readonly id: string | undefined;
  /** Without a link in it. */
  readonly root: string;
}

/**
 * The commit before a change, in the repository that has it.
 *
 * @param roots of the repository of the settings, if they are in one, and of the working folder
 * @param isNeeded whether there are settings: then a base that is not in the clone is an error
 */
export async function findBase(
  ref: string,
  roots: readonly string[],
  { base, preCommit }: Change,
  { env, isNeeded }: { readonly env: CommandContext['env']; readonly isNeeded: boolean },
): Promise<BaseCommit> {
  const { findCommit } = await import('../../pins/git/git.js');
  const isOfRepo = base !== undefined || preCommit === true;
  const [repository = ''] = isOfRepo ? roots.slice(-1) : roots;
  // A hash says which repository is meant; several may have a branch of one name.
  const others =
    isOfRepo || !/^[0-9a-f]{40,64}$/.test(ref) ? [] : roots.filter((root) => root !== repository);
  let fault: unknown;
  for (const folder of [repository, ...others]) {
    const commit = await findCommit({ folder, env }, ref).catch((error: unknown) => {
      fault ??= error;
    });
    if (commit !== undefined) return { ref, id: commit.id, root: realpathSync.native(folder) };
  }
  // Nothing is before the first commit; and a shallow clone without settings may well have none.
  if (isNeeded && preCommit !== true) throw fault;
  return { ref, id: undefined, root: realpathSync.native(repository) };
}

/**
 * Why evidence that the settings name may not be read: the change brings it itself, and would be judged by it. Every
 * path to it must be as it is in the base: links, linked folders, and what a folder links to.
 */
export async function refusalOf(
  sources: readonly string[],
  { ref, id, root }: BaseCommit,
  env: CommandContext['env'],
): Promise<string | undefined> {
  const files = sources.filter((source) => !isUrlOrTemplate(source));
  if (files.length === 0) return undefined;
  const { readGit, treeOfCommit, treeOfIndex } = await import('../../pins/git/git.js');
  const { followLinks, hasPath, insideOf, submoduleIn } = await import('../../pins/git/through-links.js');
  const { treeOfTexts } = await import('../../pins/pin-tree.js');
  const repository = { folder: root, env };
  const tree = id === undefined ? treeOfTexts({}) : await treeOfCommit(repository, id);
  const now = await treeOfIndex(repository);
  const isUntracked = (path: string) => !hasPath(tree, path) && !hasPath(now, path);
  const refuse = (path: string) => `${path} is not as in ${ref}: a change cannot bring what judges it`;

  const compared = new Set<string>();
  const toFollow = files.map((path) => ({ path, name: path }));
  for (const { path, name } of toFollow) {
    const { inside } = await followLinks(path, root, tree, isUntracked);
    const real = realPath(path);
    // What is not there cannot be read either.
    if (real === undefined && (inside === undefined || isUntracked(inside))) continue;
    if (real === undefined || insideOf(real, root) !== inside) return refuse(name);
    if (inside === undefined || compared.has(inside)) continue;
    compared.add(inside);
    for (const side of [tree, now]) {
      const submodule = submoduleIn(side, inside);
      if (submodule !== undefined)
        return `${submodule} is a submodule, which a change can point at any commit`;
    }
    const below = inside === '' ? '' : `${inside}/`;
    for (const [file, { kind }] of tree.files) {
      if (kind === 'link' && file.startsWith(below)) toFollow.push({ path: `${root}/${file}`, name: file });
    }
  }
  if (compared.size === 0) return undefined;
  if (id === undefined) {
    const inWorkTree = [...compared].find((path) => hasPath(now, path));
    return inWorkTree === undefined ? undefined : refuse(inWorkTree);
  }
  const how = ['--name-only', '--no-ext-diff', '--no-textconv', '--ignore-submodules=none'];
  const paths = [...compared].map((path) => path || '.');
  const diff = ['--literal-pathspecs', 'diff', ...how, '-z', id, '--', ...paths];
  const [first] = String(await readGit(repository, diff)).split('\0');
  return first ? refuse(first) : undefined;
}

/** The path with its case on the disk; undefined if nothing is there. */
function realPath(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}
