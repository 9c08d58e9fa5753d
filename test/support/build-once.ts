import { execFileSync } from 'node:child_process';

/** The spawned program is dist/: build it from the source under test before any test runs. */
export default function buildOnce(): void {
  execFileSync(process.execPath, ['scripts/bundle.js'], { stdio: 'inherit' });
}
