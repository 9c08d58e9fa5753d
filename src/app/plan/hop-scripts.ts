import { join } from 'node:path';
import { LightspanError } from '../../core/lightspan-error.js';
import { makeFolder, writeWhole } from '../../door/text-sink.js';
import type { RenderedHop } from '../../steps/hop-block.js';

type Script = RenderedHop['script'];

/** The files of a hop. */
interface WrittenScripts {
  readonly script: string;
  readonly back: string;
}

/**
 * Writes into a folder a script for every hop, one for the way back from each, and the functions that they share.
 * Existing scripts are left as they are: somebody may have edited them, or be running them; and running all scripts of
 * a folder would include those of an older plan, which knew less.
 *
 * @returns the paths of the scripts of each hop
 */
export async function writeScripts(
  folder: string,
  hops: readonly RenderedHop[],
  library: Script,
): Promise<readonly WrittenScripts[]> {
  const { readdir, readFile } = await import('node:fs/promises');
  const all =
    hops.length === 0 ? [] : [library, ...hops.flatMap(({ script, back }) => [script, back.script])];
  const scripts = all.map((script) => ({ ...script, file: join(folder, script.name) }));
  const names = hops.length === 0 ? [] : await readdir(folder).catch(() => []);
  const isScript = /^(?:hop-\d+-(?:\d+\.\d+\.\d+-to-\d+\.\d+\.\d+|back)|lib)\.sh$/;
  const present = names.filter((name) => isScript.test(name)).map((name) => join(folder, name));
  for (const path of present.toSorted()) {
    const script = scripts.find(({ file }) => file === path);
    if (script !== undefined && (await readFile(path, 'utf8').catch(() => undefined)) === script.text)
      continue;
    const whose = script === undefined ? 'of another plan' : 'another script';
    throw new LightspanError('unwritable-output', `${path} already exists and is ${whose}`, {
      hint: 'Move it away, or name another folder.',
    });
  }
  await makeFolder(folder);
  for (const { file, text } of scripts) if (!present.includes(file)) await writeWhole(file, text);
  return hops.map(({ script, back }) => ({
    script: wordOf(join(folder, script.name)),
    back: wordOf(join(folder, back.script.name)),
  }));
}

/** The path as a word of a command: a name that begins with a hyphen would be an option. */
function wordOf(file: string): string {
  return file.startsWith('-') ? `./${file}` : file;
}
