import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = mkdtempSync(join(tmpdir(), 'lightspan-bench-'));
process.on('exit', () => rmSync(root, { recursive: true, force: true }));

/** A new, empty folder, gone when this process ends. */
export function temporaryFolder() {
  return mkdtempSync(join(root, 'folder-'));
}
