import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import packageLock from '../package-lock.json' with { type: 'json' };
import { compiledAtOnce } from '../scripts/compiled-at-once.js';
import { dependenciesPage } from '../scripts/dependencies-page.js';
import { temporaryFolder } from './support/temporary-folder.js';

const { components }: { components: { name: string; version: string; 'bom-ref': string }[] } = JSON.parse(
  readFileSync('dist/sbom.cdx.json', 'utf8'),
);

function filesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

describe('dependencies', () => {
  it('run no script when they are installed', () => {
    const packages: Record<string, { version?: string; hasInstallScript?: boolean }> = packageLock.packages;
    expect(components.length).toBeGreaterThan(0);
    for (const { name, version } of components) {
      const found = packages[`node_modules/${name}`];
      expect(found?.version, name).toBe(version);
      expect(found?.hasInstallScript ?? false, name).toBe(false);
    }
  });

  it('are those of docs/dependencies.md', () => {
    expect(readFileSync('docs/dependencies.md', 'utf8')).toBe(dependenciesPage());
  });
});

describe('the build', () => {
  it('ships the licence of every package that is in the program', () => {
    const licences = readFileSync('dist/THIRD-PARTY-LICENSES.txt', 'utf8');
    for (const name of ['commander', 'undici', 'zod']) {
      expect(licences).toContain(readFileSync(`node_modules/${name}/LICENSE`, 'utf8').trim());
    }
    const bundled = [...licences.matchAll(/^(\S+) \d+\.\d+\.\d+ \(/gm)].map(([, name]) => name);
    expect(components.map(({ name }) => name)).toEqual(expect.arrayContaining(bundled));
  });

  it('gives the same bytes twice, and never takes away the program that is there', async () => {
    const folder = temporaryFolder();
    const program = join(folder, 'program');
    mkdirSync(program);
    for (const file of ['main.cjs', 'stale.cjs']) writeFileSync(join(program, file), '');
    const building = spawn(process.execPath, ['scripts/bundle.js', folder], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    let isGone = false;
    const watch = setInterval(() => {
      isGone ||= !existsSync(join(program, 'main.cjs'));
    }, 1);
    const [code] = await once(building, 'close');
    clearInterval(watch);
    expect({ code, isGone }).toEqual({ code: 0, isGone: false });
    const digests = (dist: string, files: readonly string[]) =>
      files.map((file) => [
        file,
        createHash('sha256')
          .update(readFileSync(join(dist, file)))
          .digest('hex'),
      ]);
    const files = filesOf(folder).map((file) => file.slice(folder.length + 1));
    expect(files.filter((file) => file.startsWith('program')).length).toBeGreaterThan(1);
    expect(files).not.toContain(join('program', 'stale.cjs'));
    expect(digests(folder, files)).toEqual(digests('dist', files));
  });

  it('gives them on a slow machine too: what waits for a timer was not run', async () => {
    const text =
      'exports.main=()=>{let ticks=0;const timer=setInterval(()=>{ticks+=1},1);const end=Date.now()+50;' +
      'const wait=()=>{Date.now()<end?setImmediate(wait):clearInterval(timer)};wait()};';
    const compiled = await compiledAtOnce('/slow.cjs', [{ path: '/slow.cjs', text }], [[]]);
    expect(compiled).toContain('setInterval(()=>{ticks+=1},1)');
    expect(compiled).toContain('wait=(()=>{');
  });
});
