import { dirname, relative } from 'node:path';
import type { Acceptance } from '../../release-safety/accepted.js';
import { runGit } from '../../sources/git/git.js';
import type { PinTree } from '../../sources/pin-tree.js';
import type { SettingsAcceptances } from '../acceptances.js';
import type { CommandContext } from '../context.js';
import type { SettingsPlace } from './find.js';
import type { SettingsOfHead } from './options.js';
import { readSettings } from './read.js';
import type { Settings } from './schema.js';

/**
 * A change may not accept what it needs itself: in a job for a change, what its base accepts counts, and nothing if the
 * base is not in the clone.
 */
export async function acceptedBefore(
  { accept = [] }: Pick<Settings, 'accept'>,
  { file, root, shown }: SettingsPlace,
  { env, stderr }: Pick<CommandContext, 'env' | 'stderr'>,
): Promise<SettingsAcceptances> {
  const { GITHUB_BASE_REF: branch, CI_MERGE_REQUEST_DIFF_BASE_SHA: commit } = env;
  const base = branch ? `refs/remotes/origin/${branch}` : commit;
  if (!base || accept.length === 0) return { accept, notMerged: [] };
  const repository = { folder: root ?? dirname(file), env };
  const show = (what: string) => runGit(repository, ['cat-file', '-p', what]);
  const { exitCode } = await show(`${base}^{commit}`);
  if (exitCode !== 0) {
    stderr.write(`${shown}: nothing of accept counts: ${base} is not in this clone (fetch-depth: 0)\n`);
  }
  const { stdout } = await show(`${base}:${pathIn(root, file)}`);
  return split(accept, stdout.length === 0 ? [] : readSettings(stdout.toString(), base).settings.accept);
}

/** What both sides of a change name as pins, and what the one before it accepts. */
export async function settingsOfSides(
  { path, settings }: SettingsOfHead,
  { beforeTree, afterTree }: { readonly beforeTree: PinTree; readonly afterTree: PinTree },
): Promise<{ readonly pins: readonly string[]; readonly settingsAccept: SettingsAcceptances }> {
  const read = async (tree: PinTree, side: string): Promise<Settings> => {
    const entry = tree.files.get(path);
    if (entry?.kind !== 'file') return {};
    return readSettings(new TextDecoder().decode(await tree.read(entry)), `${path} ${side} the change`)
      .settings;
  };
  const [before, after] = [await read(beforeTree, 'before'), await read(afterTree, 'after')];
  const folder = dirname(path) === '.' ? '' : `${dirname(path)}/`;
  const pins = [...(before.pins ?? []), ...(after.pins ?? [])].map(
    (pin) => `${folder}${pin.replace(/^\.\//, '')}`,
  );
  return { pins: [...new Set(pins)], settingsAccept: split(settings.accept ?? [], before.accept) };
}

/** Those that count before the change, word for word, and those that only it has. */
function split(head: readonly Acceptance[], base: readonly Acceptance[] = []): SettingsAcceptances {
  const known = new Set(base.map((one) => JSON.stringify(one)));
  return { accept: base, notMerged: head.filter((one) => !known.has(JSON.stringify(one))) };
}

export function pathIn(root: string | undefined, file: string): string {
  return relative(root ?? dirname(file), file).replaceAll('\\', '/');
}
