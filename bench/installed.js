import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from './temporary-folder.js';

/**
 * Packs the built package and installs it in a fresh folder, as users have it. What it depends on is packed from what
 * is installed here: nothing is fetched.
 *
 * @returns {string} the folder of the installed package
 */
export function installPacked() {
  const folder = temporaryFolder();
  const dependencies = npm(['ls', '--omit=dev', '--all', '--parseable'], '.').trim().split('\n').slice(1);
  const pack = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder, '.', ...dependencies];
  const files = JSON.parse(npm(pack, '.')).map(({ filename }) => join(folder, filename));
  const app = join(folder, 'app');
  mkdirSync(app);
  npm(['install', '--offline', '--ignore-scripts', '--no-audit', '--no-fund', ...files], app);
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
