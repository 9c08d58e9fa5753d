import { spawn } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCli } from '../support/cli.js';
import {
  type Answer,
  envOf,
  errorPayload,
  projectUuid,
  queryUuid,
  sendJson,
  sendText,
  startLightdash,
  token,
} from '../support/lightdash-server.js';
import { mergeQuery, notANumber } from '../support/merge.js';
import { queryState, refusedMerge, resultPage, startedMerge } from '../support/merge-responses.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const folder = temporaryFolder();
const merge = { mergeQuery: mergeQuery() };
const mergeJson = JSON.stringify(merge);
const postPath = `/api/v2/projects/${projectUuid}/query/compose-merge-query`;

/** Submits a merge from standard input to a server that gives these answers. */
async function submit(answers: readonly Answer[], flags: readonly string[] = [], stdin = mergeJson) {
  const server = await startLightdash(...answers);
  const outcome = await runCli(['merge', 'submit', '-', ...flags], { env: envOf(server), stdin });
  return { ...outcome, server, received: server.received };
}

describe('what is sent', () => {
  it('is one POST, byte for byte', async () => {
    const { received, server } = await submit([startedMerge()]);
    expect(received).toEqual([
      {
        method: 'POST',
        url: postPath,
        headers: {
          host: new URL(server.url).host,
          connection: 'keep-alive',
          authorization: `ApiKey ${token}`,
          accept: 'application/json',
          'accept-encoding': 'gzip, deflate',
          'accept-language': '*',
          'content-type': 'application/json',
          'content-length': String(mergeJson.length + ',"context":"cli"'.length),
          'sec-fetch-mode': 'cors',
          'user-agent': expect.stringMatching(/^lightspan\/\d+\.\d+\.\d+$/),
        },
        body: `${mergeJson.slice(0, -1)},"context":"cli"}`,
      },
    ]);
  });

  it.each<[string[], Record<string, unknown>, string]>([
    [[], {}, '"context":"cli"'],
    [[], { context: 'api' }, '"context":"api"'],
    [['--context', 'exploreView'], { context: 'api' }, '"context":"exploreView"'],
    [
      ['--mode', 'interactive'],
      { mode: { type: 'export', limit: 5 } },
      '"mode":{"type":"interactive"},"context":"cli"',
    ],
    [['--mode', 'export'], {}, '"mode":{"type":"export","limit":null},"context":"cli"'],
    [
      ['--mode', 'export'],
      { mode: { type: 'interactive' } },
      '"mode":{"type":"export","limit":null},"context":"cli"',
    ],
    [
      ['--mode', 'export'],
      { mode: { type: 'export', limit: 5 } },
      '"mode":{"type":"export","limit":5},"context":"cli"',
    ],
    [['--export-limit', '100'], {}, '"mode":{"type":"export","limit":100},"context":"cli"'],
    [
      ['--export-limit', 'all', '--mode', 'export'],
      {},
      '"mode":{"type":"export","limit":null},"context":"cli"',
    ],
    [['--invalidate-cache'], { invalidateCache: false }, '"invalidateCache":true,"context":"cli"'],
    [[], { invalidateCache: false }, '"invalidateCache":false,"context":"cli"'],
    [
      ['--param', 'region=EU=x', '--param', 'ids=[1, 2]', '--param', 'names=["a"]', '--param', 'none='],
      { parameters: { region: 'US', kept: 7 } },
      '"parameters":{"region":"EU=x","kept":7,"ids":[1,2],"names":["a"],"none":""},"context":"cli"',
    ],
  ])('with %j and %j in the file ends with %s', async (flags, fields, end) => {
    const { code, received } = await submit([startedMerge()], flags, JSON.stringify({ ...merge, ...fields }));
    expect(code).toBe(0);
    expect(received[0]?.body).toBe(`${mergeJson.slice(0, -1)},${end}}`);
  });

  it('holds parameters as texts, and with := as JSON, every number as it was written', async () => {
    const params = [
      ...['n=5', 'i:=5', 'd:=-1.50', 'b:=9007199254740993', 'l:=[9007199254740993, 1.10]', 's:="[a"'],
      ...['ids=[9007199254740993]', 'a:b=:=c', 'x= :=1', 'with blank:= 5 ', 'e:=[]'],
    ];
    const { received } = await submit(
      [startedMerge()],
      params.flatMap((param) => ['--param', param]),
    );
    expect(received[0]?.body).toContain(
      '"parameters":{"n":"5","i":5,"d":-1.50,"b":9007199254740993,"l":[9007199254740993,1.10],"s":"[a","ids":[9007199254740993],"a:b":":=c","x":" :=1","with blank":5,"e":[]}',
    );
  });

  it.each([
    ['YAML', 'region: EU\nids: [1, 9007199254740993]\nn: 1.50\nfrom: 2026-01-01\n'],
    ['JSON', '{"region": "EU", "ids": [1, 9007199254740993], "n": 1.50, "from": "2026-01-01"}'],
  ])('--params-file reads %s, between the merge file and --param', async (_, text) => {
    const file = join(temporaryFolder(), 'params');
    writeFileSync(file, text);
    const given = { $schema: './merge.json', ...merge, parameters: { kept: 'x', region: 'US' } };
    const flags = ['--params-file', file, '--param', 'n:=2'];
    const { received } = await submit([startedMerge()], flags, JSON.stringify(given));
    expect(received[0]?.body).not.toContain('$schema');
    expect(received[0]?.body).toContain(
      '"parameters":{"kept":"x","region":"EU","ids":[1,9007199254740993],"n":2,"from":"2026-01-01"}',
    );
  });

  it.each([
    ['no map', '[1]', /params:1:1: expected an object, got a list/],
    ['a list of both', 'a: [1, b]', /params:1:4: a: expected a string, a number/],
    ['nothing', '', /params:1:1: it is empty/],
    ['a number that no JSON can carry', 'a: .nan', /params:1:4: a: expected/],
  ])('--params-file refuses %s', async (_, text, message) => {
    const file = join(temporaryFolder(), 'params');
    writeFileSync(file, text);
    const { code, stderr, received } = await submit([startedMerge()], ['--params-file', file]);
    expect({ code, received }).toEqual({ code: 2, received: [] });
    expect(stderr).toMatch(message);
  });

  it('--params-file that is not there is no answer', async () => {
    const { code, received } = await submit([startedMerge()], ['--params-file', join(folder, 'none')]);
    expect({ code, received }).toEqual({ code: 3, received: [] });
  });

  it('comes after a warning of what a server may refuse, unless that is left to it', async () => {
    const sorts = [{ fieldId: 'merge_day', descending: true }];
    const stdin = JSON.stringify({ mergeQuery: mergeQuery({ sorts }) });
    const warning = /^standard input:1:\d+: mergeQuery\.sorts: warning: newer than the contract .*\n$/;
    const { code, stderr, received } = await submit([startedMerge()], [], stdin);
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringMatching(warning) });
    expect(JSON.parse(received[0]?.body ?? '')).toMatchObject({ mergeQuery: { sorts } });
    expect(await submit([startedMerge()], ['--no-validate'], stdin)).toMatchObject({ code: 0, stderr: '' });
  });
});

describe('what is not sent', () => {
  const withoutJoinKey = JSON.stringify({ mergeQuery: mergeQuery({ joinKey: [] }) });

  it('a merge that breaks a rule', async () => {
    const { code, stdout, stderr, received } = await submit([startedMerge()], [], withoutJoinKey);
    expect({ code, stdout, received }).toEqual({ code: 1, stdout: '', received: [] });
    expect(stderr).toMatch(
      /^standard input:1:\d+: .*empty_join_key: .*\n(?:.*fan_out: .*\n){2}Nothing was sent\.\n$/,
    );
  });

  it('a merge that breaks a rule, in one line of JSON', async () => {
    const { code, stdout, received } = await submit([startedMerge()], ['--json'], withoutJoinKey);
    expect({ code, received }).toEqual({ code: 1, received: [] });
    expect(JSON.parse(stdout)).toMatchObject({ valid: false, errors: [{ kind: 'empty_join_key' }, {}, {}] });
    expect(stdout.indexOf('\n')).toBe(stdout.length - 1);
  });

  it.each([
    ['nothing', '', false],
    ['no merge request', '{"mergeQuery":{}}', false],
    ['no object', '[]', true],
    ['neither YAML nor JSON', '{', true],
    ['an infinite number', 'mergeQuery: { limit: -.inf }', true],
    ['not a number, where any value may stand', notANumber, true],
  ])('%s, and with --no-validate: %j', async (_, stdin, always) => {
    for (const flags of always ? [[], ['--no-validate']] : [[]]) {
      const { code, stdout, received } = await submit([startedMerge()], flags, stdin);
      expect({ code, stdout, received }).toEqual({ code: 2, stdout: '', received: [] });
    }
  });

  it.each([
    [['--context', 'nowhere'], /the flags make the request invalid: context: expected/],
    [['--export-limit', '0'], /--export-limit/],
    [['--export-limit', '5', '--mode', 'interactive'], /--export-limit is for the mode export/],
    [['--param', 'region'], /Write it as name=value/],
    [['--param', 'a=1', '--param', 'a=2'], /The parameter a is given twice/],
    [['--param', 'a=[1, "b"]'], /a=\[1, "b"\]: expected a string, a number, or a list of either, got a list/],
    [['--param', 'a=[1'], /a=\[1: After :=, or if it starts with \[, write JSON/],
    [['--param', ':=5'], /Write it as name=value/],
    [['--param', 'a:=x'], /a:=x: After :=/],
    [['--param', 'a:=1e400'], /a string, a number, or a list of either/],
    [['--output', 'csv'], /--output applies to rows, but without --wait there are none/],
    [['--wait', '--json', '--output', 'csv'], /would both write to standard output/],
    [['--out', '-'], /--out applies to rows/],
    [['--wait', '--json', '--output', 'csv', '--out', '-'], /would both write to standard output/],
  ])('%j is a usage error', async (flags, message) => {
    const { code, stderr, received } = await submit([startedMerge()], flags);
    expect({ code, received }).toEqual({ code: 2, received: [] });
    expect(stderr).toMatch(message);
  });

  it('--no-validate lets the server judge', async () => {
    const stdin = '{"mergeQuery":{"sources":"odd"},"more":1}';
    const { code, received } = await submit(
      [refusedMerge({ kind: 'too_few_sources' })],
      ['--no-validate'],
      stdin,
    );
    expect(code).toBe(1);
    expect(received[0]?.body).toBe('{"mergeQuery":{"sources":"odd"},"more":1,"context":"cli"}');
  });

  it('--dry-run shows method, URL and body, needs no token and shows none', async () => {
    const env = { LIGHTDASH_URL: 'https://lightdash.example.com', LIGHTDASH_PROJECT: projectUuid };
    const url = `https://lightdash.example.com${postPath}`;
    const text = await runCli(['merge', 'submit', '-', '--dry-run'], { env, stdin: mergeJson });
    expect(text).toMatchObject({ code: 0, stderr: '' });
    expect(text.stdout.startsWith(`POST ${url}\n\n{\n  "mergeQuery": {`)).toBe(true);
    const argv = ['merge', 'submit', '-', '--dry-run', '--json', '--verbose'];
    const json = await runCli(argv, { env: { ...env, LIGHTDASH_API_KEY: token }, stdin: mergeJson });
    expect(JSON.parse(json.stdout)).toEqual({
      schemaVersion: '1',
      method: 'POST',
      url,
      body: { ...merge, context: 'cli' },
    });
    expect(json.stdout + json.stderr).not.toContain(token.slice(-4));
  });
});

describe('a merge that starts', () => {
  it('is painted where it is written to a terminal, and says how to go on only to who does not wait', async () => {
    const told = async (...flags: string[]) => {
      const server = await startLightdash(startedMerge(), resultPage([{ day: 1 }], { nextPage: null }));
      const world = { env: envOf(server), stdin: mergeJson, columns: 80 };
      return await runCli(['merge', 'submit', '-', ...flags], world);
    };
    const { stdout } = await told();
    expect(stdout).toContain('\u001b[');
    const { stderr } = await told('--wait');
    expect(stderr).toMatch(/^Merge started: /);
    expect(stderr).not.toContain('\u001b');
    expect(stderr).not.toContain('Next: ');
  });

  it('--json is the answer as it came, additions and all, in one line', async () => {
    const answer = { ...startedMerge({ addition: ['\u009b'] }), alsoNew: 1 };
    const { code, stdout, stderr } = await submit([answer], ['--json']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout.trimEnd()).not.toMatch(/\p{Cc}/u);
    const { alsoNew: _, ...shown } = answer;
    expect(JSON.parse(stdout)).toEqual({ schemaVersion: '1', ...shown });
  });
});

describe('a merge that is refused', () => {
  it('shows kinds that are newer than it, and obeys no text of the server', async () => {
    const answer = refusedMerge({
      kind: 'brand_new_kind',
      message: 'No \u001b[2Jregion.',
      sourceId: 'b\u009b',
    });
    expect(await submit([answer])).toMatchObject({
      code: 1,
      stdout: 'Merge refused: 1 error\n\nbrand_new_kind: No \\u001b[2Jregion.\n  - Source: b\\u009b\n',
      stderr: '',
    });
  });

  it('where rows were to come, standard output stays empty', async () => {
    const told = expect.stringContaining('Merge refused: 1 error\n');
    const refused = (...argv: string[]) => submit([refusedMerge({ kind: 'fan_out' })], ['--wait', ...argv]);
    expect(await refused('--output', 'csv')).toMatchObject({ code: 1, stdout: '', stderr: told });
    const out = join(temporaryFolder(), 'rows.csv');
    expect(await refused('--out', out)).toMatchObject({ code: 1, stdout: told, stderr: '' });
  });
});

it('an error of the server is shown with name, status, message and data, and is not retried', async () => {
  const payload = errorPayload(503, 'ServiceUnavailable', 'It failed.', { field: 'x' });
  const { code, stdout, received } = await submit([sendJson(payload, 503)], ['--json']);
  expect(code).toBe(3);
  expect(JSON.parse(stdout)).toMatchObject({
    safe: false,
    error: {
      code: 'api-error',
      message: expect.stringContaining('POST http://127.0.0.1'),
      response: { name: 'ServiceUnavailable', statusCode: 503, message: 'It failed.', data: { field: 'x' } },
    },
  });
  expect(received).toHaveLength(1);
});

describe('--wait', () => {
  const rows = [
    { day: '2026-01-01', a_count: 3, ratio: null },
    { day: '=1+1', a_count: -4, ratio: '-0.5' },
  ];
  const pages = [
    startedMerge(),
    resultPage(rows.slice(0, 1), { nextPage: 2, totalPageCount: 2, totalResults: 2 }),
    resultPage(rows.slice(1), { nextPage: null, totalPageCount: 2, totalResults: 2 }),
  ];
  const written = {
    table: 'day         a_count  ratio\n----------  -------  ------\n<2026-01-01>  <3>      <null>\n',
    json: '[\n{"day":"2026-01-01","a_count":3,"ratio":null},\n{"day":"=1+1","a_count":-4,"ratio":"-0.5"}\n]\n',
    ndjson: '{"day":"2026-01-01","a_count":3,"ratio":null}\n{"day":"=1+1","a_count":-4,"ratio":"-0.5"}\n',
    csv: "day,a_count,ratio\r\n2026-01-01,3,\r\n'=1+1,-4,-0.5\r\n",
  };

  it('polls through every status, then writes the rows of all pages', async () => {
    const waiting = ['pending', 'queued', 'executing'].map((status) => queryState(status));
    const [start, ...results] = pages;
    const { code, stdout, stderr, received } = await submit(
      [start ?? {}, ...waiting, ...results],
      ['--wait', '--output', 'ndjson'],
    );
    expect({ code, stdout }).toEqual({ code: 0, stdout: written.ndjson });
    expect(stderr).toMatch(/^Merge started: query /);
    expect(stderr).not.toContain('\r');
    const path = `/api/v2/projects/${projectUuid}/query/${queryUuid}?page=`;
    expect(received.map(({ method, url }) => `${method} ${url}`)).toEqual([
      `POST ${postPath}`,
      ...[1, 1, 1, 1, 2].map((page) => `GET ${path}${page}&pageSize=500`),
    ]);
    expect(received.every(({ headers }) => headers.authorization === `ApiKey ${token}`)).toBe(true);
  });

  it.each<[name: string, flags: string[], format: keyof typeof written]>([
    ['result.csv', [], 'csv'],
    ['result.jsonl', [], 'ndjson'],
    ['csv', ['--output', 'json'], 'json'],
  ])('--out %s with %j is written as %s', async (name, flags, format) => {
    const out = join(temporaryFolder(), name);
    const { code, stdout } = await submit(pages, ['--wait', '--out', out, ...flags]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: `2 rows written to ${out}\n` });
    expect(readFileSync(out, 'utf8')).toBe(written[format]);
    expect(readdirSync(join(out, '..'))).toEqual([name]);
  });

  it('--json tells how it ended in the one line, and holds the rows unless --out does', async () => {
    const wait = { queryUuid, status: 'ready', rowCount: 2 };
    const whole = { schemaVersion: '1', ...startedMerge() };
    const bare = await submit(pages, ['--wait', '--json']);
    expect(JSON.parse(bare.stdout)).toEqual({ ...whole, wait: { ...wait, rows } });
    const out = join(folder, 'rows.ndjson');
    const filed = await submit(pages, ['--wait', '--json', '--output', 'ndjson', '--out', out]);
    expect(JSON.parse(filed.stdout)).toEqual({ ...whole, wait: { ...wait, out } });
    expect(readFileSync(out, 'utf8')).toBe(written.ndjson);
  });

  it('a result that breaks off leaves what was there before', async () => {
    const directory = temporaryFolder();
    const out = join(directory, 'result.csv');
    writeFileSync(out, 'the last good one');
    const answers = [...pages.slice(0, 2), queryState('expired')];
    expect(await submit(answers, ['--wait', '--out', out])).toMatchObject({ code: 1 });
    expect(readFileSync(out, 'utf8')).toBe('the last good one');
    expect(readdirSync(directory)).toEqual(['result.csv']);
  });

  it.each<[string, Answer[], RegExp]>([
    ['a start without a queryUuid', [startedMerge({ queryUuid: undefined })], /names no queryUuid/],
    [
      'a field that the first page lacks',
      [startedMerge(), resultPage([{ a: 1 }], { nextPage: 2 }), resultPage([{ b: 1 }], { nextPage: null })],
      /row 2 of the result has a field "b"/,
    ],
  ])('%s cannot be trusted', async (_, answers, message) => {
    const { code, stderr } = await submit(answers, ['--wait', '--output', 'csv']);
    expect(code).toBe(4);
    expect(stderr).toMatch(message);
  });

  it('a result without rows has its columns all the same', async () => {
    const answers = [startedMerge(), resultPage([], { nextPage: null })];
    const { code, stdout } = await submit(answers, ['--wait', '--output', 'csv']);
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'day,a_count,ratio\r\n' });
  });

  it('to a terminal, no control character of the result gets through', async () => {
    const server = await startLightdash(
      startedMerge(),
      resultPage([{ day: 'a\u001b[2Jb\u009b' }], { nextPage: null }),
    );
    const argv = ['merge', 'submit', '-', '--wait', '--output', 'csv', '--no-color'];
    const terminal = await runCli(argv, { env: envOf(server), stdin: mergeJson, columns: 80 });
    expect(terminal.stdout).toBe('day\na\\u001b[2Jb\\u009b\n');
  });

  it('--out over a folder is refused before the merge is sent', async () => {
    const { code, stderr, received } = await submit(pages, ['--wait', '--out', folder]);
    expect({ code, received }).toEqual({ code: 3, received: [] });
    expect(stderr).toContain('it is not a file that can be replaced');
  });
});

describe('the token', () => {
  const echo = `you sent ApiKey ${token} to us`;
  const escaped = echo.replace('ldpat', '\\u006cdpat');
  const out = join(folder, 'echo.csv');

  it.each<[string, Answer[], string[]]>([
    [
      'an error, escaped',
      [sendText(JSON.stringify(errorPayload(400, 'E', 'MARK')).replace('MARK', escaped), { status: 400 })],
      [],
    ],
    ['a refusal', [refusedMerge({ kind: token, message: echo, fieldIds: [echo], sourceId: echo })], []],
    [
      'a start',
      [
        startedMerge({
          warnings: [{ message: echo }],
          usedParametersValues: { [token]: echo },
          fields: { [token]: {} },
        }),
      ],
      [],
    ],
    [
      'an answer off the contract',
      [startedMerge({ resolvedTimezone: [echo], cacheMetadata: { cacheHit: token } })],
      [],
    ],
    ['a result', [startedMerge(), resultPage([{ [token]: echo }], { nextPage: null })], ['--wait']],
    [
      'a result in a file',
      [startedMerge(), resultPage([{ [token]: echo }], { nextPage: null })],
      ['--wait', '--out', out],
    ],
    ['the reason of a failure', [startedMerge(), queryState('error', { error: echo })], ['--wait']],
  ])('never comes back out of %s', async (_, answers, flags) => {
    for (const more of [[], ['--json'], ['--verbose', '--debug']]) {
      const { stdout, stderr, received } = await submit(answers, [...flags, ...more]);
      expect(received.length).toBeGreaterThan(0);
      expect(stdout + stderr).not.toContain(token);
      expect(stdout + stderr).not.toContain(token.slice(0, -4));
    }
    if (flags.includes('--out')) expect(readFileSync(out, 'utf8')).toContain('[redacted]');
  });
});

describe('Ctrl-C', () => {
  it.each([
    ['SIGINT', [null, 'SIGINT']],
    ['SIGTERM', [null, 'SIGTERM']],
    ['SIGHUP', [null, 'SIGHUP']],
    // What nobody foresaw, thrown where nothing catches it.
    ['SIGUSR2', [3, null]],
  ] as const)('%s while waiting leaves nothing half-written', async (signal, end) => {
    const throwing = join(folder, 'throwing.cjs');
    writeFileSync(throwing, `process.on('SIGUSR2', () => { throw new Error('unforeseen'); });`);
    const target = temporaryFolder();
    let polled = () => {};
    const waiting = new Promise<void>((resolve) => {
      polled = resolve;
    });
    const server = await startLightdash(startedMerge(), (response) => {
      response.end(JSON.stringify(queryState('executing')));
      polled();
    });
    const argv = ['merge', 'submit', '-', '--wait', '--out', join(target, 'rows.csv'), '--output', 'csv'];
    const child = spawn(process.execPath, ['bin/lightspan.cjs', ...argv], {
      env: { ...envOf(server), NODE_OPTIONS: `--require ${throwing}` },
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    child.stdin.end(mergeJson);
    await waiting;
    expect(readdirSync(target)).toHaveLength(1);
    child.kill(signal);
    const ended = await new Promise((done) => child.on('close', (...how) => done(how)));
    expect(ended).toEqual(end);
    expect(readdirSync(target)).toEqual([]);
  });
});
