import { execFileSync } from 'node:child_process';
import type { TestProject } from 'vitest/node';
import buildOnce from './build-once.js';
import { once } from './once.js';

/** The single executable, of 100 MB, which the image holds too. */
export default function buildExecutable(project: TestProject): void {
  once('LIGHTSPAN_EXECUTABLE_BUILT', () => {
    buildOnce(project);
    execFileSync(process.execPath, ['scripts/build-executable.js'], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  });
}
