import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { isBuilt } from '../../scripts/built-from.js';
import { isWritable } from './is-writable.js';
import { once } from './once.js';

/**
 * The spawned program and the packed package are dist/: built from the source under test before any test runs, unless
 * it is that already.
 */
export default function buildOnce(): void {
  once('LIGHTSPAN_BUILT', () => {
    if (isBuilt('dist')) return;
    if (isWritable('dist')) bundle('dist');
    else requireBuilt('dist');
  });
}

function bundle(folder: string): void {
  execFileSync(process.execPath, ['scripts/bundle.js', folder], { stdio: 'inherit' });
}

/** A checkout that is only read has the build it came with: it must be that of its own source. */
function requireBuilt(dist: string): void {
  const fresh = mkdtempSync(join(tmpdir(), 'lightspan-build-'));
  try {
    bundle(fresh);
    for (const entry of readdirSync(fresh, { recursive: true, withFileTypes: true })) {
      const path = relative(fresh, join(entry.parentPath, entry.name));
      if (entry.isFile() && !readFileSync(join(fresh, path)).equals(readFileSync(join(dist, path)))) {
        throw new Error(
          `${join(dist, path)} is not built from this source, and cannot be written: npm run build`,
        );
      }
    }
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}
