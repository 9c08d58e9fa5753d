import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeEach, describe, expect, it } from 'vitest';
import { builtInKnownIssues as builtInText, feedOf } from '../../../scripts/built-in-known-issues.js';
import type { KnownIssue } from '../../../src/known-issues/records.js';
import { runCli } from '../../support/cli.js';
import { recordOf } from '../../support/known-issues.js';
import { indexOf, realIndexFile } from '../../support/real-index.js';
import { serve } from '../../support/server.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

/** A feed of records at a URL, by real sockets: it may take a yes away, and nothing that is wrong with it gives one. */

const now = new Date('2026-12-10T12:00:00Z');
const later = (minutes: number) => new Date(now.getTime() + minutes * 60_000);
let folder = '';
let index = '';
let env: Record<string, string> = {};
let answer: (response: ServerResponse) => void = () => {};
let asked: (string | undefined)[] = [];
let url = '';

beforeEach(async () => {
  folder = temporaryFolder();
  index = join(folder, 'index.json');
  const rows = ['2.0.0', '2.1.0', '2.2.0'].map((version) => ({
    version,
    releaseDate: '2026-11-20T00:00:00Z',
  }));
  writeFileSync(index, JSON.stringify({ ...indexOf(...rows), generatedAt: '2026-12-10T00:00:00Z' }));
  env = { LIGHTSPAN_CACHE_DIR: join(folder, 'cache') };
  asked = [];
  const server = await serve((request, response) => {
    asked.push(request.headers['if-none-match']);
    answer(response);
  });
  url = `${server.url}/known-issues.json`;
});

const broken = recordOf({
  id: 'broken',
  affected: [{ introduced: '2.2.0', fixed: '2.3.0' }],
  effect: { kind: 'avoid-landing' },
});
const fine = recordOf({ id: 'fine', affected: [{ introduced: '1.0.0', fixed: '1.1.0' }] });
const feed = (records: readonly KnownIssue[], asOf = '2026-12-10', version = '2.200.0') =>
  JSON.stringify({
    schemaVersion: '1',
    publishedAt: now.toISOString(),
    knownThrough: { version, asOf },
    records,
  });
const sending = (body: string | Uint8Array, headers: Record<string, string> = {}, status = 200) => {
  answer = (response) => response.writeHead(status, headers).end(body);
};

const check = (more = '', at = now, to = '--to recommended') =>
  runCli(
    `upgrade-check --from 2.0.0 ${to} --index ${index} --known-issues ${url} --timeout 2s ${more}`
      .trim()
      .split(' '),
    { now: at, env },
  );

describe('a feed of records', () => {
  it('that npm run generate -- known-issues writes is read, and reaches as far as the built-in records', async () => {
    sending(feedOf(builtInText(), now));
    expect(JSON.parse(feedOf(builtInText(), now))).toMatchObject({
      publishedAt: '2026-12-10T12:00:00.000Z',
      knownThrough: { version: expect.any(String), asOf: expect.any(String) },
    });
    const { code, stdout, stderr } = await check();
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/Target: recommended; 2\.2\.0 is 20 days old/);
  });

  it('turns a recommendation away from a release once it knows it is broken', async () => {
    sending(feed([broken]));
    expect(await check()).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Target: recommended; 2.1.0 is 20 days old; 2.2.0 is skipped: broken'),
    });
  });

  it('is fetched once an hour, then revalidated by its ETag', async () => {
    answer = (response) => {
      if (asked.at(-1) === '"1"') response.writeHead(304).end();
      else response.writeHead(200, { etag: '"1"' }).end(feed([broken]));
    };
    for (const minutes of [0, 1, 59]) expect((await check('', later(minutes))).stdout).toContain('broken');
    expect(asked).toEqual([undefined]);
    expect((await check('', later(61))).stdout).toContain('broken');
    expect(asked).toEqual([undefined, '"1"']);
    // It was confirmed: another hour.
    await check('', later(110));
    expect(asked).toHaveLength(2);
    // A clock that was ahead: what is from the future is not fresh.
    await check('', later(-60));
    expect(asked).toHaveLength(3);
  });

  it('is read from the cache alone with --offline, and fetched every time without a cache', async () => {
    sending(feed([broken]));
    expect((await check('--offline')).code).toBe(3);
    await check();
    expect((await check('--offline', later(300))).stdout).toContain('2.2.0 is skipped: broken');
    expect(asked).toHaveLength(1);
    await check('--no-cache');
    await check('--no-cache');
    expect(asked).toHaveLength(3);
  });

  it('says once what it withdrew or changed', async () => {
    sending(feed([broken, fine]));
    await check();
    const modified = '2026-12-09T00:00:00Z';
    sending(
      feed([
        { ...broken, modified, withdrawn: modified },
        { ...fine, modified, summary: 'Worse.' },
      ]),
    );
    const { code, stderr } = await check('', later(61));
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr:
        `Records: ${url} has withdrawn the known issue broken (${modified}).\n` +
        `Records: ${url} has changed the known issue fine (${modified}).\n`,
    });
    expect((await check('', later(122))).stderr).toBe('');
  });

  it('that loses a record without withdrawing it does not lose the no', async () => {
    sending(feed([broken, fine]));
    await check();
    sending(feed([fine]));
    for (const minutes of [61, 122]) {
      const { stdout, stderr } = await check('', later(minutes));
      expect(stdout).toContain('2.2.0 is skipped: broken');
      expect(stderr).toContain(`${url} no longer has the known issue broken, which it had before`);
    }
    // Whoever removed it for good does what the warning says.
    const [, file = ''] = /remove (\S+)\.\n/.exec((await check('', later(190))).stderr) ?? [];
    rmSync(file);
    expect((await check('', later(251))).stdout).toContain('2.2.0 is 20 days old');
  });

  it('that is older than the one read before is no answer', async () => {
    sending(feed([broken], '2026-12-10'));
    await check();
    sending(feed([broken], '2026-12-09'));
    expect(await check('', later(61))).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('as of 2026-12-09, but those read from there before as of 2026-12-10'),
    });
  });

  it('that is older than the built-in records withdraws none of them, and is reported', async () => {
    const old = feed([fine], '2026-01-01', '1.0.0');
    sending(old);
    const line = `upgrade-check --from 1.123.1 --to 1.134.0 --index ${realIndexFile}`;
    const alone = await runCli(line.split(' '), { now, env });
    const beside = await runCli(`${line} --known-issues ${url}`.split(' '), { now, env });
    expect(alone.code).toBe(1);
    expect({ code: beside.code, headline: /^Answer: .*/m.exec(beside.stdout)?.[0] }).toEqual({
      code: 1,
      headline: /^Answer: .*/m.exec(alone.stdout)?.[0],
    });
    expect(beside.stderr).toMatch(
      /known issues http\S+ end at 1\.0\.0 \(as of 2026-01-01\), and those that are built in at 2\./,
    );
  });

  it('that is late is named in the headline, and is exit 3 where records are required', async () => {
    sending(feed([fine], '2026-12-01'));
    expect((await check('', new Date('2027-02-22T13:00:00Z'))).stdout).toMatch(
      /^Answer: yes, rolling; records end at 2\.200\.0, 83 days ago: an age protects only with records$/m,
    );
    expect((await check('--require-records')).code).toBe(3);
  });

  const noAnswer: Readonly<Record<string, () => void>> = {
    'is not there': () => sending('not found', {}, 404),
    'was withdrawn': () => sending('gone', {}, 410),
    'moved to a login page': () => sending('', { location: 'https://a.example/login' }, 302),
    'has a fault': () => sending('oops', {}, 500),
    'says nothing': () => sending(''),
    'is a page': () => sending('<!doctype html><title>Sign in</title>', { 'content-type': 'text/html' }),
    'has no records': () => sending(feed([])),
    'is an empty object': () => sending('{}'),
    'is a list': () => sending('[]'),
    'is cut short': () =>
      sending(feed([fine]).slice(0, -20), { 'content-length': String(feed([fine]).length) }),
    'is cut where it still looks whole': () => sending('{"schemaVersion":"1"}'),
    'is of a newer form': () => sending(feed([fine]).replace('"schemaVersion":"1"', '"schemaVersion":"2"')),
    'has a key twice': () => sending(feed([fine]).replace('{', '{"records":[],')),
    'has a key that nobody knows': () => sending(feed([fine]).replace('{', '{"__proto__":{"a":1},')),
    'is of tomorrow': () => sending(feed([fine], '2026-12-30')),
    'was modified tomorrow': () => sending(feed([{ ...fine, modified: '2026-12-30T00:00:00Z' }])),
    'is no UTF-8': () => sending(Buffer.from([0x7b, 0xff, 0xfe])),
    'is deep': () => sending('['.repeat(100_000)),
    'is larger than it may be': () =>
      sending(gzipSync(Buffer.alloc(64 * 1024 ** 2, ' ')), { 'content-encoding': 'gzip' }),
    'never ends': () => {
      answer = (response) => {
        response.writeHead(200);
        const timer = setInterval(() => response.write(' '), 50);
        response.on('close', () => clearInterval(timer));
      };
    },
    'never begins': () => {
      answer = () => {};
    },
    'hangs up': () => {
      answer = (response) => response.destroy();
    },
  };

  it.each(Object.entries(noAnswer))('that %s never makes a yes', async (_, prepare) => {
    prepare();
    const { code, stdout } = await check();
    expect({ isNoAnswer: code === 3 || code === 4, stdout }).toEqual({ isNoAnswer: true, stdout: '' });
    // Neither is kept for the next time, where there was nothing before.
    sending(feed([broken]));
    expect((await check('', later(1))).stdout).toContain('2.2.0 is skipped: broken');
  });

  it.each(Object.entries(noAnswer))(
    'that %s does not live on what was read an hour ago',
    async (_, prepare) => {
      sending(feed([fine]));
      expect((await check()).code).toBe(0);
      prepare();
      const { code, stdout } = await check('', later(61));
      expect({ isNoAnswer: code === 3 || code === 4, stdout }).toEqual({ isNoAnswer: true, stdout: '' });
    },
  );

  it('that was altered in the cache is fetched again', async () => {
    sending(feed([broken]));
    await check();
    const cache = join(folder, 'cache');
    for (const name of readdirSync(cache).filter((name) => !name.includes('compiled'))) {
      const file = join(cache, name);
      writeFileSync(file, readFileSync(file, 'utf8').replace('"broken"', '"harmless"'));
    }
    expect((await check('', later(1))).stdout).toContain('2.2.0 is skipped: broken');
    expect(asked).toHaveLength(2);
  });
});
