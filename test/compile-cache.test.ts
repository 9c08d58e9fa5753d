import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import packageJson from '../package.json' with { type: 'json' };
import { isOnlyWritableBy, makeOwn } from '../src/start.js';
import { copyToWrite } from './support/copy.js';
import { nodeUnderTest } from './support/node-under-test.js';
import { temporaryFolder as newFolder } from './support/temporary-folder.js';

/** On some systems the temporary folder is behind a link. */
const temporaryFolder = () => realpathSync(newFolder());

/** The program at a place of its own, where its files can be others for a while. */
const place = temporaryFolder();
copyToWrite('bin', join(place, 'bin'));
copyToWrite('dist/program', join(place, 'dist', 'program'));
/** What is loaded to tell the version. */
const part = join(place, 'dist', 'program', 'check.cjs');

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
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
        statSync(join(folder, name)).isFile(),
      )
    : [];

/**
 * What another user plants: code of the size of check.cjs, under the header of what Node keeps of check.cjs.
 *
 * @returns the file's path in the folder of what is kept; `code` is undefined where Node keeps nothing
 */
function forge(): { readonly path: string; readonly code: Buffer | undefined } {
  const [honest, forged] = [temporaryFolder(), temporaryFolder()];
  run({ NODE_COMPILE_CACHE: honest });
  const source = readFileSync(part, 'utf8');
  const planted = 'process.stdout.write("planted\\n"); exports.main = () => {};';
  writeFileSync(part, planted.padEnd(source.length));
  run({ NODE_COMPILE_CACHE: forged });
  writeFileSync(part, source);
  for (const path of filesIn(forged)) {
    const code = readFileSync(join(forged, path));
    if (!code.includes('planted')) continue;
    const header = readFileSync(join(honest, path));
    // The size of the source and its checksum.
    for (const at of [4, 12]) header.copy(code, at, at, at + 4);
    return { path, code };
  }
  return { path: 'nothing/kept', code: undefined };
}

const { path, code } = forge();
function plant(folder: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true, mode: 0o700 });
  writeFileSync(join(folder, path), code ?? '');
}

describe('what Node has compiled of the program', () => {
  it('is kept in the cache folder, for this user alone, and nowhere else', () => {
    const [cache, temporary] = [temporaryFolder(), temporaryFolder()];
    const env = { XDG_CACHE_HOME: cache, TMPDIR: temporary };
    for (let start = 0; start < 2; start++) expect(run(env)).toEqual(version);
    const kept = join(cache, 'lightspan', 'compiled');
    expect(filesIn(kept).length > 0).toBe(nodeKeeps);
    if (nodeKeeps) expect(statSync(kept).mode & 0o777).toBe(0o700);
    expect(readdirSync(temporary)).toEqual([]);
  });

  it('is not kept with --no-cache', () => {
    const cache = temporaryFolder();
    run({ LIGHTSPAN_CACHE_DIR: cache }, ['upgrade-check', '--no-cache']);
    expect(readdirSync(cache)).toEqual([]);
  });

  it.each(['relative', ''])('is not kept in %j, wherever the program is started', (folder) => {
    expect(run({ LIGHTSPAN_CACHE_DIR: folder, HOME: folder })).toEqual(version);
    expect(existsSync('relative') || existsSync('.cache')).toBe(false);
  });
});

describe('code that another user has planted is not run', () => {
  it('though it would be from a folder of our own', () => {
    const folder = temporaryFolder();
    plant(join(folder, 'compiled'));
    expect(run({ LIGHTSPAN_CACHE_DIR: folder }).stdout).toBe(nodeKeeps ? 'planted\n' : version.stdout);
  });

  it.each<[string, (folder: string) => { env: Env; kept: string; open?: () => void }]>([
    [
      'in the temporary folder, which all share',
      (folder) => {
        chmodSync(folder, 0o1777);
        return { env: { TMPDIR: folder }, kept: join(folder, 'node-compile-cache') };
      },
    ],
    [
      'in a cache folder that others may write',
      (folder) => {
        chmodSync(folder, 0o777);
        return { env: { LIGHTSPAN_CACHE_DIR: folder }, kept: join(folder, 'compiled') };
      },
    ],
    [
      'below XDG_CACHE_HOME that its group may write',
      (folder) => {
        chmodSync(folder, 0o770);
        return { env: { XDG_CACHE_HOME: folder }, kept: join(folder, 'lightspan', 'compiled') };
      },
    ],
    [
      'below a home that others may write',
      (folder) => {
        chmodSync(folder, 0o777);
        return { env: { HOME: folder }, kept: join(folder, '.cache', 'lightspan', 'compiled') };
      },
    ],
    [
      'in the folder of what is kept, where it was opened to others',
      (folder) => {
        const kept = join(folder, 'compiled');
        return { env: { LIGHTSPAN_CACHE_DIR: folder }, kept, open: () => chmodSync(kept, 0o777) };
      },
    ],
    [
      'behind a link',
      (folder) => {
        const theirs = join(folder, 'theirs');
        mkdirSync(theirs, { mode: 0o700 });
        symlinkSync(theirs, join(folder, 'link'));
        return { env: { LIGHTSPAN_CACHE_DIR: join(folder, 'link') }, kept: join(theirs, 'compiled') };
      },
    ],
  ])('%s', (_, prepare) => {
    const { env, kept, open } = prepare(temporaryFolder());
    plant(kept);
    open?.();
    expect(run(env)).toEqual(version);
  });

  it.each<[string, readonly string[], string]>([
    ['text', ['--version'], ''],
    ['JSON', ['upgrade-check', '--json'], '{"safe":false,"error":{"code":"usage","message":"'],
  ])('in NODE_COMPILE_CACHE, which Node reads before the program starts (%s)', (_, argv, line) => {
    const folder = temporaryFolder();
    plant(folder);
    chmodSync(folder, 0o777);
    const { status, stdout, stderr } = run({ NODE_COMPILE_CACHE: folder }, [...argv]);
    if (!nodeKeeps) return expect(stdout).not.toContain('planted');
    expect({ status, stdout: stdout.slice(0, line.length) }).toEqual({ status: 2, stdout: line });
    expect(stdout).toMatch(line === '' ? /^$/ : /^.*NODE_COMPILE_CACHE.*\n$/);
    // Node names a folder in it, that of its own version.
    expect(stderr.replace(/(?<=\/folder-\w+)\/v[^,/]+(?=,)/, '')).toBe(
      `lightspan: NODE_COMPILE_CACHE has Node run compiled code from ${folder}, which other users may write: whoever does runs code as you\nUnset NODE_COMPILE_CACHE, or let it name a folder that nobody but you can write.\n`,
    );
  });

  it('NODE_COMPILE_CACHE in a folder of our own is left as it is', () => {
    const [own, cache] = [temporaryFolder(), temporaryFolder()];
    expect(run({ NODE_COMPILE_CACHE: own, LIGHTSPAN_CACHE_DIR: cache })).toEqual(version);
    if (nodeKeeps) expect(readdirSync(cache)).toEqual([]);
  });
});

describe('a folder is our own', () => {
  const self = process.getuid?.() ?? 0;
  const folderOf = (...modes: readonly number[]) =>
    modes.reduce((parent, mode, depth) => {
      const folder = join(parent, `${depth}`);
      mkdirSync(folder);
      chmodSync(folder, mode);
      return folder;
    }, temporaryFolder());

  it.each<[string, readonly number[], boolean]>([
    ['as mkdtemp makes it', [0o700], true],
    ['below one that others may read', [0o755, 0o700], true],
    ['below a sticky one', [0o1777, 0o700], true],
    ['that others may read', [0o755], false],
    ['that its group may read', [0o750], false],
    ['that others may write', [0o702], false],
    ['sticky, and open to all', [0o1777], false],
    ['below one that others may write', [0o777, 0o700], false],
    ['far below one that its group may write', [0o770, 0o700, 0o700], false],
  ])('%s', (_, modes, own) => {
    expect(makeOwn(folderOf(...modes), self)).toBe(own);
  });

  it('only where its owner is', () => {
    const folder = folderOf(0o700);
    expect(makeOwn(folder, self + 1)).toBe(false);
    expect(isOnlyWritableBy(self + 1, folder)).toBe(self === 0);
  });

  it.each<[string, readonly number[], boolean]>([
    ['that others may read is nobody else’s to write', [0o755], true],
    ['that is sticky takes the files of all', [0o1777], false],
  ])('one %s', (_, modes, alone) => {
    expect(isOnlyWritableBy(self, folderOf(...modes))).toBe(alone);
  });

  it('is judged by where a link leads, and is not where there is none', () => {
    const folder = folderOf(0o777, 0o700);
    const link = join(temporaryFolder(), 'link');
    symlinkSync(folder, link);
    expect(isOnlyWritableBy(self, link)).toBe(false);
    expect(isOnlyWritableBy(self, join(folder, 'missing'))).toBe(false);
    expect(makeOwn(join(folderOf(0o500), 'a file', '\0'), self)).toBe(false);
  });
});
