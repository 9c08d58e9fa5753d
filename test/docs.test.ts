import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import packageJson from '../package.json' with { type: 'json' };
import { manPage } from '../scripts/docs/man-page.js';
import { documentation, keptFolder } from '../scripts/docs/pages.js';
import { schemasOf } from '../scripts/json-schemas.js';
import { runCli } from './support/cli.js';
import { declaredCommands } from './support/declarations.js';
import { validatorOf } from './support/json-schema.js';
import { realIndexFile } from './support/real-index.js';
import { closedPort } from './support/server.js';

const pages = await documentation();
const writesJson = (await declaredCommands()).filter(({ command }) =>
  command.options.some(({ long }) => long === '--json'),
);

const files = readdirSync('docs', { recursive: true, encoding: 'utf8' })
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => statSync(join('docs', path)).isFile());

/** The names in `export { … }`, of types too; not those of `export *`. */
function exportedBy(source: string): readonly string[] {
  return [...source.matchAll(/^export (?:type )?\{([^}]+)\}/gm)].flatMap(([, list = '']) =>
    list.split(',').flatMap((part) => /(\w+)\s*$/.exec(part)?.[1] ?? []),
  );
}

describe('docs/', () => {
  it('holds what `npm run docs` writes', () => {
    for (const [path, text] of Object.entries(pages)) {
      const committed = files.includes(path) ? readFileSync(join('docs', path), 'utf8') : undefined;
      expect(committed, `docs/${path} is stale: run npm run docs`).toBe(text);
    }
  });

  it('comes with the page of man, which `npm run docs` writes too', async () => {
    const [file = ''] = packageJson.man;
    expect(readFileSync(file, 'utf8')).toBe(manPage(await declaredCommands()));
    expect(packageJson.files).toContain(dirname(file).replace('./', ''));
  });

  it('holds no page and no picture of what is gone', () => {
    const generated = files.filter((path) => /^(commands|images)\//.test(path));
    expect(Object.keys(pages)).toEqual(expect.arrayContaining(generated));
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
    expect(existsSync(join('docs', dirname(path), link.replace(/#.*$/, '')))).toBe(true);
  });

  const shell = Object.entries({ ...pages, '../README.md': readFileSync('README.md', 'utf8') }).flatMap(
    ([path, text]) =>
      [...text.matchAll(/^```(console|sh)\n([\s\S]*?)^```$/gm)].map(([, kind, block = '']) => ({
        path,
        lines: kind === 'sh' ? block : (block.match(/(?<=^\$ ).*$/gm) ?? []).join('\n'),
      })),
  );
  it.each(shell)('$path: $lines can be pasted into zsh, too', ({ lines }) => {
    const unquoted = lines.replaceAll(/'[^']*'|"[^"]*"/g, 'quoted');
    // `a#b` and `=word` are patterns there, or may be; `<word>` reads a file, and writes the next.
    expect(unquoted.match(/\S*\S#\S*|(?<=\s)=\S+|<[a-z]+>/gi)).toBeNull();
  });

  const page = pages['json-output.md'] ?? '';
  it.each(writesJson)('json-output.md names a schema for $name', ({ name }) => {
    const [row = ''] = page.split('\n').filter((line) => line.startsWith(`| [${name}](`));
    expect(row).toMatch(/\(\.\.\/schemas\/[\w-]+\.json\)/);
  });

  const outputs = [...page.matchAll(/^\$ lightspan (.+) --json \| jq\n([^`]+)```$/gm)];
  it.each(outputs.map(([, line = '', output = '']) => ({ line, output })))(
    'json-output.md: what $line writes is what its schema describes',
    ({ line, output }) => {
      const { name = '' } = writesJson.find((command) => line.startsWith(`${command.name} `)) ?? {};
      const shown: unknown = JSON.parse(output);
      expect(schemasOf(name).filter((schema) => validatorOf(schema)(shown))).toHaveLength(1);
    },
  );
  it('json-output.md shows outputs', () => expect(outputs.length).toBeGreaterThanOrEqual(7));

  const reference = pages['library-reference.md'] ?? '';
  const entries = ['merge', 'client', 'index'].map((entry) => ({
    entry,
    specifier: entry === 'index' ? 'lightspan' : `lightspan/${entry}`,
    names: exportedBy(readFileSync(`src/library/${entry}.ts`, 'utf8')),
  }));
  it.each(entries)(
    'library-reference.md has every export of $specifier',
    async ({ entry, specifier, names }) => {
      const [, section = ''] = reference.split(`\n## \`${specifier}\`\n`);
      const [own = ''] = section.split(/^## /m, 1);
      const values = Object.keys(await import(`../src/library/${entry}.ts`));
      for (const name of [...names, ...values])
        expect(own).toMatch(new RegExp(`^###? .*\`${name}\`|^Exported .*\`${name}\``, 'm'));
    },
  );
  it('library-reference.md says of every export what it is, and writes out what has no name', () => {
    const exports = reference.split(/^### /m).slice(1);
    expect(exports.length).toBeGreaterThan(130);
    for (const text of exports) {
      const [, declaration = '', about = ''] = /```ts\n([\s\S]*?)```\n\n(.*)/.exec(text) ?? [];
      expect(about, text).toMatch(/^[A-Z`].+/);
      expect(declaration.replaceAll(/\/\*[\s\S]*?\*\//g, '')).not.toMatch(
        /z\.infer|\$ZodBranded| \d+ more |\b\w+\.[A-Z]/,
      );
    }
  });

  const containerPage = pages['container.md'] ?? '';
  it('container.md: the Job gives lightspan a command line that it takes, without rights', async () => {
    const [, manifest = ''] = /^```yaml\n([^`]+)```$/m.exec(containerPage) ?? [];
    const { spec } = parse(manifest).spec.template;
    expect(spec.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 65532 });
    expect(spec.containers[0].securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
    const instance = `http://127.0.0.1:${await closedPort()}`;
    const argv = spec.containers[0].args.map((arg: unknown) =>
      arg === 'http://lightdash:8080' ? instance : String(arg),
    );
    const { code, stderr } = await runCli([...argv, '--index', realIndexFile]);
    expect({ code, stderr }).toEqual({ code: 3, stderr: expect.stringContaining(instance) });
  });
});
