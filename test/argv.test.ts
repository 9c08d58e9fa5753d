import { describe, expect, it } from 'vitest';
import { packageVersion } from '../src/door/context.js';
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

const fetching = { timeout: 30_000, cache: true };
const asking = { timeout: 30_000 };
const verifying = ['--instance', 'https://example.org', '--version', 'v1.2.3'];

it.each<[command: string, argv: string[], args: unknown[], options: object]>([
  ['upgrade-check', ['--from', '1.0.0', '--to', 'v1.1.0'], [], { from: '1.0.0', to: '1.1.0', ...fetching }],
  ['upgrade-plan', [], [], { ...fetching, to: 'latest', prefer: 'fewest-hops' }],
  ['upgrade-report', [], [], { ...fetching, to: 'latest' }],
  ['upgrade-bump', ['--file', 'a#b'], [], { ...fetching, file: ['a#b'], to: 'latest' }],
  [
    'upgrade-verify',
    verifying,
    [],
    {
      ...{ instance: 'https://example.org', version: '1.2.3' },
      ...{ window: 1_200_000, interval: 5000, timeout: 10_000 },
      cache: true,
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
    expect(['is given twice', `${value},${value}`]).toContain(
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
      ...of(
        'upgrade-plan',
        '--out',
        '--chart-version',
        '--release',
        '--values',
        '--compose',
        '--compose-env-file',
      ),
      ...of('upgrade-preflight', ...cluster),
      ...of('upgrade-rehearse', '--image', '--server-image', '--migrate', '--role', '--env'),
      ...of('upgrade-status', '--migrating-role'),
      ...of('upgrade-verify', ...cluster.toSpliced(1, 0, '--project')),
      ...of('init', ...cluster.slice(1)),
      ...of('pin-check', '--base', '--head'),
      ...of('merge submit', ...asked, '--out', '--params-file', '--context'),
      ...of('query compile', '--explore', ...asked),
      ...of('query results', '--out', ...asked),
      ...of('chart get', '--url'),
      ...of('catalog metrics', '--sort', ...asked),
      ...of('org users', '--url'),
    ]);
  });
});

/** What a command line is refused for, in one line: exit 2, and nothing on standard output but a failure as JSON. */
const refused = `
  upgrade-plan --from 1.121.0 --tag-suffix $x: An image tag cannot end like this.
  upgrade-plan --from 1.121.0 --tag-suffix x$: An image tag cannot end like this.
  upgrade-plan --from 1.121.0 --max-hops 0: Write a whole number from 1.
  upgrade-plan --from 1.121.0 --max-hops 1e3: Write a whole number from 1.
  catalog metrics --page 0: Write a whole number from 1.
  upgrade-report --from 1.121.0 --index ftp://example.org/index.json: is not a URL that an index can be fetched from
  upgrade-report --from 1.121.0 --artifact-url https://example.org/a: is not an address that artifacts can be fetched
  upgrade-report --from-file values.yaml#: "values.yaml#" does not name a value in a file
  upgrade-report --from-file package.json#nope: there is nothing at that path
  upgrade-report --from-file -#tag --variables -#env: standard input is named twice
  upgrade-report --from 1.2.0 --variables -#env --index -: standard input is named twice
  upgrade-bump: required option '--file <file>' not specified
  upgrade-bump --file package.json#version --tag-suffix -custom: does not end in "-custom"
  upgrade-bump --file #image.tag: "#image.tag" does not name a value in a file
  upgrade-bump --file package.json#scripts: package.json#scripts: it is a collection, not a tag
  upgrade-bump --file package.json#license: "MIT" is not a release version
  upgrade-verify --instance https://example.org --version 1.2.3 --window 0x: Write it as 30 (seconds), 30s, 10m
  upgrade-verify --instance https://example.org --version 1.2.3 --window 5s: 3 polls 5 s apart take 10 s, but --window is 5 s
  upgrade-verify --instance https://example.org --version: argument missing
  upgrade-check --from 1.2.0 --to __complete: "__complete" is not a release version
  upgrade-preflight --database env --database postgresql://a:b'c@d/e: option '--database <url>' is given twice
  upgrade-verify --instance https://example.org: required option '--version <version>' not specified
  upgrade-verify --instance https://example.org --version latest: --version: "latest" is not a release version
  upgrade-verify --instance https://example.org --version 1.2.3-rc1: pre-releases and builds are not in the index
  upgrade-verify --version 1.2.3 --json: required option '--instance <url>' not specified
  upgrade-verify --version 1.2.3 --json --instance example.org: --instance: the URL "example.org" is not an http
  upgrade-verify --version 1.2.3 --json --instance http://example.org: plain http can be read and changed by anyone
  upgrade-verify --version 1.2.3 --json --instance https://me:secret@example.org: the URL contains a user or a password
  completion ksh: Allowed choices are bash, zsh, fish.`;

it.each(
  refused
    .trim()
    .split('\n')
    .map((row) => row.trim()),
)('refused: %s', async (row) => {
  const written = row.replace('{real}', realIndexFile).replace('{own}', packageVersion);
  const [, line = '', message = ''] = /^(.*?[^:]): (.*)$/.exec(written) ?? [];
  const { code, stdout, stderr } = await runCli(line.split(' '), {
    stdin: '{"tag": "1.2.0", "env": {"A": "1"}}',
  });
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(message) });
  if (stdout !== '')
    expect(JSON.parse(stdout)).toMatchObject({ safe: false, error: { message: expect.any(String) } });
});
