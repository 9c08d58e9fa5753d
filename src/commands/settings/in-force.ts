import { readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import type { CommandContext } from '../context.js';
import type { ChangeOptions } from '../pin-sides.js';
import { findSettings, foldersUp, leadsOut, nameOf, settingsName } from './find.js';
import type { SettingsOptions } from './options.js';
import type { Settings } from './read.js';

/** The settings that count for a command line. */
export interface SettingsInForce {
  readonly settings: Settings;
  readonly file: string;
  /** Of the git repository around it. */
  readonly root: string | undefined;
  /** As an answer names them. */
  readonly shown: string;
  /** The commit before a change, which decides nothing that it is judged by: the settings are those of this commit. */
  readonly base?: string;
  /** The pins before a change and of it, from the root of the repository. */
  readonly pins?: readonly string[];
  /** The keys of the change's own settings that count once it is merged. */
  readonly later?: readonly string[];
}

/**
 * The settings of a command line; undefined without any.
 *
 * @throws {LightspanError} the errors of reading settings and git
 */
export async function settingsInForce(
  given: SettingsOptions & ChangeOptions,
  env: CommandContext['env'],
): Promise<SettingsInForce | undefined> {
  const { settings: named, repo = '.', preCommit } = given;
  if (named === false) return undefined;
  const { folders, root } = foldersUp(named === undefined ? repo : dirname(named));
  const here = named === undefined ? findSettings(folders) : resolve(named);
  const base = baseOf(given, env);
  if (here === undefined && (base === undefined || root === undefined)) return undefined;
  const { loadSettings, readSettings } = await import('./read.js');
  const own = here === undefined ? {} : await loadSettings(here);
  if (base === undefined) {
    const file = here ?? '';
    const link = leadsOut(file, root) ? ', a link out of the repository' : '';
    return { settings: own, file, root, shown: `${nameOf(file)}${link}` };
  }
  const { findCommit, readGit } = await import('../../sources/git/git.js');
  const top = root ?? folders[0] ?? '';
  const repository = { folder: top, env };
  const pathOf = (file: string) => relative(top, file).replaceAll('\\', '/');
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
  const shown =
    later.length === 0 ? name : `${name}; ${later.join(', ')} of the change count once it is merged`;
  const pins = [...pinsIn(settings, pathOf(file)), ...pinsIn(own, pathOf(here ?? file))];
  return { settings, file, root, shown, base, pins, later };
}

function pinsIn({ pins = [] }: Settings, path: string): readonly string[] {
  return pins.map((pin) => `${path.replace(/[^/]*$/, '')}${pin.replace(/^\.\//, '')}`);
}

/** The commit that a change is to be merged into; undefined where nothing says that there is a change. */
function baseOf({ base, preCommit }: ChangeOptions, env: CommandContext['env']): string | undefined {
  if (base !== undefined) return base;
  if (preCommit === true) {
    if (env.PRE_COMMIT_FROM_REF && env.PRE_COMMIT_TO_REF) return env.PRE_COMMIT_FROM_REF;
    // Of a new branch, the remote has nothing yet.
    return env.PRE_COMMIT_REMOTE_URL ? '0'.repeat(40) : 'HEAD';
  }
  const { GITHUB_EVENT_NAME: event = '', GITHUB_EVENT_PATH: file, GITHUB_BASE_REF: branch } = env;
  if (file && /^(pull_request|merge_group)/.test(event)) {
    const { pull_request, merge_group }: GitHubEvent = JSON.parse(readFileSync(file, 'utf8'));
    const commit = pull_request?.base.sha ?? merge_group?.base_sha;
    if (commit !== undefined) return commit;
  }
  if (branch) return `refs/remotes/origin/${branch}`;
  return env.CI_MERGE_REQUEST_TARGET_BRANCH_SHA || env.CI_MERGE_REQUEST_DIFF_BASE_SHA || undefined;
}

interface GitHubEvent {
  readonly pull_request?: { readonly base: { readonly sha: string } };
  readonly merge_group?: { readonly base_sha: string };
}
