import { existsSync, realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { LightspanError } from '../../core/lightspan-error.js';
import type { CommandContext } from '../../door/context.js';
import { isUrlOrTemplate } from '../../gather/publisher/publisher-urls.js';
import { baseOf, findBase, refusalOf } from './base.js';
import { baseNotKnown, foldersAbove, isRepository, type SettingsRequest } from './in-force.js';

/**
 * Why evidence that the command line or the environment names may not be read: in a job for a change, the change brings
 * it. The same holds of what settings name.
 *
 * @param places URLs, files and folders
 * @returns also where such evidence is of the repository, and its base is not known, or not in the clone
 */
export async function refusalOfSources(
  places: readonly string[],
  request: SettingsRequest,
  env: CommandContext['env'],
): Promise<LightspanError | undefined> {
  const files = places
    .filter((place) => place !== '-' && !isUrlOrTemplate(place))
    .map((place) => resolve(place));
  if (files.length === 0) return undefined;
  const ref = baseOf(request, env);
  if (ref === undefined) return undefined;
  // Several repositories may have a branch of this name; a hash says which one is meant.
  const isName = ref !== null && !/^[0-9a-f]{40,64}$/.test(ref);
  const named = [request.settings || [], isName ? [] : files.map(realPathOf)].flat();
  const folders = [...named, request.repo ?? '.'];
  const roots = [...new Set(folders.flatMap((folder) => foldersAbove(folder).slice(-1)))].filter(
    isRepository,
  );
  const isOf = (root: string) => refusalOf(files, { ref: 'the base', id: undefined, root }, env);
  if (ref === null) {
    for (const root of roots) if ((await isOf(root)) !== undefined) return baseNotKnown();
    return undefined;
  }
  if (roots.length === 0) return undefined;
  const base = await findBase(ref, roots, request, { env, isNeeded: false });
  const refusal = await refusalOf(files, base, env);
  if (refusal === undefined) return undefined;
  if (base.id === undefined && request.preCommit !== true) {
    const fault = await findBase(ref, roots, request, { env, isNeeded: true }).catch(
      (error: unknown) => error,
    );
    if (fault instanceof LightspanError) return fault;
  }
  return refusedSource(refusal);
}

export function refusedSource(why: string): LightspanError {
  return new LightspanError('usage', why, {
    hint:
      'Merge that in a separate change. Evidence outside of the repository is read, and so is what the job puts ' +
      'there and no commit has.',
  });
}

/** Where a file lies, whatever links lead to it. */
function realPathOf(file: string): string {
  return existsSync(file) ? realpathSync.native(file) : file;
}
