import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, sep } from 'node:path';
import picomatch from 'picomatch';
import type { TestProject } from 'vitest/node';
import { isBuilt } from '../../scripts/built-from.js';
import { roomsWithoutProcesses } from '../../scripts/parts.js';
import { isWritable } from './is-writable.js';
import { once } from './once.js';
import { filesWithTools } from './tools.js';

/** Test files that start no process and so need no build. */
const needsNoBuild = picomatch([`test/{${roomsWithoutProcesses}}/**/*.test.ts`, 'test/structure.test.ts'], {
  ignore: filesWithTools,
});

/**
 * The spawned program and the packed package are dist/: built from the source under test before any test runs, unless
 * it is that already, or no file of the run needs it.
 */
export default function buildOnce({ vitest }: TestProject): void {
  const files = vitest.state.getPaths().map((file) => relative('.', file).replaceAll(sep, '/'));
  if (files.every((file) => needsNoBuild(file))) return;
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
