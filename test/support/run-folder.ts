import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';

/**
 * Gives the tests of a project a temporary folder of their own, which the run takes away, and fails where the program
 * has left something in it.
 */
export default function makeRunFolder({ config }: TestProject): () => void {
  // What is made of an image is larger than memory may have room for.
  const isLarge = config.name === 'container' || config.name === 'executable';
  // As long as /tmp/lightspan-run-: the path of a socket has an end.
  const isMemory = !isLarge && isMemoryRoomy();
  const folder = mkdtempSync(isMemory ? join(memory, 'lightspan-') : join(tmpdir(), 'lightspan-run-'));
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

/** The file system in memory that Linux has. */
const memory = '/dev/shm';
const gib = 1024 ** 3;

/**
 * Whether temporary files go into memory: a server of PostgreSQL has a thousand files, and is thrown away a minute
 * later. There has to be room for several, programs have to run from there, and TMPDIR names no other place.
 */
function isMemoryRoomy(): boolean {
  if (process.platform !== 'linux' || process.env.TMPDIR !== undefined) return false;
  let folder: string | undefined;
  try {
    const { bavail, bsize } = statfsSync(memory);
    if (bavail * bsize < 6 * gib || process.availableMemory() < 8 * gib) return false;
    folder = mkdtempSync(join(memory, 'lightspan-try-'));
    writeFileSync(join(folder, 'program'), '#!/bin/sh\n', { mode: 0o755 });
    return spawnSync(join(folder, 'program')).status === 0;
  } catch {
    return false;
  } finally {
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  }
}
