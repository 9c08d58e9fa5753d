import { execFileSync } from 'node:child_process';
import { isBuilt, markBuilt } from './built-from.js';

/**
 * Builds all that the package holds, unless dist/ is that of this source already: npm asks for it at `npm ci`, and again
 * at each `npm pack` and `npm install .`.
 */
if (isBuilt('dist', '.', 'all')) {
  process.stdout.write('dist/ is built from this source already\n');
} else {
  const run = (...program) => execFileSync(process.execPath, program, { stdio: 'inherit' });
  if (!isBuilt('dist')) run('scripts/bundle.js');
  run('scripts/bundle-types.js');
  run('--import', 'tsx', 'scripts/man.ts');
  markBuilt('dist', '.', 'all');
}
