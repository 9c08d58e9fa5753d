import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

let root: string | undefined;

afterAll(() => {
  if (root !== undefined) rmSync(root, { recursive: true, force: true });
});

/** A new, empty folder. It is gone when the tests of the file have ended, whatever they left in it. */
export function temporaryFolder(): string {
  root ??= mkdtempSync(join(tmpdir(), 'lightspan-test-'));
  return mkdtempSync(join(root, 'folder-'));
}
