import { LightspanError } from '../../core/lightspan-error.js';
import { printable } from '../../core/text/printable.js';
import type { CommandContext } from '../../door/context.js';
import { isComposeFile } from '../../pins/kinds/variables.js';
import type { FilesAround } from '../settings/files-beside.js';
import type { FoundHere } from './pins-here.js';

export const isOfKind = {
  'helm.values': ({ path }: Pick<FoundHere, 'path'>) => path.join('.') === 'image.tag',
  // An image behind an anchor stands under a key of its own, such as `x-lightdash`.
  'compose.files': ({ file, path }: Pick<FoundHere, 'file' | 'path'>) =>
    path[0] === 'services' || (isComposeFile(file) && path.at(-1) === 'image'),
};

/** The files of one kind that are of the instance. Several that pin it may be as many environments. */
export async function filesOfInstance(
  what: keyof typeof isOfKind,
  found: readonly Pick<FoundHere, 'file' | 'path'>[],
  around: (file: string) => FilesAround,
  context: CommandContext,
): Promise<Record<'files' | 'others' | 'ambiguous' | 'candidates', readonly string[]>> {
  const ofKind = found.filter((pin) => isOfKind[what](pin));
  const named = [...new Set(ofKind.map(({ file }) => file))];
  const [only, second] = named;
  if (only === undefined) return { files: [], others: [], ambiguous: [], candidates: [] };
  const { files, beside } = second === undefined ? around(only) : { files: named, beside: [] };
  if (second === undefined && beside.length === 0)
    return { files, others: [], ambiguous: [], candidates: [] };
  const chosen = await chooseFiles(what, [...files, ...beside], context);
  const others = second === undefined ? [] : named.filter((file) => !chosen.includes(file));
  const why =
    second === undefined
      ? `${beside.join(', ')} beside ${only} may belong to the same deployment; none is written`
      : `${named.join(', ')} each deploy Lightdash, as for several environments; none is written`;
  const isClear = chosen.length > 0;
  return {
    ...{ files: chosen, others },
    ambiguous: isClear ? [] : [`${what}: ${why}`],
    candidates: isClear || second === undefined ? [] : named,
  };
}

/** Asks, on a terminal only, which files are of the instance. Elsewhere nothing is guessed. */
async function chooseFiles(
  what: string,
  found: readonly string[],
  { stdin, stdout, stderr }: CommandContext,
): Promise<readonly string[]> {
  if (stdout.isTTY !== true) return [];
  const list = found.map((file, i) => `  ${i + 1}  ${printable(file)}\n`).join('');
  stderr.write(`These files may belong to one deployment or to several:\n${list}`);
  stderr.write(`Which are ${what} of this instance, in order? Numbers, or nothing for none: `);
  let line = '';
  for await (const part of stdin) {
    line += Buffer.from(part).toString();
    if (line.includes('\n')) break;
  }
  const chosen = (/^[^\n]*/.exec(line)?.[0] ?? '')
    .split(/[\s,]+/)
    .filter(Boolean)
    .map(Number);
  const isKnown = chosen.every((number) => found[number - 1] !== undefined);
  if (isKnown) return chosen.flatMap((number) => found[number - 1] ?? []);
  throw new LightspanError('usage', `the answer is not a list of numbers from 1 to ${found.length}`);
}
