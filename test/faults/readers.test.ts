import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runCli } from '../support/cli.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { campaign, itFailsClosed } from './campaign.js';
import { bytesOfIndex } from './documents.js';
import { breakFault, hidesLines } from './mutations.js';

/**
 * Files that Helm, kubectl, kustomize or docker compose read otherwise than YAML 1.2 has it: the pin that stood there
 * may stand there no more. What the real programs read is in `other-readers.test.ts`.
 */

const folder = temporaryFolder();
for (const side of ['was', 'is']) mkdirSync(join(folder, side));
const write = (name: string, text: string) => {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
};

interface Pinned {
  readonly path: string;
  readonly text: string;
}

/** How a file that pins 1.1.0 may be asked: from there to 1.4.0 is proven, and so is no change. */
const commands = {
  'upgrade-check': ({ path }: Pinned, text: string) => [
    ...['upgrade-check', '--from-file', `${write('pin.yaml', text)}#${path}`, '--to', '1.4.0'],
  ],
  'pin-check': ({ path, text: was }: Pinned, text: string) => [
    ...['pin-check', '--before', write('was/pin.yaml', was), '--after', write('is/pin.yaml', text)],
    ...['--pin', `pin.yaml#${path}`],
  ],
} as const;
const command = fc.constantFrom(...Object.values(commands));
const ask = (argv: readonly string[]) =>
  runCli([...argv, '--json', '--index', '-'], { stdin: bytesOfIndex('safe') });
const exitCodes = [0, 1, 2, 4];

const values = `# values of the chart
image:
  repository: lightdash/lightdash # the publisher's
  tag: "1.1.0"
  pullPolicy: "IfNotPresent"
note: |
  some text
  of two lines
replicaCount: 2
`;
const compose = `services:
  lightdash: # the backend
    restart: "always"
    image: lightdash/lightdash:1.1.0
    labels: ["a b", c]
  db: {image: "postgres:16"}
`;
const files: readonly Pinned[] = [
  { path: 'image.tag', text: values },
  { path: 'services.lightdash.image', text: compose },
  { path: 'image.tag', text: '{"image": {"tag": "1.1.0", "pullPolicy": "Always"}, "replicaCount": 2}\n' },
];

describe('before any fault', () => {
  it.each(files)('$path is a yes', async (file) => {
    for (const argvOf of Object.values(commands)) {
      const { code, stdout } = await ask(argvOf(file, file.text));
      expect(code, stdout).toBe(0);
    }
  });
});

itFailsClosed(
  'a line break of other readers is a yes only in quotes that pin nothing',
  {
    cases: fc.record({ file: fc.constantFrom(...files), fault: breakFault, argvOf: command }),
    numRuns: 3000,
    exitCodes,
  },
  async ({ file, fault, argvOf }) => {
    const damaged = fault.apply(Buffer.from(file.text));
    const outcome = await ask(argvOf(file, damaged.toString()));
    const pins = /lightdash:1\.1\.0\n|"tag": "1\.1\.0"|tag: "1\.1\.0"/.test(damaged.toString());
    return { damaged, outcome, safeInTruth: !hidesLines(damaged) && pins };
  },
);

/** Spellings of an entry that merges the map `*x` into the one where it stands. */
const merges = [
  ...['<<: *x', '<<: [*x]', '<<: [*h, *x]', '<<: [*x, *h]', '&m <<: *x', '!!merge <<: *x', '? <<\n  : *x'],
];

it('a merge key beside a pin is a yes only where it brings no other release', async () => {
  const entries = fc.record({
    // What the merged map has, if anything, and how deep.
    version: fc.constantFrom('1.1.0', '1.2.0', undefined),
    form: fc.constantFrom('own', 'nested', 'listed', 'above'),
    entry: fc.constantFrom(...merges, 'alias'),
    first: fc.boolean(),
    flow: fc.boolean(),
    // The last is a place that no image is known by.
    place: fc.constantFrom(
      ['image', 'tag'] as const,
      ['lightdash', 'image'] as const,
      ['app', 'release'] as const,
    ),
    argvOf: command,
  });
  await campaign(
    'merge keys',
    entries,
    async ({ version, form, entry, first, flow, place: [parent, key], argvOf }) => {
      const ofCompose = key === 'image';
      const imageAt = (tag: string) => (ofCompose ? `"lightdash/lightdash:${tag}"` : `"${tag}"`);
      const brought = version === undefined ? 'other: 1' : `${key}: ${imageAt(version)}`;
      const marked = {
        own: `&x {${brought}}`,
        nested: `&x {<<: {${brought}}, more: 1}`,
        listed: `&x {<<: [*h, {${brought}}]}`,
        above: `&x {${parent}: {${brought}}}`,
      }[form];
      const own = `${key}: ${imageAt('1.1.0')}`;
      const alias = `*k : ${imageAt(version ?? '1.1.0')}`;
      const hidden = entry === 'alias' ? alias : entry;
      const inOrder = (one: string, other: string) => (first ? [other, one] : [one, other]);
      const isAbove = form === 'above' && entry !== 'alias';
      const pair = isAbove ? [own] : inOrder(own, hidden);
      const map = flow
        ? `${parent}: {${pair.join(', ').replaceAll('\n', ' ')}}`
        : `${parent}:\n  ${pair.join('\n  ')}`;
      const lines = isAbove ? inOrder(map, hidden) : [map];
      const body = lines.join('\n');
      const head = `h: &h {unrelated: 1}\nk: &k ${key}\nx: ${marked}\n`;
      const put = (text: string) =>
        ofCompose ? `services:\n  ${text.replaceAll('\n', '\n  ')}\n` : `${text}\n`;
      const pinned = {
        path: `${ofCompose ? 'services.' : ''}${parent}.${key}`,
        text: `${head}${put(`${parent}: {${own}}`)}`,
      };
      const damaged = `${head}${put(body)}`;
      return {
        kind: 'merge-key',
        damaged: Buffer.from(damaged),
        outcome: await ask(argvOf(pinned, damaged)),
        safeInTruth: version !== '1.2.0',
      };
    },
    { numRuns: 2000, exitCodes },
  );
});

/** Lines of a `.env` that some reader takes for a release of V. */
const settings = (to: string): readonly string[] => [
  ...[`V=${to}`, `V: ${to}`, `V:${to}`, `export\tV=${to}`, `V\t=${to}`, `V =${to}`, ` V=${to}`, `\tV=${to}`],
  ...[`export V=${to}`, `V= ${to}`, `V="${to}"`, `V='${to}'`, `V=${to} # c`, `V=\t${to}`, `V=\`${to}\``],
  ...[
    `A=\`\nV=${to}\nB=\``,
    `A="\nV=${to}\nB="`,
    `A='x\nV=${to}`,
    `V=${to}\r`,
    `\uFEFFV=${to}`,
    `V\u00a0=${to}`,
  ],
  ...[`W=${to}\nV=$W`, `W=${to}\nV=\${W}`, `V=\${W:-${to}}`, `V=${to}\u2028`, `V\u0085=${to}`, `'V'=${to}`],
  ...[`export "V"=${to}`, `V+=${to}`, `set V=${to}`, `V ${to}`, `V=${to.slice(0, -1)}\\\n0`, `- V=${to}`],
];

it('a line of .env that is no plain NAME=value is a yes only where it sets no other release', async () => {
  const image = 'services: {lightdash: {image: "lightdash/lightdash:$V"}}\n';
  const plain = fc.constantFrom('A=1', '# V=1.9.0', '', 'B="x y"', 'export C=2', 'V=1.1.0');
  const lines = fc.record({
    before: fc.array(plain, { maxLength: 2 }),
    behind: fc.array(plain, { maxLength: 2 }),
    to: fc.constantFrom('1.1.0', '1.9.0'),
    which: fc.nat({ max: settings('').length - 1 }),
    end: fc.constantFrom('\n', '\r\n'),
  });
  const sides = () => [
    ...[
      'pin-check',
      '--before',
      write('was/compose.yaml', image),
      '--after',
      write('is/compose.yaml', image),
    ],
    ...['--pin', 'compose.yaml#services.lightdash.image'],
  ];
  write('was/.env', 'V=1.1.0\n');
  write('is/.env', '# one\nV=1.1.0\n');
  expect((await ask(sides())).code).toBe(0);
  await campaign(
    'lines of .env',
    lines,
    async ({ before, behind, to, which, end }) => {
      const damaged = `${[...before, settings(to)[which], ...behind].join(end)}${end}`;
      write('is/.env', damaged);
      return {
        kind: 'line',
        damaged: Buffer.from(damaged),
        outcome: await ask(sides()),
        safeInTruth: to === '1.1.0',
      };
    },
    { numRuns: 1500, exitCodes },
  );
});
