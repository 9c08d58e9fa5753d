import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';

/**
 * Gives the tests of a project a temporary folder of their own, which the run takes away, and fails where the program
 * has left something in it.
 */
export default function makeRunFolder({ config }: TestProject): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'lightspan-run-'));
  config.env = { ...config.env, TMPDIR: folder, TEMP: folder };
  return () => {
    const left = readdirSync(folder).filter((name) => name.startsWith('lightspan-'));
    // A program that was killed may still be writing its last file.
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
    if (left.length === 0) return;
    process.stderr.write(`The program left behind in the temporary folder: ${left.join(', ')}\n`);
    process.exitCode = 1;
  };
}
