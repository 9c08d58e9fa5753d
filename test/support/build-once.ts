import { execFileSync } from 'node:child_process';
import { accessSync, constants, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';

/**
 * The spawned program and the packed package are dist/: build it from the source under test before any test runs. The
 * run has a temporary folder of its own, and fails where a test leaves something of ours in it.
 */
export default function buildOnce(): () => void {
  if (writable('dist')) bundle('dist');
  else requireBuilt('dist');
  const folder = mkdtempSync(join(tmpdir(), 'lightspan-run-'));
  for (const name of ['TMPDIR', 'TEMP']) process.env[name] = folder;
  return () => {
    const left = readdirSync(folder).filter((name) => name.startsWith('lightspan-'));
    rmSync(folder, { recursive: true, force: true });
    if (left.length === 0) return;
    process.stderr.write(`Tests left behind in the temporary folder: ${left.join(', ')}\n`);
    process.exitCode = 1;
  };
}

function bundle(folder: string): void {
  execFileSync(process.execPath, ['scripts/bundle.js', folder], { stdio: 'inherit' });
}

function writable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT';
  }
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
