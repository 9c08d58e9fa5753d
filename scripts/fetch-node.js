import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';

/**
 * A Node from npm (`node-<platform>-<arch>`), kept where `npm ci` removes it.
 *
 * @param {string} version such as `24` or `20.18.1`
 * @returns {string} the path of its executable
 */
export function fetchNode(version) {
  const platform = process.platform === 'win32' ? 'win' : process.platform;
  const name = `node-${platform}-${process.arch}`;
  const folder = join('node_modules', '.cache', 'nodes', version);
  mkdirSync(folder, { recursive: true });
  execFileSync(
    'npm',
    ['install', '--no-save', '--no-audit', '--no-fund', '--prefix', folder, `${name}@${version}`],
    {
      stdio: ['ignore', 'ignore', 'inherit'],
      shell: process.platform === 'win32',
    },
  );
  return resolve(folder, 'node_modules', name, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
}
