import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
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

/** The names in `export { … }`, of types too, as they are declared; not those of `export *`. */
function exportedBy(source: string): readonly string[] {
  return [...source.matchAll(/^export (?:type )?\{([^}]+)\}/gm)].flatMap(([, list = '']) =>
    list.split(',').flatMap((part) => /^\s*(?:type )?(\w+)/.exec(part)?.[1] ?? []),
  );
}

describe('the library', () => {
  const ofLibrary = readdirSync('src/library').map((file) => readFileSync(`src/library/${file}`, 'utf8'));
  const sources = readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => readFileSync(`src/${file}`, 'utf8'));

  it('says of every export what it is: an editor shows that, and no page repeats it', () => {
    const names = new Set(ofLibrary.flatMap(exportedBy));
    expect(names.size).toBeGreaterThan(100);
    const declaration = (name: string) =>
      new RegExp(`\\*/\nexport (?:async )?(?:function|const|interface|type|class) ${name}\\b`);
    const silent = [...names].filter((name) => !sources.some((source) => declaration(name).test(source)));
    expect(silent).toEqual([]);
  });
});

describe('links', () => {
  const folders = ['docs', 'examples', 'findings', 'bench', 'scripts', 'test'];
  const under = (folder: string) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) => join(folder, path));
  const texts = new Map(
    [...readdirSync('.'), ...folders.flatMap(under)]
      .map((path) => path.replaceAll('\\', '/'))
      .filter((path) => path.endsWith('.md') && !path.startsWith(`docs/${keptFolder}/`))
      .map((path) => [path, readFileSync(path, 'utf8').replaceAll(/^```[\s\S]*?^```$/gm, '')]),
  );
  /** As GitHub makes the name of a heading. */
  const anchorsIn = (text: string) =>
    [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
      heading
        .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
        .toLowerCase()
        .replaceAll(/[^\w\- ]/g, '')
        .replaceAll(' ', '-'),
    );

  it.each([...texts.keys()])('of %s lead to files and headings that are there', (path) => {
    const links = [...(texts.get(path) ?? '').matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link);
    const broken = links.filter((link) => {
      if (/^[a-z]+:/.test(link)) return false;
      const [file = '', anchor] = link.split('#');
      const target = file === '' ? path : join(dirname(path), file);
      const text = texts.get(target.replaceAll('\\', '/'));
      return (
        !existsSync(target) ||
        (anchor !== undefined && text !== undefined && !anchorsIn(text).includes(anchor))
      );
    });
    expect(broken).toEqual([]);
  });
});

describe('command lines', () => {
  const everyCommand = ['--help', '--all', '--debug'];
  it('of the pages have only flags that their commands take', async () => {
    const flags = new Map(
      (await declaredCommands()).flatMap(({ name, command }) => {
        const own = command.options.map(({ long }) => long ?? '');
        return [name, ...command.aliases()].map((one) => [one, [...everyCommand, ...own]] as const);
      }),
    );
    const shown = ['README.md', 'SKILL.md', 'CONTRIBUTING.md', 'examples/README.md']
      .map((path) => readFileSync(path, 'utf8'))
      .concat(Object.values(pages))
      .flatMap((text) => [
        ...text.replaceAll('\\\n', ' ').matchAll(/(?<=^|`|\$ |\| )lightspan [a-z-]+[^\n`|;]*/gm),
      ])
      .map(([line]) => line);
    const unknown = shown.flatMap((line) => {
      const [, first = '', second = ''] = line.split(' ');
      const known = flags.get(`${first} ${second}`) ?? flags.get(first) ?? [];
      const given = [...line.matchAll(/(?<=\s)--[a-z][a-z-]*/g)].map(([flag]) => flag);
      return known.length === 0
        ? []
        : given.filter((flag) => !known.includes(flag)).map((flag) => ({ line, flag }));
    });
    expect(shown.filter((line) => line.includes(' --')).length).toBeGreaterThan(120);
    expect(unknown).toEqual([]);
  });
});

describe('CHANGELOG.md', () => {
  const [, newest = ''] = readFileSync('CHANGELOG.md', 'utf8').split(/^## /m);
  const headings = newest.match(/^### .+$/gm) ?? [];

  it('says in at most 3,000 words what the newest release brings', () => {
    expect(newest.trim().split(/\s+/).length).toBeLessThanOrEqual(3000);
  });

  it('begins with what breaks, and has each heading once', () => {
    expect(headings.findIndex((heading) => /breaking/i.test(heading))).toBeLessThanOrEqual(0);
    expect(headings).toEqual([...new Set(headings)]);
  });
});

describe('docs/', () => {
  it('holds what `npm run generate -- docs` writes', () => {
    for (const [path, text] of Object.entries(pages)) {
      const committed = files.includes(path) ? readFileSync(join('docs', path), 'utf8') : undefined;
      expect(committed, `docs/${path} is stale: run npm run generate -- docs`).toBe(text);
    }
  });

  it('says of the gate what it guarantees first, in two sentences, and all of it before its options in 120 lines', () => {
    const [, ...lines] = (pages['commands/pin-check.md'] ?? '').split('\n');
    const [, guarantee = ''] = lines.join('\n').trim().split('\n\n');
    expect(guarantee).toMatch(/^\*\*The guarantee:\*\* [^.]+\. [^.]+\.$/);
    expect(lines.indexOf('## Options')).toBeGreaterThan(0);
    expect(lines.indexOf('## Options')).toBeLessThanOrEqual(120);
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
