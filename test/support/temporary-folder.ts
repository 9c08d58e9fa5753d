import { chmodSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll } from 'vitest';

let root: string | undefined;

afterAll(() => {
  if (root !== undefined) rmSync(root, { recursive: true, force: true });
}, 60_000);

/** A new, empty folder. It is gone when the tests of the file have ended, whatever they left in it. */
export function temporaryFolder(): string {
  root ??= mkdtempSync(join(tmpdir(), 'lightspan-test-'));
  return mkdtempSync(join(root, 'folder-'));
}

/** The same, where every user of the machine may write, and gets to. */
export function folderOfAll(): string {
  const folder = temporaryFolder();
  for (let above = dirname(folder); (statSync(above).mode & 0o001) === 0; above = dirname(above)) {
    chmodSync(above, 0o711);
  }
  chmodSync(folder, 0o777);
  return folder;
}
