import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';

/**
 * A package from npm for the tests, kept where `npm ci` removes it.
 *
 * @param {string} name
 * @param {string} version such as `24` or `20.18.1`
 * @returns {string} the folder of the package
 */
export function fetchPackage(name, version) {
  const folder = join('node_modules', '.cache', 'fetched', `${name}@${version}`);
  mkdirSync(folder, { recursive: true });
  execFileSync(
    'npm',
    [
      'install',
      '--no-save',
      '--no-audit',
      '--no-fund',
      '--ignore-scripts',
      '--prefix',
      folder,
      `${name}@${version}`,
    ],
    { stdio: ['ignore', 'ignore', 'inherit'], shell: process.platform === 'win32' },
  );
  return resolve(folder, 'node_modules', name);
}

/** The executable of a Node from npm (`node-<platform>-<arch>`). */
export function fetchNode(version) {
  const isWindows = process.platform === 'win32';
  const name = `node-${isWindows ? 'win' : process.platform}-${process.arch}`;
  return join(fetchPackage(name, version), 'bin', isWindows ? 'node.exe' : 'node');
}
