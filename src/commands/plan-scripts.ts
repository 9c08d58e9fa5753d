import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { LightspanError } from '../errors.js';
import type { RenderedHop } from '../render/deployment/hop-block.js';
import { describeWriteFault } from '../sources/read-file.js';
import { writeWhole } from './text-sink.js';

/** The name of a script. Running all scripts of a folder would include those of an older plan, which knew less. */
const scriptName = /^hop-\d+-\d+\.\d+\.\d+-to-\d+\.\d+\.\d+\.sh$/;

/**
 * Writes a script for every hop into a folder, which is created if it does not exist. Existing files are left as they
 * are: somebody may have edited them, or be running them.
 *
 * @returns the files, in the order of the hops
 * @throws {LightspanError} `unwritable-output`, before any is written, if another script is in the way
 */
export async function writeScripts(folder: string, hops: readonly RenderedHop[]): Promise<string[]> {
  const scripts = hops.map(({ script }) => ({ ...script, file: join(folder, script.name) }));
  const present = await Promise.all(scripts.map(({ file }) => readFile(file, 'utf8').catch(() => undefined)));
  const refuse = (file: string, what: string) =>
    new LightspanError('unwritable-output', `${file} already exists, and is ${what}`, {
      hint: 'Move it away, or name another folder.',
    });
  const other = scripts.find(({ text }, i) => present[i] !== undefined && present[i] !== text);
  if (other !== undefined) throw refuse(other.file, 'another script');
  const names = hops.length === 0 ? [] : await readdir(folder).catch(() => []);
  const stray = names
    .sort()
    .find((name) => scriptName.test(name) && !hops.some(({ script }) => script.name === name));
  if (stray !== undefined) throw refuse(join(folder, stray), 'of another plan');
  try {
    await mkdir(folder, { recursive: true });
  } catch (error) {
    throw new LightspanError('unwritable-output', `cannot make ${folder}: ${describeWriteFault(error)}`, {
      cause: error,
    });
  }
  for (const [i, { file, text }] of scripts.entries()) {
    if (present[i] === undefined) await writeWhole(file, text);
  }
  return scripts.map(({ file }) => file);
}
