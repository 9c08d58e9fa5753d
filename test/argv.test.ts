import { describe, expect, it } from 'vitest';
import { packageVersion } from '../src/package-version.js';
import { runCli } from './support/cli.js';
import { declaredCommand, declaredCommands } from './support/declarations.js';
import { realIndexFile } from './support/real-index.js';

/**
 * What our own readers and defaults make of command lines, in every field; `upgrade-check` has its own in `cli.test.ts`.
 * That a flag becomes true, and a text stays what it is, is commander's.
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

type Row = readonly [argv: string[], options: Record<string, unknown>];

function becomes(
  name: string,
  always: { readonly argv?: readonly string[]; readonly args?: readonly unknown[]; readonly options: object },
  rows: readonly Row[],
): void {
  it.each(rows)('%j', async (argv, options) => {
    expect(await parse(name, [...(always.argv ?? []), ...argv])).toEqual({
      args: always.args ?? [],
      options: { ...always.options, ...options },
    });
  });
}

const fetching = { timeout: 30_000, maxBytes: 25_165_824, cache: true };
const sourceRows: readonly Row[] = [
  [[], {}],
  [['--index', '-'], { index: '-' }],
  [['--timeout', '10m'], { timeout: 600_000 }],
  [['--max-bytes', '500KiB'], { maxBytes: 512_000 }],
  [['--max-age', '7d'], { maxAge: 604_800_000 }],
];

describe('upgrade-plan', () => {
  becomes('upgrade-plan', { options: { ...fetching, to: 'latest', prefer: 'fewest-hops' } }, [
    ...sourceRows,
    [['--from', 'v1.2.3', '--to', 'v1.3.0'], { from: '1.2.3', to: '1.3.0' }],
    [['--to', 'latest-rolling'], { to: 'latest-rolling' }],
    [['--max-hops', '1'], { maxHops: 1 }],
    [['--prefer', 'least-downtime'], { prefer: 'least-downtime' }],
    [
      ['--from-file', 'values.yaml#image.tag', '--tag-suffix', '-x'],
      { fromFile: ['values.yaml#image.tag'], tagSuffix: '-x' },
    ],
    [
      [
        ...['--deploy', 'helm', '--chart-version', '2.16.284', '--migration-job'],
        ...['--release', 'bi', '--values', 'my values.yaml'],
      ],
      {
        deploy: 'helm',
        chartVersion: '2.16.284',
        migrationJob: true,
        release: 'bi',
        values: 'my values.yaml',
      },
    ],
  ]);
});

describe('upgrade-report', () => {
  becomes('upgrade-report', { options: { ...fetching, to: 'latest' } }, [
    ...sourceRows,
    [['--to', '1.3.0'], { to: '1.3.0' }],
    [['--from', 'v1.2.3'], { from: '1.2.3' }],
    [['--from-file', 'a#b', '--tag-suffix', '-x'], { fromFile: ['a#b'], tagSuffix: '-x' }],
    [['--from-file', 'a#b', '--from-file', 'c#d.e'], { fromFile: ['a#b', 'c#d.e'] }],
  ]);
});

describe('upgrade-bump', () => {
  becomes('upgrade-bump', { argv: ['--file', 'a#b'], options: { ...fetching, file: 'a#b', to: 'latest' } }, [
    ...sourceRows,
    [['--to', 'latest-rolling', '--allow-recreate'], { to: 'latest-rolling', allowRecreate: true }],
    [['--to', 'v1.2.3'], { to: '1.2.3' }],
    [['--tag-suffix', '-custom', '--check'], { tagSuffix: '-custom', check: true }],
  ]);
});

describe('upgrade-verify', () => {
  becomes(
    'upgrade-verify',
    {
      argv: ['--instance', 'https://example.org', '--version', 'v1.2.3'],
      options: {
        ...{ instance: 'https://example.org', version: '1.2.3' },
        ...{ window: 1_200_000, polls: 3, interval: 5000, timeout: 10_000 },
        ...{ maxBytes: 25_165_824, cache: true },
      },
    },
    [
      [[], {}],
      [['--window', '5m', '--interval', '10'], { window: 300_000, interval: 10_000 }],
      [['--polls', '1', '--timeout', '2s'], { polls: 1, timeout: 2000 }],
      [['--database', 'env', '--max-age', '7d'], { database: 'env', maxAge: 604_800_000 }],
      [['--canary', 'merge.yaml', '--kubernetes'], { canary: 'merge.yaml', kubernetes: true }],
    ],
  );
});

describe('index status', () => {
  becomes('index status', { options: fetching }, sourceRows);
});

describe('index verify', () => {
  becomes('index verify', { options: fetching }, sourceRows);
});

describe('index mirror', () => {
  becomes('index mirror', { argv: ['--out', 'a'], options: { ...fetching, out: 'a' } }, [
    ...sourceRows,
    [['--from', 'v1.2.3', '--to', '1.3.0'], { from: '1.2.3', to: '1.3.0' }],
    [['--artifact-url', 'https://example.org/{version}'], { artifactUrl: 'https://example.org/{version}' }],
  ]);
});

describe('release show', () => {
  becomes('release show', { argv: ['v1.2.3'], args: ['1.2.3'], options: fetching }, sourceRows.slice(0, -1));
});

const asking = { timeout: 30_000 };
const connectionRows: readonly Row[] = [
  [[], {}],
  [['--url', 'https://example.org'], { url: 'https://example.org' }],
  [['--timeout', '5'], { timeout: 5000 }],
];
const projectRow: Row = [['--project', 'x'], { project: 'x' }];

describe('merge submit', () => {
  becomes(
    'merge submit',
    { argv: ['merge.yaml'], args: ['merge.yaml'], options: { ...asking, validate: true } },
    [
      ...connectionRows,
      projectRow,
      [['--mode', 'export', '--export-limit', 'all'], { mode: 'export', exportLimit: 'all' }],
      [['--export-limit', '500'], { exportLimit: 500 }],
      [
        ['--param', 'region=EU', '--param', 'years=[2025,2026]', '--param', 'a=b=c', '--param', 'none='],
        {
          param: ['region=EU', 'years=[2025,2026]', 'a=b=c', 'none='],
        },
      ],
      [
        ['--invalidate-cache', '--no-validate', '--dry-run'],
        { invalidateCache: true, validate: false, dryRun: true },
      ],
      [['--wait'], { wait: true }],
      [
        ['--wait', '30m', '--output', 'csv', '--raw-csv', '--out', 'rows.csv'],
        { wait: 1_800_000, output: 'csv', rawCsv: true, out: 'rows.csv' },
      ],
    ],
  );
});

describe('chart get', () => {
  becomes('chart get', { argv: ['x'], args: ['x'], options: asking }, [...connectionRows]);
});

describe('query compile', () => {
  becomes('query compile', { argv: ['-'], args: ['-'], options: asking }, [...connectionRows, projectRow]);
});

describe('catalog metrics', () => {
  becomes('catalog metrics', { options: asking }, [
    ...connectionRows,
    projectRow,
    [['--tag', 'a', '--tag', 'b c'], { tag: ['a', 'b c'] }],
    [['--page', '2', '--page-size', '50'], { page: 2, pageSize: 50 }],
  ]);
});

describe('org users', () => {
  becomes('org users', { options: asking }, connectionRows);
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
  const anyText = /--accept-issue$|^merge submit --param$|^catalog metrics --tag$/;

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
    ['upgrade-plan', ['--release', ''], 'It is empty.'],
    ['upgrade-plan', ['--values', 'a\nb'], 'It contains a control character.'],
    ['upgrade-plan', ['--tag-suffix', '$x'], 'An image tag cannot end like this.'],
    ['upgrade-plan', ['--tag-suffix', 'x$'], 'An image tag cannot end like this.'],
    ['org users', ['--url', ' '], 'It is empty.'],
    ['merge submit', ['a', '--out', ''], 'It is empty.'],
    ['merge submit', ['a', '--context', 'a\u0007'], 'It contains a control character.'],
    ['catalog metrics', ['--page', '0'], 'Write a whole number from 1.'],
  ])('%s %j', async (name, argv, message) => {
    await expect(parse(name, argv)).rejects.toThrow(message);
  });
});

type RefusedRow = readonly [argv: string[], message: string];

/** Wherever an option stands that has no value, is given twice, or is none. */
const refusedSource: readonly RefusedRow[] = [
  [['--index', ''], "'--index <source>' argument '' is invalid. It is empty."],
  [['--index'], "'--index <source>' argument missing"],
  [['--index', '--offline'], 'It has no value: an option follows.'],
  [['--index', 'ftp://example.org/index.json'], 'is not a URL that an index can be fetched from'],
  [['--index', 'http://example.org/index.json'], 'plain http can be read and changed by anyone in between'],
  [['--index', 'a', '--index', 'b'], "'--index <source>': It is given twice."],
  [['--timeout', 'soon'], 'Write it as 30 (seconds), 30s, 10m, 6h or 7d.'],
  [['--timeout', '0'], 'Write it as 30 (seconds), 30s, 10m, 6h or 7d.'],
  [['--max-age', 'never'], "'--max-age <duration>' argument 'never' is invalid."],
  [['--max-bytes', '1XB'], 'Write it as 1000000 (bytes), 500KiB, 64MiB or 1GiB.'],
  [['--max-bytes', '-1'], "'--max-bytes <size>' argument '-1' is invalid."],
  [['--no-such-option'], "unknown option '--no-such-option'"],
  [['more'], 'Expected 0 arguments but got 1.'],
];

describe('refused: exit 2, and what is wrong', () => {
  const real = ['--index', realIndexFile];

  refuses(
    ['upgrade-report', '--from', '1.121.0', '--to', '1.156.0'],
    [
      ...refusedSource,
      [['--from', '1.122.0'], "'--from <version>': It is given twice."],
      [['--to', 'latest'], "'--to <target>': It is given twice."],
      [['--instance', 'https://example.org'], 'the running version is given in more than one way'],
      [['--from-file', 'a#b'], 'the running version is given in more than one way'],
      [['--tag-suffix', '-x'], '--tag-suffix applies to a tag, but no tag is read or written'],
      [['--tag-suffix', ''], 'An image tag cannot end like this.'],
      [['--format', 'pdf'], 'Allowed choices are text, markdown, html, json.'],
      [['--format'], "'--format <format>' argument missing"],
      [['--json', '--format', 'html'], '--json and --format html request two formats'],
      [['--out', ''], "'--out <file>' argument '' is invalid. It is empty."],
      [['--out', '--json'], 'It has no value: an option follows.'],
      [['--out', 'a', '--out', 'b'], 'It is given twice.'],
      [['--variables', ''], "'--variables <file>' argument '' is invalid. It is empty."],
      [['--variables', 'values.yaml'], '--variables values.yaml does not name the variables in the file'],
      [['--variables', 'a#'], '--variables a# does not name the variables in the file'],
      [['--variables', 'package.json#nope'], 'there is nothing at that path'],
      [['--artifact-url', ''], "'--artifact-url <source>' argument '' is invalid. It is empty."],
      [
        [...real, '--artifact-url', 'https://example.org/a'],
        'is not an address that artifacts can be fetched',
      ],
      [['--require-rolling'], "unknown option '--require-rolling'"],
    ],
  );
  refuses(
    ['upgrade-plan', '--from', '1.121.0'],
    [
      [['--max-hops', ''], 'Write a whole number from 1 to 9999.'],
      [['--max-hops', '0'], 'Write a whole number from 1 to 9999.'],
      [['--max-hops', '1e3'], 'Write a whole number from 1 to 9999.'],
      [['--max-hops', '1', '--max-hops', '2'], 'It is given twice.'],
    ],
  );
  refuses(
    ['upgrade-report'],
    [
      [[], 'the running version is not given'],
      [['--to', 'latest'], 'the running version is not given'],
      [['--from', '1.2', '--to', 'latest'], '--from: "1.2" is not a release version'],
      [['--from', '1.2.3', '--to', 'newest'], 'Or write latest or latest-rolling.'],
      [['--from', '1.3.0', '--to', '1.2.0', ...real], '1.2.0 is older than 1.3.0'],
      [['--to', '1.2.3', '--from-file', 'values.yaml#'], '"values.yaml#" does not name a value in a file'],
      [
        ['--to', '1.2.3', '--from-file', 'package.json'],
        'package.json does not show where it pins Lightdash',
      ],
      [['--to', '1.2.3', '--from-file', 'package.json#nope'], 'there is nothing at that path'],
      [['--to', '1.2.3', '--instance', 'example.org'], '"example.org" is not an http or https URL'],
      [['--to', '1.2.3', '--instance', 'https://example.org', '--offline'], '--offline contacts none'],
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
      ...refusedSource,
      [['--file', 'a#b'], "'--file <file>': It is given twice."],
      [['--to', 'next-hop'], 'Or write latest or latest-rolling.'],
      [['--to', '1.2'], '--to: "1.2" is not a release version'],
      [['--to', '0.0.1', ...real], `0.0.1 is older than ${packageVersion}`],
      [['--to', 'latest', '--to', '1.2.3'], 'It is given twice.'],
      [['--tag-suffix', '$x'], 'An image tag cannot end like this.'],
      [['--tag-suffix', '-custom'], 'does not end in "-custom"'],
      [['--check=yes'], "unknown option '--check=yes'"],
      [['--from', '1.2.3'], "unknown option '--from'"],
      [['--json'], "unknown option '--json'"],
      [['--format', 'json'], "unknown option '--format'"],
    ],
  );
  refuses(
    ['upgrade-bump'],
    [
      [[], "required option '--file <file>' not specified"],
      [['--file'], "'--file <file>' argument missing"],
      [['--file', '--check'], 'It has no value: an option follows.'],
      [['--file', ''], "'--file <file>' argument '' is invalid. It is empty."],
      [['--file', 'package.json'], 'package.json does not show where it pins Lightdash'],
      [['--file', 'values.yaml#'], '"values.yaml#" does not name a value in a file'],
      [['--file', '#image.tag'], '"#image.tag" does not name a value in a file'],
      [['--file', 'package.json#nope'], 'package.json#nope: there is nothing at that path'],
      [['--file', 'package.json#scripts'], 'package.json#scripts: it is a collection, not a tag'],
      [['--file', 'package.json#license'], '"MIT" is not a release version'],
    ],
  );

  refuses(
    ['upgrade-verify', '--instance', 'https://example.org', '--version', '1.2.3'],
    [
      [['--instance', 'https://example.org'], 'It is given twice.'],
      [['--version', '1.2.4'], "'--version <version>': It is given twice."],
      [['--window', '0'], 'Write it as 30 (seconds), 30s, 10m, 6h or 7d.'],
      [['--window'], "'--window <duration>' argument missing"],
      [['--window', '5s'], '3 polls 5 s apart take 10 s, and --window is 5 s'],
      [['--polls', '0'], 'Write a whole number from 1 to 9999.'],
      [['--polls', '10000'], 'Write a whole number from 1 to 9999.'],
      [['--polls', '1.5'], 'Write a whole number from 1 to 9999.'],
      [['--interval', 'often'], "'--interval <duration>' argument 'often' is invalid."],
      [['--timeout', '0s'], "'--timeout <duration>' argument '0s' is invalid."],
      [['--json', 'more'], 'Expected 0 arguments but got 1.'],
      [['--format', 'json'], "unknown option '--format'"],
      [['--offline'], "unknown option '--offline'"],
    ],
  );
  refuses(
    ['upgrade-verify', '--json', '--version', '1.2.3'],
    [
      [[], "required option '--instance <url>' not specified"],
      [['--instance', ''], "'--instance <url>' argument '' is invalid. It is empty."],
      [['--instance', 'example.org'], '--instance: the URL "example.org" is not an http or https URL'],
      [
        ['--instance', 'ftp://example.org'],
        '--instance: the URL "ftp://example.org/" is not an http or https URL',
      ],
      [['--instance', 'http://example.org'], 'plain http can be read and changed by anyone in between'],
      [['--instance', 'https://me:secret@example.org'], '--instance: the URL contains a user or a password'],
      [['--instance', 'https://example.org/?a=b'], 'has a query or a fragment'],
    ],
  );
  refuses(
    ['upgrade-verify', '--instance', 'https://example.org'],
    [
      [[], "required option '--version <version>' not specified"],
      [['--version'], "'--version <version>' argument missing"],
      [['--version', 'latest'], '--version: "latest" is not a release version'],
      [['--version', '1.2.3-rc1'], 'pre-releases and builds are not in the index'],
      [['--version', ''], '--version: "" is not a release version: it is empty'],
    ],
  );

  refuses(
    ['completion'],
    [
      [[], "missing required argument 'shell'"],
      [[''], 'Allowed choices are bash, zsh, fish.'],
      [['ksh'], 'Allowed choices are bash, zsh, fish.'],
      [['bash', 'zsh'], 'Expected 1 argument but got 2.'],
      [['bash', '--json'], "unknown option '--json'"],
    ],
  );
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
