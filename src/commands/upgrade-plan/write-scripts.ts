import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { LightspanError } from '../../errors.js';
import type { RenderedHop } from '../../render/deployment/hop-block.js';
import { describeWriteFault } from '../../sources/read-file.js';
import { writeWhole } from '../text-sink.js';

/**
 * Writes a script for every hop into a folder, which is made where it is not there. What stands there already is left
 * as it is: somebody may have edited it, or be running it.
 *
 * @returns the files, in the order of the hops
 * @throws {LightspanError} `unwritable-output`, before any is written where another one stands in the way
 */
export async function writeScripts(folder: string, hops: readonly RenderedHop[]): Promise<string[]> {
  const scripts = hops.map(({ script }) => ({ ...script, file: join(folder, script.name) }));
  const present = await Promise.all(scripts.map(({ file }) => readFile(file, 'utf8').catch(() => undefined)));
  const other = scripts.find(({ text }, i) => present[i] !== undefined && present[i] !== text);
  if (other !== undefined) {
    throw new LightspanError('unwritable-output', `${other.file} is there already, and is another script`, {
      hint: 'Move it away, or name another folder.',
    });
  }
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
