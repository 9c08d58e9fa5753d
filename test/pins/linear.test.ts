import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseAst } from 'vitest/node';
import { isRecord } from '../../src/core/json/is-record.js';

const files = [
  'src/core/lightdash-name.ts',
  ...readdirSync('src/pins', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join('src/pins', name)),
];

/** What people repeat in files that people write, and programs in those that they write. */
const seeds = [
  ...[
    'a',
    '1',
    ' ',
    '\t',
    '\n',
    ' \n',
    '.',
    '-',
    '/',
    ':',
    '"',
    "'",
    '`',
    '=',
    '$',
    '{',
    '}',
    '(',
    '[',
    ',',
    '#',
    '<',
    '\\',
    '|',
    '@',
  ],
  ...[
    'a.',
    'a/',
    'a-',
    'a_',
    'a=',
    'a: ',
    'a,',
    'a@',
    '1.',
    '1.2.3',
    '1.2.3 ',
    'v1.',
    '$a',
    '${a}',
    '{{ a }}',
    '{{',
    '"a"',
    '"a",',
  ],
  ...[
    'a b ',
    'a\n',
    '# ',
    '- a\n',
    'name: a ',
    'key ',
    '*a',
    "a['b']",
    '"a" + ',
    'a + ',
    '//a',
    '?ref=',
    'https://',
    'https://a/',
  ],
  ...[
    'lightdash',
    'lightdash ',
    'lightdash:',
    'lightdash/',
    'a/lightdash',
    'lightdash-',
    'LIGHTDASH_',
    'chart: ',
    'image: ',
    'version',
  ],
  ...[
    'tag',
    'helm ',
    'helm upgrade ',
    'docker ',
    'kubectl ',
    '--a ',
    '-f ',
    'jq ',
    'fieldPath: a.',
    'sha256:',
    'values: ',
    'environment: ',
  ],
];

/** The expressions of a file, as they are written. */
function expressionsIn(file: string): readonly RegExp[] {
  const found: RegExp[] = [];
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) for (const one of node) visit(one);
    if (!isRecord(node)) return;
    if (isRecord(node.regex)) found.push(new RegExp(String(node.regex.pattern), String(node.regex.flags)));
    for (const one of Object.values(node)) visit(one);
  };
  visit(parseAst(readFileSync(file, 'utf8'), { lang: 'ts' }));
  return found;
}

/** Milliseconds of this process, in which a text of so many characters is searched from each of its places. */
function timeOf({ source, flags }: RegExp, seed: string, length: number): number {
  const expression = new RegExp(source, flags.includes('y') ? flags : `${flags.replace('g', '')}g`);
  // Nothing matches at its end: then a greedy part is taken back.
  const text = `${seed.repeat(Math.ceil(length / seed.length))}\u0001`;
  const start = process.cpuUsage().user;
  if (flags.includes('y')) expression.exec(text);
  else for (const _ of text.matchAll(expression));
  return (process.cpuUsage().user - start) / 1000;
}

/** A text of somebody else can be of any length: what takes its square never ends. */
describe('an expression that runs on text of a repository takes time in proportion to it', () => {
  it.each(files.filter((file) => expressionsIn(file).length > 0))('%s', (file) => {
    const slow = expressionsIn(file).flatMap((expression) => {
      const isSlow = (seed: string) => {
        if (timeOf(expression, seed, 8_000) < 4) return false;
        const [few, many] = [8_000, 64_000].map((length) =>
          Math.min(...[1, 2, 3].map(() => timeOf(expression, seed, length))),
        );
        return (many ?? 0) > 24 * Math.max(few ?? 0, 4);
      };
      const seed = seeds.find(isSlow);
      return seed === undefined ? [] : [`${expression} on ${JSON.stringify(seed)}`];
    });
    expect(slow).toEqual([]);
  });
});
