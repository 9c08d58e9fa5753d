import { existsSync, lstatSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import type { CommandContext } from '../../cli/context.js';
import type { Acceptance } from '../../core/accepted.js';
import { LightspanError } from '../../core/lightspan-error.js';
import { readInputText } from '../../read/files/read-file.js';
import type { Settings } from './read.js';

export const settingsName = 'lightspan.yaml';

export interface SettingsOptions {
  readonly settings?: string | false | undefined;
  readonly settingsUsed?: string;
  readonly settingsAccept?: readonly Acceptance[] | undefined;
  /** The pins before a change and of it, from the root of the repository. */
  readonly settingsPins?: readonly string[];
  /** Why the index and the known issues that they name may not be read. */
  readonly settingsRefused?: string | undefined;
}

type Change = { readonly [key in 'repo' | 'base']?: string | undefined } & {
  readonly preCommit?: boolean | undefined;
};

export interface SettingsInForce {
  readonly settings: Settings;
  readonly file: string;
  readonly root: string;
  readonly shown: string;
  /** The commit before a change, which decides nothing that it is judged by: the settings are those of this commit. */
  readonly base?: string;
  /** The pins before a change and of it, from the root of the repository. */
  readonly pins?: readonly string[];
  /** Whether keys of the change's own settings count only once it is merged. */
  readonly isChanged?: boolean;
}

export async function settingsInForce(
  given: SettingsOptions & Change,
  env: CommandContext['env'],
): Promise<SettingsInForce | undefined> {
  const { settings: named, repo = '.', preCommit } = given;
  if (named === false) return undefined;
  const folders = foldersUp(named === undefined ? repo : dirname(named));
  const root = folders.at(-1) ?? '';
  const here = named === undefined ? findSettings(folders) : resolve(named);
  const base = baseOf(given, env);
  if (here === undefined && (base === undefined || !isRepository(root))) return undefined;
  const { readSettings } = await import('./read.js');
  const stdin = (async function* () {})();
  const own =
    here === undefined
      ? {}
      : readSettings(await readInputText({ source: here, stdin, what: 'settings' }), nameOf(here));
  if (base === undefined) {
    const file = here ?? '';
    const link = leadsOut(file, root) ? ', a link out of the repository' : '';
    return { settings: own, file, root, shown: `${nameOf(file)}${link}` };
  }
  const { findCommit, readGit } = await import('../../pins/git/git.js');
  const repository = { folder: root, env };
  const pathOf = (file: string) => relative(root, file).replaceAll('\\', '/');
  const commit = await findCommit(repository, base).catch((error: unknown) => {
    // Nothing is before the first commit; and a shallow clone without settings may well have none.
    if (here === undefined || preCommit === true) return undefined;
    throw error;
  });
  const files = named === undefined ? folders.map((folder) => join(folder, settingsName)) : [resolve(named)];
  const list = ['ls-tree', '-z', '--name-only', commit?.id ?? '', ...files.map(pathOf)];
  const there = commit === undefined ? [] : String(await readGit(repository, list)).split('\0');
  const found = files.find((file) => there.includes(pathOf(file)));
  const file = found ?? here;
  if (file === undefined) return undefined;
  const name = `${nameOf(file)} of ${base}`;
  const blob = ['cat-file', 'blob', `${commit?.id}:${pathOf(file)}`];
  const settings = found === undefined ? {} : readSettings(String(await readGit(repository, blob)), name);
  const textOf = (some: Settings, key: string) => JSON.stringify(Reflect.get(some, key));
  const later = Object.keys({ ...settings, ...own }).filter(
    (key) => key !== 'pins' && textOf(settings, key) !== textOf(own, key),
  );
  const isChanged = later.length > 0;
  const shown = isChanged ? `${name}; ${later.join(', ')} of the change count once it is merged` : name;
  const pinsIn = ({ pins = [] }: Settings, path: string) =>
    pins.map((pin) => `${path.replace(/[^/]*$/, '')}${pin.replace(/^\.\//, '')}`);
  const pins = [...pinsIn(settings, pathOf(file)), ...pinsIn(own, pathOf(here ?? file))];
  return { settings, file, root, shown, base, pins, isChanged };
}

/** The commit that a change is to be merged into; undefined where nothing says that there is a change. */
function baseOf({ base, preCommit }: Change, env: CommandContext['env']): string | undefined {
  if (base !== undefined) return base;
  if (preCommit === true) {
    if (env.PRE_COMMIT_FROM_REF && env.PRE_COMMIT_TO_REF) return env.PRE_COMMIT_FROM_REF;
    // Of a new branch, the remote has nothing yet.
    return env.PRE_COMMIT_REMOTE_URL ? '0'.repeat(40) : 'HEAD';
  }
  const { GITHUB_EVENT_NAME: event = '', GITHUB_EVENT_PATH: file, GITHUB_BASE_REF: branch } = env;
  if (file && /^(pull_request|merge_group)/.test(event)) {
    const { pull_request, merge_group } = JSON.parse(readFileSync(file, 'utf8'));
    const commit = pull_request?.base.sha ?? merge_group?.base_sha;
    if (typeof commit === 'string') return commit;
  }
  if (branch) return `refs/remotes/origin/${branch}`;
  return env.CI_MERGE_REQUEST_TARGET_BRANCH_SHA || env.CI_MERGE_REQUEST_DIFF_BASE_SHA || undefined;
}

function isRepository(folder: string): boolean {
  return existsSync(join(folder, '.git'));
}

/** A folder and those above it, up to the root of the git repository, or of the volume. */
export function foldersUp(folder: string): readonly string[] {
  const at = resolve(folder);
  const isTop = isRepository(at) || dirname(at) === at;
  return isTop ? [at] : [at, ...foldersUp(dirname(at))];
}

/**
 * The nearest settings. What is there and is no readable file is found too: left out, the answer would be another one.
 *
 * @throws {LightspanError} `usage` for a file that neither this folder's owner nor the system put there, as anybody can
 * above a temporary folder
 */
export function findSettings(folders: readonly string[]): string | undefined {
  const [start = ''] = folders;
  for (const folder of folders) {
    const file = join(folder, settingsName);
    const owner = lstatSync(file, { throwIfNoEntry: false })?.uid;
    if (owner === undefined) continue;
    if (folder === start || owner === 0 || owner === statSync(start).uid) return file;
    throw new LightspanError('usage', `${file} belongs to another user than this folder`, {
      hint: 'If it is yours to use, name it with --settings; --no-settings leaves it out.',
    });
  }
  return undefined;
}

/** A path from the working folder, or from the root if that is shorter; never "-", which is standard input. */
export function nameOf(path: string): string {
  const near = relative('', path).replace(/^(?=-|$)/, './');
  return near.length < path.length ? near : path;
}

/** Whether what is there leads out of a git repository, by itself or by links. */
export function leadsOut(path: string, root: string): boolean {
  if (!isRepository(root) || !existsSync(path)) return false;
  return !`${realpathSync(path)}${sep}`.startsWith(`${realpathSync(root)}${sep}`);
}
