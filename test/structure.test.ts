import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';

/** The rooms of the house, from the door down: each may import those below it, as far as they are named. */
const mayImport: Record<string, readonly string[]> = wordsOf({
  launch: 'commands app door question answer gather core',
  commands: 'app door question answer steps pins gather merge checks words known-issues instance core',
  library: 'gather/api merge checks known-issues instance core',
  app: 'door question answer steps pins rehearsal gather merge checks words known-issues instance core',
  door: 'question answer gather merge checks words instance core',
  question: 'instance core',
  answer: 'steps merge checks words known-issues instance core',
  steps: 'words instance core',
  pins: 'gather/files gather/loose instance core',
  rehearsal: 'gather question words core',
  // What one instance shows; what anybody can read; and below both, how anything is read.
  'gather/database': 'gather/loose gather/files question instance core',
  'gather/deployment': 'gather/loose gather/files question instance core',
  'gather/loose': 'gather/files gather/http question merge instance core',
  'gather/api': 'gather/http gather/loose merge core',
  'gather/publisher': 'gather/http gather/files gather/loose merge known-issues instance core',
  'gather/registry': 'gather/http gather/files gather/loose core',
  'gather/http': 'gather/files gather/loose core',
  'gather/files': 'gather/http gather/loose merge instance core',
  merge: 'core',
  checks: 'words instance core',
  words: 'merge known-issues instance core',
  'known-issues': 'instance core',
  instance: 'core',
  core: '',
});

function wordsOf(table: Readonly<Record<string, string>>): Record<string, readonly string[]> {
  return Object.fromEntries(Object.entries(table).map(([part, words]) => [part, words.match(/\S+/g) ?? []]));
}

/** What the core may use of Node and of packages: nothing that does I/O, tells the time or knows the process. */
const corePackages = [
  'zod/mini',
  'fastest-levenshtein',
  'lossless-json',
  'semver/functions/lt.js',
  'semver/functions/parse.js',
];

const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((file) =>
  file.endsWith('.ts'),
);

function importsOf(file: string): string[] {
  const source = readFileSync(join('src', file), 'utf8');
  return [...source.matchAll(/(?:\bfrom\s+|\bimport\s*\(?\s*)'([^']+)'/g)].map(
    ([, specifier]) => specifier ?? '',
  );
}

/** What is loaded with a file: neither types nor what it loads when it is asked for. */
function loadedBy(file: string): string[] {
  const code = readFileSync(join('src', file), 'utf8').replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
  const specifiers = [...code.matchAll(/^(?:import|export)\s+(?!type\b)(?:[^;]*?\bfrom\s+)?'([^']+)'/gm)];
  return specifiers.map(([, specifier = '']) =>
    specifier.startsWith('.') ? join(dirname(file), specifier).replace(/\.js$/, '.ts') : specifier,
  );
}

// What gathers is several rooms in one: each knows those that it reads by.
const partOf = (path: string) => {
  const [room = '', below = '', ...rest] = path.split('/');
  return room === 'gather' ? `${room}/${rest.length > 0 ? below : 'loose'}` : room;
};

/** Each file that leads back to itself: types, and what is imported lazily, count too. */
function filesInCircles(): string[] {
  const targets = new Map(
    files.map((file) => [
      file,
      importsOf(file)
        .filter((specifier) => specifier.startsWith('.'))
        .map((specifier) => join(dirname(file), specifier).replace(/\.js$/, '.ts')),
    ]),
  );
  const reachable = (from: string) => {
    const found = new Set<string>();
    const visit = (file: string) => {
      for (const target of targets.get(file) ?? []) {
        if (found.has(target)) continue;
        found.add(target);
        visit(target);
      }
    };
    visit(from);
    return found;
  };
  return files.filter((file) => reachable(file).has(file));
}

describe('the house', () => {
  it('has no circle of imports', () => {
    expect(filesInCircles()).toEqual([]);
  });

  it.each(files)('%s imports only what its folder may', (file) => {
    const allowed = mayImport[partOf(file)];
    expect(allowed, `${partOf(file)} has no rule`).toBeDefined();
    for (const specifier of importsOf(file).filter((specifier) => specifier.startsWith('.'))) {
      const target = partOf(relative('src', join('src', dirname(file), specifier)).replace(/\.js$/, '.ts'));
      if (target === partOf(file) || target === '..') continue;
      const [room = ''] = target.split('/');
      expect(allowed?.includes(target) || allowed?.includes(room), `${file} imports ${specifier}`).toBe(true);
    }
  });

  it('has at most 15 files loose in a folder, but for those that are a list: a file a check, and a command', () => {
    const lists = ['commands', 'checks/database', 'checks/deployment'];
    const counts = new Map<string, number>();
    for (const file of files) counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1);
    const full = [...counts].filter(([folder, count]) => count > 15 && !lists.includes(folder));
    expect(full).toEqual([]);
  });

  it.each(files.filter((file) => file.startsWith('answer/json/')))('%s takes no text of a format', (file) => {
    expect(importsOf(file).filter((specifier) => specifier.includes('/outputs/'))).toEqual([]);
  });

  it.each(
    files.filter((file) => /^(core|merge|known-issues|instance|words|checks|steps|question)\//.test(file)),
  )('%s is pure', (file) => {
    const packages = importsOf(file).filter((specifier) => !specifier.startsWith('.'));
    expect(corePackages).toEqual(expect.arrayContaining(packages));
    const code = readFileSync(join('src', file), 'utf8').replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*/g, '');
    expect(code).not.toMatch(
      /\bprocess\b|\bconsole\b|\bfetch\b|Date\.now|new Date\(\)|Math\.random|Buffer\b/,
    );
  });
});

// `satisfies(version, '')` is true, `coerce('postgres:16')` a version, and ranges leave out pre-releases: they fail open.
it('takes of semver what reads and compares strictly', () => {
  const taken = files.flatMap(importsOf).filter((specifier) => specifier.startsWith('semver'));
  expect(new Set(taken)).toEqual(new Set(['semver/functions/lt.js', 'semver/functions/parse.js']));
});

describe('options end at the door', () => {
  const isOfDoor = (file: string) => /^(launch|door|commands)\//.test(file);
  const declaring = /(?:^commander$|\/door\/(?:options\/[\w-]+|declare|readers|questions)\.js$)/;
  const knowing = files.filter(
    (file) => !isOfDoor(file) && importsOf(file).some((specifier) => declaring.test(specifier)),
  );

  it('and nothing below it knows them', () => {
    expect(knowing).toEqual([]);
  });

  it('and no part of them is a type of its own', () => {
    const parts = files.filter(
      (file) =>
        /^(launch|door|commands|app|question)\//.test(file) &&
        /\b(?:Pick|Omit)<\s*(?:OptionsOf\b|\w*Options\b)/.test(readFileSync(join('src', file), 'utf8')),
    );
    expect(parts).toEqual([]);
  });

  // `format` is declared with the choices of its command, and `facts` and others with the words of theirs.
  it('and no type copies them by hand', () => {
    const declared = new Set(
      files.flatMap((file) =>
        [...readFileSync(join('src', file), 'utf8').matchAll(/flags: '--(?:no-)?([a-z-]+)/g)].map(
          ([, flag = '']) => flag.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase()),
        ),
      ),
    );
    expect(declared.size).toBeGreaterThan(80);
    const isOption = ([, name = '']: RegExpMatchArray) => declared.has(name);
    const copies = files
      .filter((file) => /^(?:door|commands)\//.test(file))
      .flatMap((file) =>
        [...readFileSync(join('src', file), 'utf8').matchAll(/\{[^{}]*\}/g)]
          .map(([type]) => [...type.matchAll(/(\w+)\?: /g)].filter(isOption).map(([, name]) => name))
          .filter((names) => names.length > 1)
          .map((names) => `${file}: ${names.join(', ')}`),
      );
    expect(copies.toSorted()).toEqual([
      'door/options/deployment-options.ts: facts, factsOut',
      'door/options/evidence-options.ts: facts, verifyArtifacts, failOn',
      'door/options/options.ts: json, format',
      'door/readers.ts: json, format',
      'door/readers.ts: json, format',
    ]);
  });

  it('and few read the words of a command line: which program, help, completion, the plain check', () => {
    const reading = files.filter(
      (file) => !file.startsWith('launch/') && /\bargv\b/.test(readFileSync(join('src', file), 'utf8')),
    );
    const door = [
      ...['door/declare.ts', 'door/invocation.ts', 'door/operands.ts', 'door/users-words.ts'],
      'commands/program.ts',
    ];
    expect(door).toEqual(expect.arrayContaining(reading));
  });
});

describe('the page', () => {
  it.each(readdirSync('page').filter((file) => file.endsWith('.ts')))(
    '%s takes from the program only what does no I/O, and makes no markup of text',
    (file) => {
      const source = readFileSync(join('page', file), 'utf8');
      const targets = [...source.matchAll(/from '\.\.\/src\/([^']+)\.js'/g)].map(([, path = '']) => path);
      const pure = /^(core|known-issues|instance|words|checks|steps|answer)\//;
      const others = targets.filter((path) => !pure.test(path));
      expect(['gather/limits', 'gather/publisher/index-age', 'gather/publisher/publisher-urls']).toEqual(
        expect.arrayContaining(others),
      );
      expect(source).not.toMatch(/innerHTML|outerHTML|insertAdjacent|document\.write|\beval\b|new Function/);
    },
  );
});

/** Where results are declared, in zod: types and JSON Schemas are made of them. */
const declarations = [
  'core/results.ts',
  'instance/instance-state.ts',
  ...files.filter((file) => /^(answer\/json|steps)\/.*-schemas?\.ts$/.test(file)),
];

describe('the declaration of a result', () => {
  it('is there', () => {
    expect(files).toEqual(expect.arrayContaining(declarations));
  });

  it.each(files.filter((file) => !declarations.includes(file)))('is a type alone to %s', (file) => {
    for (const loaded of loadedBy(file)) expect(declarations).not.toContain(loaded);
  });

  it.each([
    'launch/main.ts',
    ...['upgrade-check', 'upgrade-plan', 'upgrade-bump', 'upgrade-verify', 'index-status'].map(
      (command) => `commands/${command}.ts`,
    ),
  ])('does not make %s load zod, which takes longer than the answer', (file) => {
    const loaded = new Set([file]);
    for (const one of loaded) if (one.endsWith('.ts')) for (const next of loadedBy(one)) loaded.add(next);
    expect(loaded.size).toBeGreaterThan(10);
    expect([...loaded].filter((one) => one.startsWith('zod'))).toEqual([]);
  });
});

describe('CONTRIBUTING.md', () => {
  const sections = readFileSync('CONTRIBUTING.md', 'utf8').split(/^## /m);
  const section = (title: string) => sections.find((text) => text.startsWith(`${title}\n`)) ?? '';
  const placesIn = (text: string) =>
    [...text.matchAll(/`((?:src|docs|known-issues)\/[^`\s]*)`/g)].map(([, path]) => path);
  const walks = section('Walks')
    .split(/\n\n/)
    .filter((text) => text.startsWith('**'));
  const rows = section('Where would I change X?')
    .split('\n')
    .filter((line) => /^\| (?!X |---)/.test(line));

  it('can be read in a sitting', () => {
    expect(sections.join(' ').trim().split(/\s+/).length).toBeLessThanOrEqual(2500);
  });

  const named = sections.flatMap((text) =>
    [...text.matchAll(/`([\w.-]+\/[\w./-]+\.(?:ts|js|md|css|yaml|yml))`/g)].map(([, path = '']) => path),
  );
  it.each([...new Set(named)])('names %s, which is there, from the root or from src/', (path) => {
    expect([path, join('src', path)].filter((place) => existsSync(place))).not.toEqual([]);
  });

  it('has five walks of at most seven files', () => {
    expect(walks).toHaveLength(5);
    expect(walks.filter((walk) => new Set(placesIn(walk)).size > 7)).toEqual([]);
  });

  it.each([
    ...[
      'user agent',
      'time limit, its default',
      'counts as Lightdash',
      'format',
      'not judged',
      'the API',
      'option',
    ],
    ...[
      'sentence',
      'query',
      'check',
      'exit code',
      'command that a plan prints',
      'known issue',
      'JSON',
      'page',
      'pin',
    ],
  ])('says of the %s where it is changed', (thing) => {
    const row = rows.find((row) => row.split('|')[1]?.includes(thing)) ?? '';
    expect(placesIn(row)).not.toEqual([]);
  });

  it.each([...new Set([...walks, ...rows].flatMap(placesIn))])('names %s, which exists', (path) => {
    expect(existsSync(path ?? '')).toBe(true);
  });
});
