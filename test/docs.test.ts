import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { documentation, keptFolder } from '../scripts/docs/pages.js';

const pages = await documentation();
const files = readdirSync('docs', { recursive: true, encoding: 'utf8' })
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => statSync(join('docs', path)).isFile());

describe('docs/', () => {
  it('holds what `npm run docs` writes, and nothing else beside its prose', () => {
    const generated = files.filter((path) => !path.startsWith(`${keptFolder}/`));
    expect(generated.sort()).toEqual(Object.keys(pages).sort());
    for (const path of generated) {
      expect(readFileSync(join('docs', path), 'utf8'), `${path} is stale: run npm run docs`).toBe(
        pages[path],
      );
    }
  });

  it('shows every piece of prose', () => {
    const shown = Object.keys(pages).map((path) => path.replace(/^commands\//, ''));
    const prose = files.filter((path) => path.startsWith(`${keptFolder}/`));
    expect(shown).toEqual(expect.arrayContaining(prose.map((path) => path.slice(keptFolder.length + 1))));
  });

  const links = Object.entries(pages).flatMap(([path, text]) =>
    [...text.matchAll(/\]\(([^)]+)\)/g)].map(([, link = '']) => ({ path, link })),
  );
  it.each(links.filter(({ link }) => !/^[a-z]+:/.test(link)))('$path: $link is there', ({ path, link }) => {
    expect(existsSync(join('docs', dirname(path), link))).toBe(true);
  });

  const pictures = Object.entries(pages).filter(([path]) => path.endsWith('.svg'));
  it.each(pictures)('%s says in words what it shows', (_path, svg) => {
    expect(svg).toMatch(/<title>[^<]{20,}<\/title>/);
  });
});
