import { chmodSync, mkdtempSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** A new, empty folder. It is gone when the run has ended, whatever tests left in it: test/support/run-folder.ts. */
export function temporaryFolder(): string {
  return mkdtempSync(join(tmpdir(), 'folder-'));
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
