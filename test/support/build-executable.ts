import { execFileSync } from 'node:child_process';
import { once } from './once.js';

/** The single executable, of 100 MB, which the image holds too. */
export default function buildExecutable(): void {
  once('LIGHTSPAN_EXECUTABLE_BUILT', () => {
    for (const script of ['scripts/bundle.js', 'scripts/build-executable.js']) {
      execFileSync(process.execPath, [script], { stdio: ['ignore', 'ignore', 'inherit'] });
    }
  });
}
