import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isBuilt, markBuilt, unmarkBuilt } from '../scripts/built-from.js';
import { temporaryFolder } from './support/temporary-folder.js';

/** Tests run the program in dist/ without building it again only if it is that of the source under test. */

function built() {
  const root = temporaryFolder();
  const dist = join(root, 'dist');
  const write = (file: string) => writeFileSync(join(root, file), file);
  for (const folder of ['src/core', 'scripts', 'dist/program'])
    mkdirSync(join(root, folder), { recursive: true });
  for (const file of ['src/core/span.ts', 'scripts/bundle.js', 'package.json', 'dist/program/main.cjs'])
    write(file);
  for (const file of ['dist/THIRD-PARTY-LICENSES.txt', 'dist/sbom.cdx.json']) write(file);
  markBuilt(dist, root);
  return { root, dist, at: (file: string) => join(root, file) };
}

it('is built until something changes', () => {
  const { root, dist, at } = built();
  expect(isBuilt(dist, root)).toBe(true);
  // What others build, and what nothing is built from.
  for (const file of ['dist/program/main.d.ts', 'README.md']) writeFileSync(at(file), '');
  expect(isBuilt(dist, root)).toBe(true);
});

it.each<[string, (at: (file: string) => string) => void]>([
  ['a source file has changed', (at) => writeFileSync(at('src/core/span.ts'), '')],
  ['a source file is new', (at) => writeFileSync(at('src/core/new.ts'), '')],
  ['a source file is gone', (at) => rmSync(at('src/core/span.ts'))],
  ['the way it is built has changed', (at) => writeFileSync(at('scripts/bundle.js'), '')],
  ['other packages are installed', (at) => writeFileSync(at('package-lock.json'), '{}')],
  ['a built file has changed', (at) => writeFileSync(at('dist/program/main.cjs'), '')],
  ['a built file is gone', (at) => rmSync(at('dist/program/main.cjs'))],
  ['a file is there that was not built', (at) => writeFileSync(at('dist/program/stale.cjs'), '')],
  ['a build has begun', (at) => unmarkBuilt(at('dist'))],
  ['nothing was ever built', (at) => rmSync(at('dist'), { recursive: true })],
])('is not built where %s', (_, change) => {
  const { root, dist, at } = built();
  change(at);
  expect(isBuilt(dist, root)).toBe(false);
});

describe('a package', () => {
  const packed = () => {
    const { root, dist, at } = built();
    mkdirSync(at('dist/man'));
    for (const file of ['dist/program/main.d.ts', 'dist/man/lightspan.1']) writeFileSync(at(file), file);
    markBuilt(dist, root, 'all');
    return { root, dist, at };
  };

  it('is built with its types and man pages, until something changes', () => {
    const { root, dist } = packed();
    expect(isBuilt(dist, root, 'all')).toBe(true);
  });

  it.each<[string, (at: (file: string) => string) => void]>([
    ['a source file has changed', (at) => writeFileSync(at('src/core/span.ts'), '')],
    ['types are others', (at) => writeFileSync(at('dist/program/main.d.ts'), '')],
    ['a man page is gone', (at) => rmSync(at('dist/man/lightspan.1'))],
    ['a man page is there that was not built', (at) => writeFileSync(at('dist/man/stale.1'), '')],
    ['the bundles are built anew', (at) => unmarkBuilt(at('dist'))],
  ])('is not built where %s', (_, change) => {
    const { root, dist, at } = packed();
    change(at);
    expect(isBuilt(dist, root, 'all')).toBe(false);
  });

  it('is not built where the bundles alone are', () => {
    const { root, dist } = built();
    expect(isBuilt(dist, root, 'all')).toBe(false);
  });
});
