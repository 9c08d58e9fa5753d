import { describe, expect, it } from 'vitest';
import { packageVersion } from '../src/commands/context.js';
import { runCli } from './support/cli.js';
import { declaredCommand, declaredCommands } from './support/declarations.js';
import { realIndexFile } from './support/real-index.js';

/**
 * What our own readers and defaults make of command lines. That a flag becomes true, and a text stays what it is, is
 * commander's.
 */

async function parse(name: string, argv: readonly string[]) {
  let acted = 0;
  const command = await declaredCommand(name, async () => {
    acted += 1;
  });
  command.exitOverride().configureOutput({ writeErr: () => {} });
  await command.parseAsync(argv, { from: 'user' });
  expect(acted).toBe(1);
  return { args: command.processedArgs, options: command.opts() };
}

const fetching = { timeout: 30_000, maxBytes: 25_165_824, cache: true };
const asking = { timeout: 30_000 };
const verifying = ['--instance', 'https://example.org', '--version', 'v1.2.3'];

it.each<[command: string, argv: string[], args: unknown[], options: object]>([
  ['upgrade-check', ['--from', '1.0.0', '--to', 'v1.1.0'], [], { from: '1.0.0', to: '1.1.0', ...fetching }],
  ['upgrade-plan', [], [], { ...fetching, to: 'latest', prefer: 'fewest-hops' }],
  ['upgrade-report', [], [], { ...fetching, to: 'latest' }],
  ['upgrade-bump', ['--file', 'a#b'], [], { ...fetching, file: 'a#b', to: 'latest' }],
  [
    'upgrade-verify',
    verifying,
    [],
    {
      ...{ instance: 'https://example.org', version: '1.2.3' },
      ...{ window: 1_200_000, polls: 3, interval: 5000, timeout: 10_000 },
      ...{ maxBytes: 25_165_824, cache: true },
    },
  ],
  ['index status', [], [], fetching],
  ['index verify', [], [], fetching],
  ['index mirror', ['--out', 'a'], [], { ...fetching, out: 'a' }],
  ['release show', ['v1.2.3'], ['1.2.3'], fetching],
  ['merge submit', ['merge.yaml'], ['merge.yaml'], { ...asking, validate: true }],
  ['chart get', ['x'], ['x'], asking],
  ['query compile', ['-'], ['-'], asking],
  ['catalog metrics', [], [], asking],
  ['org users', [], [], asking],
])('%s %j has these arguments and defaults, and no others', async (name, argv, args, options) => {
  expect(await parse(name, argv)).toEqual({ args, options });
});

describe('an option with a value that is given twice', async () => {
  const values: Record<string, string> = {
    version: '1.2.3',
    target: '1.2.3',
    duration: '30s',
    size: '1MiB',
    number: '5',
    n: '5',
    url: 'https://example.org',
    'file#path': 'a#b',
    'name=value': 'edition=community',
  };
  const options = (await declaredCommands()).flatMap(({ name, command }) =>
    command.options
      .filter(({ required, optional }) => required || optional)
      .map((option) => ({ flag: `${name} ${option.flags}`, option })),
  );

  it.each(options)('$flag: both are taken, or the second is refused', ({ option }) => {
    const { parseArg, argChoices, flags } = option;
    const value = argChoices?.[0] ?? values[/[<[](.*)[>\]]/.exec(flags)?.[1] ?? ''] ?? 'a';
    const first = parseArg?.<unknown>(value, undefined);
    let outcome: unknown;
    try {
      outcome = parseArg?.(value, first);
    } catch (error) {
      outcome = error;
    }
    expect(['It is given twice.', `${value},${value}`]).toContain(
      outcome instanceof Error ? outcome.message : String(outcome),
    );
  });
});

describe('an option with a value of its own', () => {
  /** Those of which this comes where they are given the text; undefined where they take it. */
  const optionsThatSay = async (why: string | undefined, text: string) => {
    const options = (await declaredCommands()).flatMap(({ name, command }) =>
      command.options.map((option) => ({ name: `${name} ${option.long}`, option })),
    );
    return options.flatMap(({ name, option: { required, optional, argChoices, parseArg } }) => {
      if (!(required || optional) || argChoices !== undefined) return [];
      let said: string | undefined;
      try {
        parseArg?.<unknown>(text, undefined);
      } catch (error) {
        said = (error as Error).message;
      }
      return said === why ? [name] : [];
    });
  };
  const anyText = /^merge submit --param$|^catalog metrics --tag$/;

  it.each(['', ' '])('takes no %j, where nothing else says what it is', async (text) => {
    const those = await optionsThatSay(undefined, text);
    expect(those.filter((option) => !anyText.test(option))).toEqual([]);
  });

  it('is named where it is no version', async () => {
    const options = (await declaredCommands()).flatMap(({ command }) => command.options);
    const said = options.flatMap(({ long, parseArg }) => {
      try {
        parseArg?.<unknown>('1.2', undefined);
      } catch (error) {
        const { message } = error as Error;
        if (message.includes('is not a release version')) return [{ long, message }];
      }
      return [];
    });
    expect(said.length).toBeGreaterThan(10);
    expect(said.filter(({ long, message }) => !message.startsWith(`${long}: `))).toEqual([]);
  });

  it('takes no option that follows', async () => {
    const those = await optionsThatSay(undefined, '--json');
    // What a tag ends in may begin with dashes; checks are looked up by their names.
    expect(
      those.filter((option) => !anyText.test(option) && !/ --(?:tag-suffix|only)$/.test(option)),
    ).toEqual([]);
  });

  it('takes no line break where it stands in a command to paste, or is sent', async () => {
    const asked = ['--url', '--project'];
    const cluster = ['--migrating-role', '--namespace', '--release', '--context'];
    const of = (command: string, ...options: string[]) => options.map((option) => `${command} ${option}`);
    expect(await optionsThatSay('It contains a control character.', 'a\nb')).toEqual([
      ...of('upgrade-plan', '--out', '--chart-version', '--release', '--values'),
      ...of('upgrade-preflight', ...cluster),
      ...of('upgrade-verify', ...cluster.toSpliced(1, 0, '--project')),
      ...of('pin-check', '--base', '--head'),
      ...of('merge submit', ...asked, '--out', '--params-file', '--context'),
      ...of('chart get', '--url'),
      ...of('query compile', '--explore', ...asked),
      ...of('query results', '--out', ...asked),
      ...of('catalog metrics', '--sort', ...asked),
      ...of('org users', '--url'),
    ]);
  });
});

describe('texts that are refused', () => {
  it.each<[string, string[], string]>([
    ['upgrade-plan', ['--values', 'a\nb'], 'It contains a control character.'],
    ['upgrade-plan', ['--tag-suffix', '$x'], 'An image tag cannot end like this.'],
    ['upgrade-plan', ['--tag-suffix', 'x$'], 'An image tag cannot end like this.'],
    ['merge submit', ['a', '--context', 'a\u0007'], 'It contains a control character.'],
    ['catalog metrics', ['--page', '0'], 'Write a whole number from 1.'],
  ])('%s %j', async (name, argv, message) => {
    await expect(parse(name, argv)).rejects.toThrow(message);
  });
});

type RefusedRow = readonly [argv: string[], message: string];

/** Wherever an option stands that has no value, is given twice, or is none. */
const refusedSource: readonly RefusedRow[] = [
  [['--index', 'ftp://example.org/index.json'], 'is not a URL that an index can be fetched from'],
  [['--index', 'http://example.org/index.json'], 'plain http can be read and changed by anyone in between'],
  [['--timeout', 'soon'], 'Write it as 30 (seconds), 30s, 10m, 6h or 7d.'],
  [['--max-bytes', '1XB'], 'Write it as 1000000 (bytes), 500KiB, 64MiB or 1GiB.'],
  [['more'], 'Expected 0 arguments but got 1.'],
];

describe('refused: exit 2, and what is wrong', () => {
  const real = ['--index', realIndexFile];

  refuses(
    ['upgrade-report', '--from', '1.121.0', '--to', '1.156.0'],
    [
      ...refusedSource,
      [['--tag-suffix', ''], 'An image tag cannot end like this.'],
      [['--format', 'pdf'], 'Allowed choices are text, markdown, html, json.'],
      [['--json', '--format', 'html'], '--json and --format html request two formats'],
      [['--variables', 'values.yaml'], '--variables values.yaml does not name the variables in the file'],
      [['--variables', 'package.json#nope'], 'is not a place that sets environment variables'],
      [
        [...real, '--artifact-url', 'https://example.org/a'],
        'is not an address that artifacts can be fetched',
      ],
    ],
  );
  refuses(
    ['upgrade-plan', '--from', '1.121.0'],
    [
      [['--max-hops', '0'], 'Write a whole number from 1.'],
      [['--max-hops', '1e3'], 'Write a whole number from 1.'],
    ],
  );
  refuses(
    ['upgrade-report'],
    [
      [[], 'the running version is not given'],
      [['--from', '1.2', '--to', 'latest'], '--from: "1.2" is not a release version'],
      [['--from', '1.2.3', '--to', 'newest'], 'Or write latest or latest-rolling.'],
      [['--from', '1.3.0', '--to', '1.2.0', ...real], '1.2.0 is older than 1.3.0'],
      [['--to', '1.2.3', '--from-file', 'values.yaml#'], '"values.yaml#" does not name a value in a file'],
      [
        ['--to', '1.2.3', '--from-file', 'package.json'],
        'package.json does not show where it pins Lightdash',
      ],
      [['--to', '1.2.3', '--from-file', 'package.json#nope'], 'there is nothing at that path'],
    ],
  );
  refuses(
    ['upgrade-report', '--to', '1.3.0'],
    [
      [['--from-file', '-#tag', '--index', '-'], 'standard input is named twice'],
      [['--from-file', '-#tag', '--variables', '-#env'], 'standard input is named twice'],
      [['--from', '1.2.0', '--variables', '-#env', '--index', '-'], 'standard input is named twice'],
    ],
    '{"tag": "1.2.0", "env": {"A": "1"}}',
  );

  refuses(
    ['upgrade-bump', '--file', 'package.json#version'],
    [
      [['--to', 'next-hop'], 'Or write latest or latest-rolling.'],
      [['--to', '0.0.1', ...real], `0.0.1 is older than ${packageVersion}`],
      [['--tag-suffix', '-custom'], 'does not end in "-custom"'],
    ],
  );
  refuses(
    ['upgrade-bump'],
    [
      [[], "required option '--file <file>' not specified"],
      [['--file', 'package.json'], 'package.json does not show where it pins Lightdash'],
      [['--file', '#image.tag'], '"#image.tag" does not name a value in a file'],
      [['--file', 'package.json#nope'], 'package.json#nope: there is nothing at that path'],
      [['--file', 'package.json#scripts'], 'package.json#scripts: it is a collection, not a tag'],
      [['--file', 'package.json#license'], '"MIT" is not a release version'],
    ],
  );

  refuses(
    ['upgrade-verify', '--instance', 'https://example.org', '--version', '1.2.3'],
    [
      [['--window', '0'], 'Write it as 30 (seconds), 30s, 10m, 6h or 7d.'],
      [['--window', '5s'], '3 polls 5 s apart take 10 s, and --window is 5 s'],
      [['--polls', '1.5'], 'Write a whole number from 1.'],
    ],
  );
  refuses(
    ['upgrade-verify', '--json', '--version', '1.2.3'],
    [
      [[], "required option '--instance <url>' not specified"],
      [['--instance', 'example.org'], '--instance: the URL "example.org" is not an http or https URL'],
      [['--instance', 'http://example.org'], 'plain http can be read and changed by anyone in between'],
      [['--instance', 'https://me:secret@example.org'], '--instance: the URL contains a user or a password'],
    ],
  );
  refuses(
    ['upgrade-verify', '--instance', 'https://example.org'],
    [
      [[], "required option '--version <version>' not specified"],
      [['--version', 'latest'], '--version: "latest" is not a release version'],
      [['--version', '1.2.3-rc1'], 'pre-releases and builds are not in the index'],
    ],
  );

  refuses(['completion'], [[['ksh'], 'Allowed choices are bash, zsh, fish.']]);
});

/** Exit 2, a message that names what is wrong, and nothing on standard output but a failure where that is JSON. */
function refuses(command: readonly string[], rows: readonly RefusedRow[], stdin = ''): void {
  it.each(rows)(`${command.join(' ')} %j`, async (argv, message) => {
    const { code, stdout, stderr } = await runCli([...command, ...argv], { stdin });
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(message) });
    if (stdout !== '')
      expect(JSON.parse(stdout)).toMatchObject({ safe: false, error: { message: expect.any(String) } });
  });
}
