import type { Version } from '../../release-safety/version.js';
import { countOf } from '../phrase.js';
import { printable } from '../printable.js';

/** The content of a datasource, for a person. */
export function renderProvenTargets({
  from,
  targets,
  file,
}: {
  readonly from: Version;
  readonly targets: readonly { readonly version: Version }[];
  readonly file: string | undefined;
}): string {
  const newest = targets.at(-1)?.version;
  const found =
    newest === undefined
      ? `Nothing is proven from ${from}: lightspan upgrade-plan --from ${from} --to latest shows what blocks it.`
      : `From ${from}: ${countOf(targets.length, 'proven target')}, the newest ${newest}.`;
  return `${found}${file === undefined ? '' : ` Written to ${printable(file)}.`}\n`;
}
