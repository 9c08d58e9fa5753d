import { randomUUID } from 'node:crypto';
import { open, realpath, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { LightspanError } from '../errors.js';
import { describeFileFault } from '../sources/local-file.js';

/**
 * Replaces what a file holds, wholly or not at all, and keeps its permissions. A link stays a link, and what it points
 * to is replaced.
 *
 * @throws {LightspanError} `unwritable-output`
 */
export async function replaceFile(path: string, text: string): Promise<void> {
  try {
    const target = await realpath(path);
    const { mode } = await stat(target);
    const temporary = join(dirname(target), `.${basename(target)}.${randomUUID()}.tmp`);
    try {
      const file = await open(temporary, 'wx');
      try {
        await file.chmod(mode);
        await file.writeFile(text);
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(temporary, target);
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    }
  } catch (error) {
    throw new LightspanError('unwritable-output', `cannot write ${path}: ${describeFileFault(error)}`, {
      cause: error,
    });
  }
}
