import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, statfsSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { TestProject } from 'vitest/node';

const prefix = 'lightspan-run-';

/**
 * Gives the tests of a project a temporary folder of their own, which the run takes away, and fails where the program
 * has left something in it.
 */
export default function makeRunFolder({ config }: TestProject): () => void {
  const folder = folderInMemory() ?? mkdtempSync(join(tmpdir(), prefix));
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

/** Short, for the path of a socket has at most 103 characters; and always as long, for lines with it are wrapped. */
const inMemory = '/dev/shm/ls';

/** Of runs that were killed an hour ago or more: they would be kept in memory for as long as the machine runs. */
function removeAbandoned(): void {
  const folder = dirname(inMemory);
  for (const name of readdirSync(folder)) {
    const [, pid] = /^ls(\d+)-\w{6}$/.exec(name) ?? [];
    if (pid === undefined || existsSync(`/proc/${Number(pid)}`)) continue;
    const abandoned = join(folder, name);
    if (Date.now() - statSync(abandoned).mtimeMs < 3_600_000) continue;
    rmSync(abandoned, { recursive: true, force: true });
  }
}

/** What the files of all tests take together, with room to spare. */
const bytesOfRun = 6 * 1024 ** 3;

/**
 * A folder of a Linux that keeps it in memory: written to a disk, the files of a database take more processor time than
 * all else that makes it. Undefined where there is none, where it is too small or runs no programs, and where TMPDIR says
 * which folder to take.
 */
function folderInMemory(): string | undefined {
  if (process.platform !== 'linux' || process.env.TMPDIR) return undefined;
  try {
    const { bavail, bsize } = statfsSync(dirname(inMemory));
    if (bavail * bsize < bytesOfRun) return undefined;
    removeAbandoned();
    const folder = mkdtempSync(`${inMemory}${String(process.pid).padStart(7, '0')}-`);
    const program = join(folder, 'program');
    writeFileSync(program, '#!/bin/sh\n', { mode: 0o755 });
    const { status } = spawnSync(program);
    rmSync(program);
    if (status === 0) return folder;
    rmSync(folder, { recursive: true });
  } catch {
    // There is no such folder, or none for us.
  }
  return undefined;
}
