import { existsSync, lstatSync, realpathSync, type Stats, statSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { LightspanError } from '../../core/lightspan-error.js';
import type { CommandContext } from '../../door/context.js';
import { readInputText } from '../../gather/files/read-file.js';
import { isUrlOrTemplate } from '../../gather/publisher/publisher-urls.js';
import type { IgnoredPath, PinsOfSides } from '../../question/settings.js';
import { type BaseCommit, baseOf, type Change, findBase } from './base.js';
import type { Settings } from './read.js';

export const settingsName = 'lightspan.yaml';

/** How to find the settings in force: the file that was named, or none, and the change that is judged. */
export interface SettingsRequest extends Change {
  readonly settings?: string | false | undefined;
}

export interface SettingsInForce {
  readonly settings: Settings;
  readonly file: string;
  readonly root: string;
  readonly shown: string;
  /** The commit before a change. Its settings are in force, so that no change decides how it is judged. */
  readonly base?: BaseCommit;
  readonly pins?: PinsOfSides;
  /** Of the base alone. */
  readonly ignore?: readonly IgnoredPath[];
  /** Whether keys of the change's own settings count only once it is merged. */
  readonly isChanged?: boolean;
}

export async function settingsInForce(
  request: SettingsRequest,
  env: CommandContext['env'],
): Promise<SettingsInForce | undefined> {
  const { settings: named, repo = '.' } = request;
  if (named === false) return undefined;
  const folders = foldersAbove(named === undefined ? repo : dirname(named));
  const root = folders.at(-1) ?? '';
  const here = named === undefined ? findSettings(folders) : resolve(named);
  const ref = baseOf(request, env);
  if (here === undefined && (typeof ref !== 'string' || !isRepository(root))) return undefined;
  if (ref === null) throw baseNotKnown();
  if (ref === undefined) {
    const file = here ?? '';
    const link = leavesRepository(file, root) ? ', a link out of the repository' : '';
    return { settings: await readOwn(file), file, root, shown: `${shownPath(file)}${link}` };
  }
  const roots = [...(isRepository(root) ? [root] : []), foldersAbove(repo).at(-1) ?? ''];
  const base = await findBase(ref, roots, request, { env, isNeeded: here !== undefined });
  const files = named === undefined ? folders.map((folder) => join(folder, settingsName)) : [resolve(named)];
  const found = await findInBase(files, base, env);
  const change = request.head === undefined ? undefined : await findInHead(request.head, files, base, env);
  const file = found?.file ?? change?.file ?? here;
  if (file === undefined) return undefined;
  const ofTree = async (): Promise<Settings> => (here === undefined ? {} : readOwn(here));
  const settingsOfTree: Settings = request.head === undefined ? await ofTree() : (change?.settings ?? {});
  const { settings = {}, isOutside = false } = found ?? {};
  const inRepository = (texts: readonly string[] = []) => namesFromRoot(texts, file, root, base.root);
  const ignore = (settings.ignore ?? []).flatMap(({ path, reason }) =>
    inRepository([path]).map((name) => ({ path: name, reason })),
  );
  const before = inRepository(settings.pins);
  const ofBase = { settings, file, root, base, ignore };
  if (isOutside) return { ...ofBase, shown: shownPath(file), pins: { before, after: [] } };
  const after = namesFromRoot(settingsOfTree.pins ?? [], here ?? file, root, base.root);
  const textOf = (some: Settings, key: string) => JSON.stringify(Reflect.get(some, key));
  const later = Object.keys({ ...settings, ...settingsOfTree }).filter(
    (key) => key !== 'pins' && textOf(settings, key) !== textOf(settingsOfTree, key),
  );
  const isChanged = later.length > 0;
  const name = `${shownPath(file)}${found === undefined ? `, which ${ref} lacks` : ` of ${ref}`}`;
  const shown = isChanged ? `${name}; ${later.join(', ')} of the change count once it is merged` : name;
  return { ...ofBase, shown, pins: { before, after }, isChanged };
}

export const baseNotKnown = () =>
  new LightspanError('usage', 'this job judges a change, but does not say what it will be merged into', {
    hint: 'What judges it comes from the base. Name that with --base if the command has it.',
  });

async function readOwn(file: string): Promise<Settings> {
  const { readSettings } = await import('./read.js');
  const stdin = (async function* () {})();
  return readSettings(await readInputText({ source: file, stdin, what: 'settings' }), shownPath(file));
}

/** The first of these files that the base has. Links of the base are followed, even out of the repository. */
async function findInBase(
  files: readonly string[],
  { ref, id, root }: BaseCommit,
  env: CommandContext['env'],
) {
  const { treeOfCommit } = await import('../../pins/git/git.js');
  const { followLinks } = await import('../../pins/git/through-links.js');
  const { treeOfTexts } = await import('../../pins/pin-tree.js');
  const tree = id === undefined ? treeOfTexts({}) : await treeOfCommit({ folder: root, env }, id);
  for (const file of files) {
    const { path, inside, entry } = await followLinks(file, root, tree);
    if (inside === undefined) {
      requireEnding(path, statSync(path, { throwIfNoEntry: false }));
      return { file, settings: await readOwn(path), isOutside: true };
    }
    if (entry === undefined) continue;
    const text = new TextDecoder().decode(await tree.read(entry));
    const { readSettings } = await import('./read.js');
    return { file, settings: readSettings(text, `${shownPath(file)} of ${ref}`) };
  }
  return undefined;
}

/** The settings of the commit that a change ends with, whatever the working tree has. */
async function findInHead(
  ref: string,
  files: readonly string[],
  { root }: BaseCommit,
  env: CommandContext['env'],
) {
  const { findCommit } = await import('../../pins/git/git.js');
  const { id } = await findCommit({ folder: root, env }, ref);
  return findInBase(files, { ref, id, root }, env);
}

/** The paths that settings name, relative to the root of a repository; without those outside it, which no change touches. */
function namesFromRoot(
  texts: readonly string[],
  file: string,
  root: string,
  repository: string,
): readonly string[] {
  const folder = resolve(repository, relative(root, dirname(file)));
  return texts.flatMap((text) => {
    const [path = ''] = /^[^#]*/.exec(text) ?? [];
    const name = relative(repository, join(folder, path)).split(sep).join('/');
    return name.startsWith('../') ? [] : [`${name}${text.slice(path.length)}`];
  });
}

export function isRepository(folder: string): boolean {
  return existsSync(join(folder, '.git'));
}

/** A folder and those above it, up to the root of the git repository, or of the volume. */
export function foldersAbove(folder: string): readonly string[] {
  const at = resolve(folder);
  const isTop = isRepository(at) || dirname(at) === at;
  return isTop ? [at] : [at, ...foldersAbove(dirname(at))];
}

/**
 * The nearest settings. What is there and cannot be read is found too: left out, the answer would be another one.
 *
 * @throws {LightspanError} `usage` for settings, or a link to some, that neither this user, nor the owner of this folder,
 * nor the system put there, as anybody can in a folder that all may write; for a pipe or a device, which has no end
 */
export function findSettings(folders: readonly string[]): string | undefined {
  const [start = ''] = folders;
  for (const folder of folders) {
    const file = join(folder, settingsName);
    const entry = lstatSync(file, { throwIfNoEntry: false });
    if (entry === undefined) continue;
    const target = statSync(file, { throwIfNoEntry: false });
    const trusted = [0, process.getuid?.(), statSync(start).uid];
    const isTrusted = [entry, target ?? entry].every(({ uid }) => trusted.includes(uid));
    if (!isTrusted) throw refused(`${file} is another user's`);
    requireEnding(file, target);
    return file;
  }
  return undefined;
}

/** Nobody named this file, so one that could be read for ever is refused. */
function requireEnding(file: string, stats: Stats | undefined): void {
  if (stats !== undefined && !stats.isFile() && !stats.isDirectory())
    throw refused(`${file} is a pipe or a device, not a file`);
}

function refused(why: string): LightspanError {
  const hint = 'If you trust it, name it with --settings; --no-settings ignores it.';
  return new LightspanError('usage', why, { hint });
}

/** A path from the working folder, or from the root if that is shorter; never "-", which is standard input. */
export function shownPath(path: string): string {
  const near = relative('', path).replace(/^(?=-|$)/, './');
  return near.length < path.length ? near : path;
}

/** A path of settings as the command line would name it, and whether it leads out of their repository. */
export function namedInSettings(
  { file, root }: Pick<SettingsInForce, 'file' | 'root'>,
  path: string,
): { readonly path: string; readonly leadsOut: boolean } {
  if (isUrlOrTemplate(path)) return { path, leadsOut: false };
  // The part after `#` may be a regular expression, with slashes of its own.
  const [, name = '', place = ''] = /^([^#]*)(.*)$/s.exec(path) ?? [];
  const resolved = resolve(dirname(file), name);
  return { path: `${shownPath(resolved)}${place}`, leadsOut: leavesRepository(resolved, root) };
}

/** Whether what is there leads out of a git repository, by itself or by links. */
function leavesRepository(path: string, root: string): boolean {
  if (!isRepository(root) || !existsSync(path)) return false;
  return !`${realpathSync(path)}${sep}`.startsWith(`${realpathSync(root)}${sep}`);
}
