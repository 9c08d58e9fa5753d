import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { Command } from 'commander';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareVersions } from '../src/core/version.js';
import { defineCommand } from '../src/door/declare.js';
import { checkOptions } from '../src/door/options/check-options.js';
import { builtInRecords } from '../src/known-issues/built-in.js';
import { byteFault, jsonFault } from './faults/mutations.js';
import { type Outcome, runCli } from './support/cli.js';
import { plainProgram, runPlain } from './support/plain-check.js';
import { indexOf, realIndex, realIndexJson } from './support/real-index.js';
import { serve } from './support/server.js';
import { temporaryFolder } from './support/temporary-folder.js';

const folder = temporaryFolder();
const write = (name: string, text: string | Uint8Array) => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};
const published = write('published.json', JSON.stringify(realIndexJson(), null, 2));
const check = (...options: readonly string[]) => ['upgrade-check', ...options, '--index', published];
const span = ['--from', '1.121.0', '--to', '1.156.0'];

const smallIndex = JSON.stringify(
  indexOf(
    { version: '1.0.0' },
    { version: '1.1.0', requiredStops: ['1.0.0'] },
    { version: '1.2.0', minPreviousVersion: '1.1.0' },
    { version: '1.3.0', rollingUpdateSafe: false, backfilled: true },
  ),
  null,
  2,
);

/** Every way to damage an index, or to write it otherwise, of which a reader of its published form may miss one. */
const kindsOfDamage: Readonly<Record<string, (text: string) => string | Buffer>> = {
  'nothing in it': () => '',
  'its first half': (text) => text.slice(0, text.length / 2),
  'its last byte gone': (text) => text.slice(0, -1),
  'more behind it': (text) => `${text}{}`,
  'a byte order mark': (text) => `\uFEFF${text}`,
  'lines that end as on Windows': (text) => text.replaceAll('\n', '\r\n'),
  'one line': (text) => JSON.stringify(JSON.parse(text)),
  'a space before each colon': (text) => text.replaceAll('":', '" :'),
  'a byte that is no UTF-8': (text) => Buffer.from(text.replace('2026', '2026\xff'), 'latin1'),
  'letters beyond ASCII': (text) => text.replace('"requiredStops"', '"requiredStöps"'),
  'an escape in a key': (text) => text.replace('"version"', '"\\u0076ersion"'),
  'another key': (text) => text.replace('"version"', '"note": "",\n      "version"'),
  'a key less': (text) => text.replace(/ *"backfilled": false,\n/, ''),
  'a key twice': (text) =>
    text.replace('"backfilled": false', '"backfilled": true,\n      "backfilled": false'),
  'a verdict that is text': (text) =>
    text.replace('"rollingUpdateSafe": true', '"rollingUpdateSafe": "true"'),
  'a verdict that is null': (text) => text.replace('"rollingUpdateSafe": true', '"rollingUpdateSafe": null'),
  'a version with a leading zero': (text) => text.replaceAll('1.2.0', '1.02.0'),
  'a version of sixteen digits': (text) => text.replaceAll('1.2.0', `1.${'2'.repeat(16)}.0`),
  'a date that is none': (text) => text.replace(/"releaseDate": "[^"]*"/, '"releaseDate": "yesterday"'),
  'a date to come': (text) => text.replace(/"generatedAt": "[^"]*"/, '"generatedAt": "2099-01-01T00:00:00Z"'),
  'another schema': (text) => text.replace('"schemaVersion": "1"', '"schemaVersion": "2"'),
  'a floor above all': (text) =>
    text.replace(/"backfillFloorVersion": [^,]*/, '"backfillFloorVersion": "9.0.0"'),
  'no entries': (text) => changed(text, () => []),
  'an entry less': (text) => changed(text, (entries) => entries.toSpliced(1, 1)),
  'an entry twice': (text) => changed(text, (entries) => [...entries, ...entries.slice(-1)]),
  'two entries in each other\u2019s place': (text) => changed(text, ([a, b, ...rest]) => [b, a, ...rest]),
  'entries from new to old': (text) => changed(text, (entries) => entries.toReversed()),
  'a wrong previous version': (text) =>
    text.replaceAll('"previousVersion": "1.0.0"', '"previousVersion": "0.9.0"'),
  'more stops than any release has': (text) =>
    text.replace('"1.0.0"\n', `${Array(150).fill('"1.0.0"').join(', ')}\n`),
};

function changed(text: string, change: (entries: readonly unknown[]) => readonly unknown[]): string {
  const index = JSON.parse(text);
  return JSON.stringify({ ...index, entries: change(index.entries) }, null, 2);
}

/** What the whole program answers, and plain.cjs where it does: they must not differ in a byte. */
async function answers(argv: readonly string[], world: Parameters<typeof runPlain>[1] = {}) {
  const [plain, whole] = [await runPlain(argv, world), await runCli(argv, world)];
  if (plain !== undefined) expect(plain, argv.join(' ')).toEqual(whole);
  return { plain, whole };
}

describe('a plain check answers as the whole program does', () => {
  it.each([
    check(...span),
    check(...span, '--json'),
    check(...span, '--format', 'json'),
    check(...span, '--format', 'text'),
    check('--json', '--from', '1.121.0'),
    check('--from', '1.121.0', '--to', 'latest'),
    check('--from', 'v1.121.0', '--to', ' 1.156.0'),
    check('--from', '2.125.0', '--to', '2.127.0'),
    check('--from', '2.125.0', '--to', '2.127.0', '--json'),
    check('--from', '0.1.0', '--to', '2.134.2'),
    check('--from', '2.134.2', '--to', '2.134.2'),
    check('--from', '9.0.0'),
  ])('%j', async (...argv) => {
    expect((await answers(argv)).plain).toBeDefined();
  });

  it('on spans from any release to any other, as text and as JSON', async () => {
    const versions = realIndex().entries.map(({ version }) => version);
    const position = fc.nat({ max: versions.length - 1 });
    await fc.assert(
      fc.asyncProperty(position, position, fc.constantFrom('text', 'json'), async (a, b, format) => {
        const [from = '', to = ''] = [versions[Math.min(a, b)], versions[Math.max(a, b)]];
        const { plain } = await answers(check('--from', from, '--to', to, '--format', format));
        expect(plain).toBeDefined();
      }),
      { numRuns: 60 },
    );
  });

  it.each(builtInRecords.map((record) => [record.id, record] as const))(
    'on upgrades that %s is about',
    async (_, { affected }) => {
      const versions = realIndex().entries.map(({ version }) => version);
      for (const { introduced, fixed } of affected) {
        const at = versions.findIndex((version) => compareVersions(version, introduced) >= 0);
        const [before, first = ''] = versions.slice(at < 1 ? -2 : at - 1);
        if (before === undefined) throw new Error('there is no release to start from');
        const isPassed = fixed !== undefined && compareVersions(before, fixed) < 0;
        for (const to of isPassed ? [first, fixed] : [first]) {
          for (const format of ['text', 'json']) {
            const { plain } = await answers(check('--from', before, '--to', to, '--format', format));
            expect(plain).toBeDefined();
          }
        }
      }
    },
  );

  it('in months to come, when the index is old', async () => {
    const { plain } = await answers(check(...span), { now: new Date('2027-02-01T00:00:00Z') });
    expect(plain?.stderr).toContain('Warning: the index');
  });

  it.each(Object.entries(kindsOfDamage))('with an index that has %s', async (_, damage) => {
    const damaged = damage(smallIndex);
    expect(String(damaged)).not.toBe(smallIndex);
    const index = write('damaged.json', damaged);
    for (const to of ['1.2.0', '1.3.0', 'latest']) {
      for (const format of ['text', 'json']) {
        await answers(['upgrade-check', '--from', '1.0.0', '--to', to, '--index', index, '--format', format]);
      }
    }
  });

  it('with an index that is damaged or written otherwise', async () => {
    const damaged = fc.oneof(
      byteFault.map(({ apply }) => apply(Buffer.from(smallIndex))),
      jsonFault.map(({ apply }) => Buffer.from(apply(smallIndex))),
    );
    let answered = 0;
    const alike = fc.asyncProperty(
      damaged,
      fc.constantFrom('1.2.0', '1.3.0', 'latest'),
      async (bytes, to) => {
        const index = write('damaged.json', bytes);
        const argv = ['upgrade-check', '--from', '1.0.0', '--to', to, '--index', index, '--json'];
        if ((await answers(argv)).plain !== undefined) answered += 1;
      },
    );
    // Of so many, the plain check answers 16 or so; where few are among them, they are not all.
    for (let rounds = 0; rounds < 3 && answered <= 5; rounds += 1) await fc.assert(alike, { numRuns: 200 });
    expect(answered).toBeGreaterThan(5);
  });
});

describe('a plain check in a GitHub job', () => {
  it.each(['text', 'json'])('writes its log as %s without what the runner obeys', async (format) => {
    const index = write('##[error]index.json', readFileSync(published));
    const argv = ['upgrade-check', ...span, '--format', format, '--index', index];
    const [env, now] = [{ GITHUB_ACTIONS: 'true' }, new Date('2027-02-01T00:00:00Z')];
    const { plain } = await answers(argv, { env, now });
    expect(plain?.stderr).toContain('#\\#[error]');
  });
});

describe('a plain check of an index behind a URL', () => {
  const env = { LIGHTSPAN_CACHE_DIR: join(folder, 'cache') };
  const ask = (url: string, ...options: readonly string[]) => {
    return answers(['upgrade-check', ...span, '--index', url, ...options], { env });
  };
  const index = readFileSync(published);

  it.each([[], ['--json']])('asks once: %j', async (...options) => {
    const { url, requests } = await serve((_, response) => {
      response.writeHead(200, { 'cache-control': 'no-store' }).end(index);
    });
    expect((await ask(`${url}/index.json`, ...options)).plain?.code).toBe(0);
    // The whole program has asked, too.
    expect(requests.map(({ headers }) => headers['user-agent'])).toEqual(Array(2).fill(expect.any(String)));
  });

  it('keeps it, and asks whether it has changed', async () => {
    const { url, requests } = await serve(({ headers }, response) => {
      const isKept = headers['if-none-match'] === '"a"';
      response.writeHead(isKept ? 304 : 200, { etag: '"a"' }).end(isKept ? undefined : index);
    });
    expect((await ask(`${url}/index.json`)).plain?.code).toBe(0);
    expect(requests.map(({ headers }) => headers['if-none-match'])).toEqual([undefined, '"a"']);
    expect((await ask(`${url}/index.json`)).plain?.code).toBe(0);
    expect(requests.at(2)?.headers['if-none-match']).toBe('"a"');
  });

  it('follows redirects, and decodes', async () => {
    const { url } = await serve((request, response) => {
      if (request.url === '/index.json') response.writeHead(302, { location: '/other' }).end();
      else response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(index));
    });
    expect((await ask(`${url}/index.json`)).plain?.code).toBe(0);
  });

  it.each([
    [404, 'no', 'answered', 3],
    [200, 'not JSON', 'left', 4],
  ])('that answers %i, %s: it is %s', async (status, body, expected, code) => {
    const { url, requests } = await serve((_, response) => {
      response.writeHead(status).end(body);
    });
    for (const options of [[], ['--json']]) {
      const argv = ['upgrade-check', ...span, '--index', `${url}/index.json`, ...options];
      const withoutTime = (said: Outcome | undefined) =>
        said && JSON.parse(JSON.stringify(said).replaceAll(/after [\d.]+ s/g, 'after some time'));
      const [plain, whole] = [await runPlain(argv, { env }), await runCli(argv, { env })];
      expect(plain === undefined ? 'left' : 'answered').toBe(expected);
      expect(whole.code).toBe(code);
      if (plain !== undefined) expect(withoutTime(plain)).toEqual(withoutTime(whole));
    }
    expect(requests).toHaveLength(4);
  });

  it('says meanwhile that it waits', async () => {
    const { url } = await serve((_, response) => {
      setTimeout(() => response.end(index), 2_700);
    });
    expect((await ask(`${url}/index.json`)).plain?.stderr).toContain('Waiting: ');
  });

  it('leaves it to the whole program where there is a proxy', async () => {
    const proxy = { ...env, HTTPS_PROXY: 'http://127.0.0.1:1' };
    const argv = ['upgrade-check', ...span, '--index', 'https://example.invalid/index.json'];
    expect(await runPlain(argv, { env: proxy })).toBeUndefined();
  });
});

describe('a plain check leaves to the whole program', () => {
  const reversed = JSON.stringify({ ...realIndexJson(), entries: realIndexJson().entries.reverse() });
  const repository = (file: string) => {
    const place = temporaryFolder();
    mkdirSync(join(place, '.git'));
    writeFileSync(join(place, file), 'to: 1.156.0\n');
    return place;
  };

  it.each<[string, readonly string[], Record<string, string>?]>([
    ['another option', check(...span, '--verbose')],
    ['another way to write one', check('--from=1.121.0', '--to', '1.156.0')],
    ['an option twice', check(...span, '--to', '1.157.0')],
    ['an option without its value', check('--from', '1.121.0', '--to')],
    ['a value that is an option', check('--from', '--to', '1.156.0')],
    ['a version that is none', check('--from', 'one')],
    ['a target that only routes have', check('--from', '1.121.0', '--to', 'latest-rolling')],
    ['no start', check('--to', '1.156.0')],
    ['another format', check(...span, '--format', 'junit')],
    ['two formats', check(...span, '--json', '--format', 'text')],
    ['an operand', check(...span, 'more')],
    ['an older target', check('--from', '1.156.0', '--to', '1.121.0')],
    ['an index that is not there', ['upgrade-check', ...span, '--index', join(folder, 'nothing')]],
    ['an index on standard input', ['upgrade-check', ...span, '--index', '-']],
    ['a mistyped URL', ['upgrade-check', ...span, '--index', 'http//127.0.0.1:1/index.json']],
    ['a mirror', ['upgrade-check', ...span, '--index', 'fixtures/mirror']],
    ['an index from new to old', ['upgrade-check', ...span, '--index', write('reversed.json', reversed)]],
    ['an index from the future', check(...span, '--json'), { now: '2026-09-06T00:00:00Z' }],
    ['more known issues', check(...span), { LIGHTSPAN_KNOWN_ISSUES: 'known-issues' }],
    ['colour', check(...span), { FORCE_COLOR: '1', left: 'no' }],
  ])('%s', async (_, argv, { now, left = 'yes', ...env } = {}) => {
    const { plain } = await answers(argv, { env, ...(now && { now: new Date(now) }) });
    expect(plain === undefined ? 'yes' : 'no').toBe(left);
  });

  it.each(['lightspan.yaml', 'other.yaml'])('%s in reach, if it is that of settings', async (file) => {
    const before = process.cwd();
    process.chdir(repository(file));
    try {
      expect((await runPlain(check(...span))) === undefined).toBe(file === 'lightspan.yaml');
    } finally {
      process.chdir(before);
    }
  });
});

describe('the options of a plain check', () => {
  /** As commander reads them for the whole program. */
  async function whole(argv: readonly string[]): Promise<unknown> {
    let read: unknown;
    const declared = defineCommand({
      takes: checkOptions,
      run: (options) => {
        read = { ...options };
        return 0;
      },
      exitCodes: { 0: '', 2: '' },
      examples: ['', ''],
    });
    const program = new Command('lightspan').exitOverride().configureOutput({ writeErr: () => {} });
    program.addCommand(
      declared(new Command('upgrade-check').copyInheritedSettings(program), async ({ run }) => {
        await run({}, {} as never, {} as never);
      }),
    );
    await program.parseAsync(argv, { from: 'user' }).catch(() => {});
    return read;
  }

  const word = fc.constantFrom(
    ...['--from', '--to', '--index', '--json', '--format', '--format=json', '--verbose', '--', '-'],
    ...['1.121.0', 'v1.121.0', 'latest', 'json', 'text', 'junit', 'index.json', '', ' ', '--no-cache'],
  );
  const options = fc.subarray([
    ['--from', '1.121.0'],
    ['--to', '1.156.0'],
    ['--index', 'index.json'],
    ['--json'],
    ['--format', 'json'],
  ]);
  const line = fc.oneof(
    fc.array(word, { maxLength: 9 }),
    fc.tuple(options, fc.array(word, { maxLength: 1 })).map(([some, more]) => [...some.flat(), ...more]),
  );

  it('are those of commander, whatever is written', async () => {
    const { readPlainOptions } = plainProgram();
    let plain = 0;
    await fc.assert(
      fc.asyncProperty(line, async (words) => {
        const argv = ['upgrade-check', ...words];
        let read: unknown;
        try {
          read = readPlainOptions(argv);
        } catch {
          return;
        }
        if (read === undefined) return;
        plain += 1;
        expect(read).toEqual(await whole(argv));
      }),
      { numRuns: 2000 },
    );
    expect(plain).toBeGreaterThan(50);
  });
});
