import { execFileSync } from 'node:child_process';
import { accessSync, constants, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/**
 * A package from npm for the tests, kept where `npm ci` removes it, or for this run where nothing can be written there.
 *
 * @param {string} name
 * @param {string} version such as `24` or `20.18.1`
 * @returns {string} the folder of the package
 */
export function fetchPackage(name, version) {
  const folder = join(keptIn(), `${name}@${version}`);
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

function keptIn() {
  const kept = join('node_modules', '.cache', 'fetched');
  try {
    mkdirSync(kept, { recursive: true });
    accessSync(kept, constants.W_OK);
    return kept;
  } catch {
    return join(tmpdir(), 'fetched');
  }
}

/** The executable of a Node from npm (`node-<platform>-<arch>`). */
export function fetchNode(version) {
  const isWindows = process.platform === 'win32';
  const name = `node-${isWindows ? 'win' : process.platform}-${process.arch}`;
  return join(fetchPackage(name, version), 'bin', isWindows ? 'node.exe' : 'node');
}
