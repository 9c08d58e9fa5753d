import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Checks a mirror with the program that its sums are for: `sha256sum`, and `shasum` where a system has that instead. */
export async function checkSums(folder: string): Promise<void> {
  const run = promisify(execFile);
  const cwd = folder;
  try {
    await run('sha256sum', ['--check', '--strict', 'SHA256SUMS'], { cwd }).catch((error: unknown) => {
      if (!isNotFound(error)) throw error;
      return run('shasum', ['-a', '256', '-c', 'SHA256SUMS'], { cwd });
    });
  } catch (error) {
    if (!isNotFound(error)) throw error;
    throw new Error('this test needs sha256sum or shasum, and this system has neither', { cause: error });
  }
}

function isNotFound(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
