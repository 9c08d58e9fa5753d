import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import packageJson from '../package.json' with { type: 'json' };
import { makePrivateFolder } from '../src/launch/start.js';
import { copyToWrite } from './support/copy.js';
import { nodeUnderTest } from './support/node-under-test.js';
import { temporaryFolder as newFolder } from './support/temporary-folder.js';

/** On some systems the temporary folder is behind a link. */
const temporaryFolder = () => fs.realpathSync(newFolder());

/** The program at a place of its own, where its files can be others for a while. */
const place = temporaryFolder();
copyToWrite('bin', join(place, 'bin'));
copyToWrite('dist/program', join(place, 'dist', 'program'));
/** What is loaded to tell the version. */
const part = join(place, 'dist', 'program', 'version.cjs');

type Env = Readonly<Record<string, string>>;
const run = (env: Env, argv = ['--version']) => {
  const { status, stdout, stderr } = spawnSync(
    nodeUnderTest,
    [join(place, 'bin', 'lightspan.cjs'), ...argv],
    {
      encoding: 'utf8',
      // No home: nothing is left in that of whoever runs the tests.
      env: { HOME: '/nonexistent', ...env },
    },
  );
  return { status, stdout, stderr };
};
const version = { status: 0, stdout: `${packageJson.version}\n`, stderr: '' };

/** Node keeps nothing before 22.8: there, nothing planted is ever found. */
const nodeKeeps =
  spawnSync(nodeUnderTest, ['-p', 'typeof module.constructor.enableCompileCache'], {
    encoding: 'utf8',
    env: {},
  }).stdout.trim() === 'function';

const filesIn = (folder: string) =>
  fs.existsSync(folder)
    ? fs
        .readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((name) => fs.statSync(join(folder, name)).isFile())
    : [];

/**
 * What another user plants: code of the size of version.cjs, under the header of what Node keeps of version.cjs.
 *
 * @returns the file's path in the folder of what is kept; `code` is undefined where Node keeps nothing
 */
function forge(): { readonly path: string; readonly code: Buffer | undefined } {
  const [honest, forged] = [temporaryFolder(), temporaryFolder()];
  run({ NODE_COMPILE_CACHE: honest });
  const source = fs.readFileSync(part, 'utf8');
  const planted = 'process.stdout.write("planted\\n"); exports.main = () => {};';
  fs.writeFileSync(part, planted.padEnd(source.length));
  run({ NODE_COMPILE_CACHE: forged });
  fs.writeFileSync(part, source);
  for (const path of filesIn(forged)) {
    const code = fs.readFileSync(join(forged, path));
    if (!code.includes('planted')) continue;
    const header = fs.readFileSync(join(honest, path));
    // The size of the source and its checksum.
    for (const at of [4, 12]) header.copy(code, at, at, at + 4);
    return { path, code };
  }
  return { path: 'nothing/kept', code: undefined };
}

const { path, code } = forge();
function plant(folder: string): void {
  fs.mkdirSync(dirname(join(folder, path)), { recursive: true, mode: 0o700 });
  fs.writeFileSync(join(folder, path), code ?? '');
}

describe('what Node has compiled of the program', () => {
  it('is kept in the cache folder, for this user alone, and nowhere else', () => {
    const [cache, temporary] = [temporaryFolder(), temporaryFolder()];
    const env = { XDG_CACHE_HOME: cache, TMPDIR: temporary };
    for (let start = 0; start < 2; start++) expect(run(env)).toEqual(version);
    const kept = join(cache, 'lightspan', 'compiled');
    expect(filesIn(kept).length > 0).toBe(nodeKeeps);
    if (nodeKeeps) expect(fs.statSync(kept).mode & 0o777).toBe(0o700);
    expect(fs.readdirSync(temporary)).toEqual([]);
  });

  it('is not kept with --no-cache', () => {
    const cache = temporaryFolder();
    run({ LIGHTSPAN_CACHE_DIR: cache }, ['upgrade-check', '--no-cache']);
    expect(fs.readdirSync(cache)).toEqual([]);
  });

  it.each(['relative', ''])('is not kept in %j, wherever the program is started', (folder) => {
    expect(run({ LIGHTSPAN_CACHE_DIR: folder, HOME: folder })).toEqual(version);
    expect(fs.existsSync('relative') || fs.existsSync('.cache')).toBe(false);
  });
});

describe('code that another user has planted is not run', () => {
  it('where there is any', () => {
    expect(code !== undefined).toBe(nodeKeeps);
  });

  it('though it would be from a folder of our own', () => {
    const folder = temporaryFolder();
    plant(join(folder, 'compiled'));
    expect(run({ LIGHTSPAN_CACHE_DIR: folder }).stdout).toBe(nodeKeeps ? 'planted\n' : version.stdout);
  });

  it.each<[string, mode: number, variable: string, kept: string, opened?: number]>([
    ['in the temporary folder, which all share', 0o1777, 'TMPDIR', 'node-compile-cache'],
    ['in a cache folder that others may write', 0o777, 'LIGHTSPAN_CACHE_DIR', 'compiled'],
    ['below XDG_CACHE_HOME that its group may write', 0o770, 'XDG_CACHE_HOME', 'lightspan/compiled'],
    ['below a home that others may write', 0o777, 'HOME', '.cache/lightspan/compiled'],
    ['in the folder of what is kept, opened to others', 0o700, 'LIGHTSPAN_CACHE_DIR', 'compiled', 0o777],
  ])('%s', (_, mode, variable, path, opened = 0o700) => {
    const folder = temporaryFolder();
    fs.chmodSync(folder, mode);
    const kept = join(folder, path);
    plant(kept);
    fs.chmodSync(kept, opened);
    expect(run({ [variable]: folder })).toEqual(version);
  });

  it('where NODE_COMPILE_CACHE names another folder, it is left as it is', () => {
    const [own, cache] = [temporaryFolder(), temporaryFolder()];
    expect(run({ NODE_COMPILE_CACHE: own, LIGHTSPAN_CACHE_DIR: cache })).toEqual(version);
    if (nodeKeeps) expect(fs.readdirSync(cache)).toEqual([]);
  });
});

describe('a folder is our own', () => {
  const folderOf = (...modes: readonly number[]) =>
    modes.reduce((parent, mode, depth) => {
      const folder = join(parent, `${depth}`);
      fs.mkdirSync(folder);
      fs.chmodSync(folder, mode);
      return folder;
    }, temporaryFolder());

  it.each<[string, readonly number[], boolean]>([
    ['as mkdtemp makes it', [0o700], true],
    ['below a sticky one', [0o1777, 0o700], true],
    ['that others may read', [0o755], false],
    ['that its group may read', [0o750], false],
    ['that others may write', [0o702], false],
    ['far below one that its group may write', [0o770, 0o700, 0o700], false],
  ])('%s: %j', (_, modes, own) => {
    expect(makePrivateFolder(folderOf(...modes))).toBe(own);
  });

  it('only where it can be made, and not in a place that hangs on where it runs', () => {
    expect(makePrivateFolder(relative(process.cwd(), folderOf(0o700)))).toBe(false);
    expect(makePrivateFolder(join(folderOf(0o500), 'a file', '\0'))).toBe(false);
  });
});
