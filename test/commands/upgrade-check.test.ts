import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { publicIndexUrl } from '../../src/gather/publisher/publisher-urls.js';
import { nineKeys, runCli, spawnCli } from '../support/cli.js';
import { realIndexFile, realIndexText } from '../support/real-index.js';
import { serve } from '../support/server.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const check = (from: string, to: string, ...rest: string[]) => {
  return ['upgrade-check', '--from', from, '--to', to, ...rest];
};
const onRealIndex = (from: string, to: string, ...rest: string[]) =>
  check(from, to, '--index', realIndexFile, ...rest);

const folder = temporaryFolder();

async function fileOf(content: string | Uint8Array): Promise<string> {
  const file = join(folder, `${Math.random().toString(36).slice(2)}.json`);
  await writeFile(file, content);
  return file;
}

it.each([
  ['upgrade-check', ['--format', 'text']],
  ['upgrade-check', ['--format', 'markdown']],
  ['upgrade-check', ['--fact', 'deployed-by=compose']],
  ['upgrade-report', ['--artifact-url', 'fixtures/mirror']],
  ['upgrade-report', ['--artifact-url', 'fixtures/mirror', '--fact', 'deployed-by=compose']],
])(
  '%s %j: Lightdash stops before the backup, which would lack what is written after it',
  async (command, more) => {
    const span = ['--from', '1.198.1', '--to', '2.134.2', '--index', realIndexFile];
    const { stdout } = await runCli([command, ...span, ...more]);
    expect(stdout).toMatch(/[Ss]top (Lightdash|the old pods), back up the database/);
    expect(stdout).not.toMatch(/[Bb]ack up the database,? (first|and stop|then stop|plan)/);
  },
);

it.each([
  ['text', 0],
  ['json', 1],
  ['github', 0],
  ['junit', 0],
  ['markdown', 0],
])('a known issue is told beside the answer where that has no room for it: %s', async (format, told) => {
  const argv = ['upgrade-check', '--from', '2.125.0', '--to', '2.127.0', '--index', realIndexFile];
  const { code, stdout, stderr } = await runCli([...argv, '--format', format]);
  expect(code).toBe(1);
  expect(stderr.match(/^Known issue: /gm) ?? []).toHaveLength(told);
  expect(stdout.includes('ai-prompt-table-in-core-migration')).toBe(told === 0);
});

it.each(['text', 'markdown', 'github'])('what a known issue advises is never cut: %s', async (format) => {
  for (const to of ['0.3138.0', '0.3461.0', '1.134.0', '2.127.0']) {
    const { stdout } = await runCli(onRealIndex('0.1894.0', to, '--format', format));
    expect(stdout).toContain('what to do: ');
    expect(stdout).not.toContain('characters more');
  }
});

it('lists every release where everything is requested', async () => {
  const { stdout } = await runCli(onRealIndex('0.1893.0', '1.100.0', '--verbose'));
  expect(stdout.includes('characters more')).toBe(false);
});

describe('the answer', () => {
  it('is one line of JSON with exactly the nine keys, in order', async () => {
    const { code, stdout, stderr } = await spawnCli(onRealIndex('1.111.0', '1.115.0', '--json'));
    expect(code).toBe(1);
    expect(stdout).toBe(
      '{"fromVersion":"1.111.0","toVersion":"1.115.0","direction":"upgrade","safe":false,"verdict":false,' +
        '"requiredStops":[],"minPreviousVersion":"1.111.0",' +
        '"coveredVersions":["1.112.0","1.113.0","1.113.1","1.114.0","1.115.0"],"missingRanges":[]}\n',
    );
    expect(Object.keys(JSON.parse(stdout))).toEqual(nineKeys);
    expect(stderr).not.toMatch(/error/);
  });

  it.each([
    ['1.121.0', 1],
    ['2.117.0', 0],
    ['2.134.2', 0],
    ['0.1000.0', 1],
  ])('of %s to latest is that to the newest release of the index, as in a plan', async (from, code) => {
    const latest = await runCli(onRealIndex(from, 'latest', '--json'));
    expect(latest).toMatchObject({
      code,
      stderr: expect.stringMatching(/^Target: latest; .* is 2\.134\.2$/m),
    });
    expect(latest.stdout).toBe((await runCli(onRealIndex(from, '2.134.2', '--json'))).stdout);
  });

  it('to latest from a release behind the end of the index is no answer about an older one', async () => {
    const { code, stdout } = await runCli(onRealIndex('2.135.0', 'latest'));
    expect({ code, stdout }).toEqual({
      code: 1,
      stdout: expect.stringMatching(
        /^Answer: no: 2\.135\.0 is newer than the index of 2026-09-06, which ends at 2\.134\.2$.*Next: read a newer index/ms,
      ),
    });
  });

  it.each(['latest-rolling', 'Latest', 'newest'])('to %j is refused, and latest offered', async (to) => {
    const { code, stdout, stderr } = await runCli(onRealIndex('1.121.0', to));
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain('Or write latest or recommended.');
  });

  it.each([
    ['1.121.0', '1.156.0', 0],
    ['1.121.0', '1.121.0', 0],
    ['1.156.0', '1.157.0', 1],
    ['0.1050.0', '2.134.2', 1],
    ['1.121.0', '9.9.9', 1],
    ['9.9.9', '9.9.9', 1],
  ])('%s -> %s exits %i, as text and as JSON alike', async (from, to, code) => {
    const text = await runCli(onRealIndex(from, to));
    const json = await runCli(onRealIndex(from, to, '--json'));
    expect([text.code, json.code]).toEqual([code, code]);
    expect(text.stdout).toContain(`Verdict: ${code === 0 ? 'SAFE' : 'UNSAFE'}\n`);
    const answer = JSON.parse(json.stdout);
    expect(answer.safe).toBe(code === 0);
    expect(Object.keys(answer)).toEqual(nineKeys);
  });
});

describe('where the index comes from', () => {
  const green = ['1.121.0', '1.156.0'] as const;

  it('a URL, with one plain GET that carries nothing', async () => {
    const { url, requests } = await serve((_, response) => response.end(realIndexText));
    expect(await runCli(check(...green, '--index', `${url}/index.json`))).toMatchObject({ code: 0 });
    expect(requests.map(({ method, url }) => ({ method, url }))).toEqual([
      { method: 'GET', url: '/index.json' },
    ]);
    const [{ headers } = { headers: {} }] = requests;
    for (const name of ['authorization', 'cookie']) expect(headers).not.toHaveProperty(name);
    expect(headers['user-agent']).toMatch(/^lightspan\/\d+\.\d+\.\d+$/);
  });

  it('LIGHTSPAN_INDEX, which the flag outweighs', async () => {
    const env = { LIGHTSPAN_INDEX: realIndexFile };
    expect(await runCli(check(...green), { env })).toMatchObject({ code: 0 });
    expect(await runCli(check(...green, '--index', 'no/such/file'), { env })).toMatchObject({ code: 3 });
    const { stderr } = await runCli(check(...green, '--offline'), { env: { LIGHTSPAN_INDEX: '' } });
    expect(stderr).toContain(publicIndexUrl);
  });
});

describe('colour', () => {
  const escapeSequence = '\u001b[';
  it.each<[string, string[], Record<string, string>, number | undefined, boolean]>([
    ['none in a pipe', [], {}, undefined, false],
    ['on a terminal', [], {}, 80, true],
    ['NO_COLOR on a terminal', [], { NO_COLOR: '1' }, 80, false],
    ['an empty NO_COLOR says nothing', [], { NO_COLOR: '' }, 80, true],
    ['FORCE_COLOR in a pipe', [], { FORCE_COLOR: '1' }, undefined, true],
    ['FORCE_COLOR=0 on a terminal', [], { FORCE_COLOR: '0' }, 80, false],
    ['FORCE_COLOR=false on a terminal', [], { FORCE_COLOR: 'false' }, 80, false],
    ['a terminal without colours', [], { TERM: 'dumb' }, 80, false],
    ['FORCE_COLOR before that', [], { TERM: 'dumb', FORCE_COLOR: '1' }, 80, true],
    ['a flag before that', ['--color'], { TERM: 'dumb' }, 80, true],
    ['NO_COLOR before FORCE_COLOR', [], { NO_COLOR: '1', FORCE_COLOR: '1' }, 80, false],
    ['the flag before both', ['--color'], { NO_COLOR: '1' }, undefined, true],
    ['the flag before FORCE_COLOR=0', ['--color'], { FORCE_COLOR: '0' }, undefined, true],
    ['the flag against it before both', ['--no-color'], { FORCE_COLOR: '1' }, 80, false],
  ])('%s', async (_, flags, own, columns, coloured) => {
    const world = columns === undefined ? { env: own } : { env: own, columns };
    const { stdout } = await runCli(onRealIndex('1.111.0', '1.115.0', ...flags), world);
    expect(stdout.includes(escapeSequence)).toBe(coloured);
    expect(stdout.includes('█')).toBe(columns !== undefined);
  });
});

describe('an index that is unavailable or cannot be trusted', () => {
  it.each<[string, string | Uint8Array, string, string]>([
    ['an empty file', '', 'invalid-json', 'it is empty'],
    [
      'the last of all entries at fault',
      realIndexText.replace(/"rollingUpdateSafe":true(?=[^\n]*\n\]\})/, '"rollingUpdateSafe":"true"'),
      'invalid-index',
      'entries[3597].rollingUpdateSafe',
    ],
  ])('%s: exit 4', async (_, content, code, message) => {
    const argv = check('1.121.0', '1.121.1', '--index', await fileOf(content));
    const { code: exit, stdout, stderr } = await runCli([...argv, '--json']);
    expect(exit).toBe(4);
    expect(JSON.parse(stdout)).toEqual({
      safe: false,
      error: { code, message: expect.stringContaining(message) },
    });
    expect(stderr).toContain(folder);
    expect(stderr.length).toBeLessThan(500);
    expect(stderr).not.toMatch(/\n\s+at |ZodError/);
    expect(await runCli(argv)).toMatchObject({ code: 4, stdout: '' });
  });
});
