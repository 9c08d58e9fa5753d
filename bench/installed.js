import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from './temporary-folder.js';

/**
 * Packs the built package and installs it in a fresh folder, as users have it. It needs nothing else: nothing is
 * fetched.
 *
 * @returns {string} the folder of the installed package
 */
export function installPacked() {
  const folder = temporaryFolder();
  const pack = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder];
  const [{ filename }] = JSON.parse(npm(pack, '.'));
  const app = join(folder, 'app');
  mkdirSync(app);
  npm(['install', '--offline', '--no-audit', '--no-fund', join(folder, filename)], app);
  return join(app, 'node_modules', 'lightspan');
}

function npm(args, cwd) {
  return execFileSync('npm', args, {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: process.platform === 'win32',
  });
}
