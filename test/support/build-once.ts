import { execSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * The spawned program and the packed package are dist/: build it from the source under test before any test runs. The
 * run has a temporary folder of its own, and fails where a test leaves something of ours in it.
 */
export default function buildOnce(): () => void {
  execSync('npm run --silent build:bundles', { stdio: 'inherit' });
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
