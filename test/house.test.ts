import { spawnSync } from 'node:child_process';
import { copyFileSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { buildSync } from 'esbuild';
import { expect, it } from 'vitest';
import { indexOf } from './support/real-index.js';
import { temporaryFolder } from './support/temporary-folder.js';

const sources = readdirSync('src', { recursive: true, encoding: 'utf8' });
const files = sources.filter((file) => file.endsWith('.ts'));

/** `upgrade-check --json --index <file>`, as Node loads the source. */
it('answers a check of a file with few modules', { timeout: 60_000 }, () => {
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
  expect(whole.length, whole.join('\n')).toBeLessThanOrEqual(61);
  expect(plain.length, plain.join('\n')).toBeLessThanOrEqual(56);
});

/** 27 KB of it are the records of known issues and the notes. */
it('keeps small what a plain check loads', () => {
  expect(statSync('dist/program/plain.cjs').size).toBeLessThanOrEqual(128.5 * 1024);
});
