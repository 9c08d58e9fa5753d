import { join } from 'node:path';
import { makeFolder, writeWhole } from '../../cli/text-sink.js';
import { LightspanError } from '../../core/lightspan-error.js';
import type { RenderedHop } from '../../steps/hop-block.js';

type Script = RenderedHop['script'];

/** The files of a hop. */
export interface WrittenScripts {
  readonly script: string;
  readonly back: string;
}

/**
 * Writes a script for every hop, one for the way back from it, and what they share into a folder; tells the scripts of
 * the hops, and those of the ways back. Existing ones are left as they are: somebody may have edited them, or be
 * running them; and running all scripts of a folder would include those of an older plan, which knew less.
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
    const what = script === undefined ? 'of another plan' : 'another script';
    throw new LightspanError('unwritable-output', `${path} already exists and is ${what}`, {
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

/** To a shell, a name that begins with a hyphen is options. */
function wordOf(file: string): string {
  return file.startsWith('-') ? `./${file}` : file;
}
