import { spawnSync } from 'node:child_process';
import { copyFileSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { buildSync } from 'esbuild';
import { expect, it } from 'vitest';
import { whereOptionsAre } from '../scripts/options.js';
import { parts } from '../scripts/parts.js';
import { indexOf, realIndexJson } from './support/real-index.js';
import { temporaryFolder } from './support/temporary-folder.js';

const sources = readdirSync('src', { recursive: true, encoding: 'utf8' });
const files = sources.filter((file) => file.endsWith('.ts'));

/** `upgrade-check --json --index <file>`, as Node loads the source. */
it('answers a check of a file with few modules', () => {
  const folder = temporaryFolder();
  const built = join(folder, 'src');
  buildSync({
    entryPoints: files.map((file) => join('src', file)),
    ...{ outdir: built, outbase: 'src', format: 'cjs', platform: 'node' },
    supported: { 'dynamic-import': false },
  });
  for (const file of sources.filter((one) => one.endsWith('.json'))) {
    copyFileSync(join('src', file), join(built, file));
  }
  writeFileSync(join(built, 'package.json'), '{"type": "commonjs"}');
  copyFileSync('package.json', join(folder, 'package.json'));
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
  const index = join(folder, 'index.json');
  const generatedAt = new Date().toISOString();
  writeFileSync(
    index,
    JSON.stringify({ ...indexOf({ version: '1.0.0' }, { version: '1.1.0' }), generatedAt }),
  );
  const argv = ['upgrade-check', '--json', '--from', '1.0.0', '--to', '1.1.0', '--index', index];
  const loaded = (part: string) => {
    const program = `
      require(${JSON.stringify(join(built, 'launch', part))}).main(${JSON.stringify(argv)});
      process.on('exit', () => console.error(JSON.stringify(Object.keys(require.cache))));`;
    const { status, stdout, stderr } = spawnSync(process.execPath, ['-e', program], { encoding: 'utf8' });
    expect({ status, stdout }).toEqual({ status: 0, stdout: expect.stringContaining('"safe":true') });
    const files: readonly string[] = JSON.parse(stderr);
    return files.filter((file) => file.startsWith(built) && file.endsWith('.js'));
  };
  const [whole, plain] = [loaded('main.js'), loaded('plain.js')];
  expect(whole.length, whole.join('\n')).toBeLessThanOrEqual(70);
  expect(plain.length, plain.join('\n')).toBeLessThanOrEqual(63);
});

it('keeps small what a plain check loads', () => {
  expect(statSync('dist/program/plain.cjs').size).toBeLessThanOrEqual(155_500);
});

it('packs the words of no schema in a language that nobody asks for', () => {
  for (const file of ['program/main.cjs', 'action/index.cjs']) {
    // Hebrew, as esbuild writes it.
    expect(readFileSync(join('dist', file), 'utf8'), file).not.toMatch(/\\u05D0/i);
  }
});

/** As packed: the files of ours, and what of Node itself is loaded beside the modules that every program has. */
it('loads three files for a plain check, and of Node no more than what keeps them compiled', () => {
  const folder = temporaryFolder();
  const index = join(folder, 'index.json');
  writeFileSync(index, JSON.stringify(realIndexJson()));
  const watcher = join(folder, 'watcher.cjs');
  writeFileSync(
    watcher,
    `process.on('exit', () => require('node:fs').writeFileSync(${JSON.stringify(join(folder, 'loaded'))}, JSON.stringify({
      files: Object.keys(require.cache), ofNode: process.moduleLoadList })));`,
  );
  const empty = join(folder, 'empty.cjs');
  writeFileSync(empty, '');
  const loadedBy = (...argv: readonly string[]): Record<'files' | 'ofNode', readonly string[]> => {
    const env = { ...process.env, GITHUB_ACTIONS: '', LIGHTSPAN_CACHE_DIR: join(folder, 'cache') };
    spawnSync(process.execPath, ['--require', watcher, ...argv], { cwd: folder, env });
    return JSON.parse(readFileSync(join(folder, 'loaded'), 'utf8'));
  };
  const check = ['upgrade-check', '--from', '1.121.0', '--to', '1.156.0', '--index', index, '--json'];
  const [usual, plain] = [loadedBy(empty), loadedBy(resolve('bin/lightspan.cjs'), ...check)];
  const ours = plain.files.filter((file) => file !== watcher).map((file) => basename(file));
  expect(ours).toEqual(['lightspan.cjs', 'start.cjs', 'plain.cjs']);
  const ofNode = plain.ofNode.filter((name) => !usual.ofNode.includes(name) && !/internal/i.test(name));
  expect(ofNode).toEqual(['NativeModule module']);
});

/** What a person types: npm runs those that begin with `pre` by itself. */
const scripts: readonly string[] = Object.keys(
  JSON.parse(readFileSync('package.json', 'utf8')).scripts,
).filter((name) => !name.startsWith('pre'));

it('has at most twelve scripts of npm that a person types', () => {
  expect(scripts.length).toBeLessThanOrEqual(12);
});

it('names only scripts of npm, and parts of them, that are there', () => {
  const folders = [
    '.',
    '.ci',
    '.github',
    '.github/workflows',
    'bench',
    'docs',
    'docs/prose',
    'scripts',
    'test',
  ];
  const texts = folders.flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => /^run$|^Dockerfile$|\.(?:md|yml|ts|js)$/.test(name) && name !== 'CHANGELOG.md')
      .map((name) => readFileSync(join(folder, name), 'utf8')),
  );
  const named = texts.flatMap((text) => [
    ...text.matchAll(/\bnpm run (?:--silent )?([a-z][\w:-]*)(?: -- ([a-z][\w-]*))?/g),
  ]);
  expect(named.length).toBeGreaterThan(50);
  const partsOf = new Map(Object.entries(parts).map(([script, known]) => [script, Object.keys(known)]));
  const unknown = named
    .filter(([, script = '', part]) => {
      const known = partsOf.get(script);
      return (
        !scripts.includes(script) || (part !== undefined && known !== undefined && !known.includes(part))
      );
    })
    .map(([command]) => command);
  expect(unknown).toEqual([]);
});

it('runs the part that is named, with the words after it, and refuses any other', () => {
  const run = (...args: readonly string[]) =>
    spawnSync(process.execPath, ['scripts/parts.js', ...args], { encoding: 'utf8' });
  expect(run('generate', 'nothing')).toMatchObject({ status: 2, stderr: expect.stringContaining('docs') });
  expect(run('constructor').status).toBe(2);
  expect(run('build', 'toString').status).toBe(2);
});

it('every option is declared and read in the door, and one that a file shares is translated beside it', () => {
  const options = whereOptionsAre();
  expect(options.length).toBeGreaterThan(100);
  expect(options.filter(({ read }) => read.length === 0).map(({ flag }) => flag)).toEqual([]);
  const filesOf = (places: readonly { readonly file: string }[]) =>
    new Set(places.map(({ file }) => file)).size;
  const often = options.filter(({ declared, read }) => filesOf(read) > filesOf(declared) + 1);
  expect(often.map(({ flag }) => flag)).toEqual([]);
});
