import { execSync } from 'node:child_process';

/** The spawned program and the packed package are dist/: build it from the source under test before any test runs. */
export default function buildOnce(): void {
  execSync('npm run --silent build', { stdio: 'inherit' });
}
