import { spawn } from 'node:child_process';
import {
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { beforeEach, describe, expect, it } from 'vitest';
import { mostBytes } from '../../src/gather/limits.js';
import { outcomeOf, runCli, spawnCli, testNow } from '../support/cli.js';
import { nodeUnderTest } from '../support/node-under-test.js';
import { spawnMeasured } from '../support/peak-memory.js';
import { indexOf, realIndexFile, realIndexText } from '../support/real-index.js';
import { selfSigned } from '../support/self-signed.js';
import { closedPort, serve, serveTls } from '../support/server.js';
import { folderOfAll, temporaryFolder } from '../support/temporary-folder.js';

let folder = '';
/** Without the folder of what Node keeps of the program, from Node 22.8 on. */
const answersIn = (cache: string) => readdirSync(cache).filter((name) => name !== 'compiled');
beforeEach(() => {
  folder = temporaryFolder();
});

const green = JSON.stringify(indexOf({ version: '1.0.0' }, { version: '1.0.1' }));
const red = green.replaceAll('"rollingUpdateSafe":true', '"rollingUpdateSafe":false');

const later = (seconds: number) => new Date(testNow.getTime() + seconds * 1000);
const argvOf = (source: string, ...options: string[]) => [
  'upgrade-check',
  ...['--from', '1.0.0', '--to', '1.0.1', '--index', source],
  ...options,
];
const check = (source: string, options: string[] = [], now = testNow) =>
  runCli(argvOf(source, ...options), { env: { LIGHTSPAN_CACHE_DIR: join(folder, 'cache') }, now });

/** A server of an index with an ETag; the test turns its answers. */
async function publish(headers: Record<string, string> = {}) {
  const publisher = { index: green, down: false, tag: '"a"' };
  const server = await serve((request, response) => {
    if (publisher.down) return request.socket.destroy();
    for (const [name, value] of Object.entries({ ...(publisher.tag && { etag: publisher.tag }), ...headers }))
      response.setHeader(name, value);
    return request.headers['if-none-match'] === publisher.tag
      ? response.writeHead(304).end()
      : response.end(publisher.index);
  });
  return { publisher, source: `${server.url}/index.json`, requests: server.requests };
}

const cachedFile = () => join(folder, 'cache', readdirSync(join(folder, 'cache'))[0] ?? 'nothing');

describe('a fetched index', () => {
  it('is revalidated each time, however fresh, and read from the cache if it is unchanged', async () => {
    const { source, requests } = await publish({ 'cache-control': 'max-age=300' });
    for (const seconds of [0, 1, 400]) {
      expect(await check(source, [], later(seconds))).toMatchObject({ code: 0, stderr: '' });
    }
    expect(requests.map(({ headers }) => headers['if-none-match'])).toEqual([undefined, '"a"', '"a"']);
  });

  it('that has changed is the new one', async () => {
    const { publisher, source } = await publish();
    expect(await check(source)).toMatchObject({ code: 0 });
    Object.assign(publisher, { index: red, tag: '"b"' });
    expect(await check(source)).toMatchObject({ code: 1 });
    publisher.down = true;
    expect(await check(source, ['--offline'])).toMatchObject({ code: 1 });
  });

  it.each([
    ['no-store is not kept', 'no-store', false],
    ['no-cache is kept', 'no-cache', true],
  ])('%s', async (_, cacheControl, kept) => {
    const { source } = await publish({ 'cache-control': cacheControl });
    expect(await check(source)).toMatchObject({ code: 0 });
    expect(await check(source, ['--offline'])).toMatchObject({ code: kept ? 0 : 3 });
  });

  it('that was generated before the one that was read last is no answer', async () => {
    const { publisher, source } = await publish();
    const aged = (text: string, time: string) =>
      text.replace(/"generatedAt":"[^"]*"/, `"generatedAt":"2026-09-06T${time}Z"`);
    publisher.index = aged(red, '12:00:00');
    expect((await check(source)).code).toBe(1);
    const kept = realpathSync(cachedFile());
    Object.assign(publisher, { index: aged(green, '11:59:59'), tag: '"b"' });
    // What was read last stays what it is.
    for (const _ of [1, 2]) {
      expect(await check(source)).toEqual({
        code: 3,
        stdout: '',
        stderr: `lightspan: the index ${source} was generated 2026-09-06T11:59:59Z, but the one read from there before was generated 2026-09-06T12:00:00Z\nRun again later: a cache in between may return an old one. If the publisher withdrew the newer one, remove ${kept}.\n`,
      });
    }
    expect((await check(source, ['--no-cache'])).code).toBe(0);
    Object.assign(publisher, { index: aged(green, '12:00:00'), tag: '"c"' });
    expect((await check(source)).code).toBe(0);
  });

  it('without an ETag is not kept under that of the answer before', async () => {
    const { source, requests, publisher } = await publish();
    await check(source);
    Object.assign(publisher, { index: red, tag: '' });
    for (const code of [1, 1]) expect(await check(source)).toMatchObject({ code });
    expect(requests.at(-1)?.headers['if-none-match']).toBeUndefined();
  });

  it('is another one under another query', async () => {
    const { url, requests } = await serve((request, response) =>
      response
        .setHeader('cache-control', 'max-age=300')
        .end(request.url === '/index.json?of=green' ? green : red),
    );
    expect(await check(`${url}/index.json?of=green`)).toMatchObject({ code: 0 });
    expect(await check(`${url}/index.json?of=red`)).toMatchObject({ code: 1 });
    expect(await check(`${url}/index.json?of=none`, ['--offline'])).toMatchObject({ code: 3 });
    expect(await check(`${url}/index.json`)).toMatchObject({ code: 1 });
    expect(requests).toHaveLength(3);
  });

  it('304 without a cached body is exit 3', async () => {
    const { url } = await serve((_, response) => response.writeHead(304).end());
    const { code, stderr } = await check(url);
    expect(code).toBe(3);
    expect(stderr).toContain(`${url}/: HTTP 304`);
  });

  it('--no-cache neither uses nor keeps it', async () => {
    const { source, requests } = await publish({ 'cache-control': 'max-age=300' });
    await check(source, ['--no-cache']);
    await check(source, ['--no-cache']);
    expect(requests.map(({ headers }) => headers['if-none-match'])).toEqual([undefined, undefined]);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('with a signature in its address asks with it and shows it nowhere', async () => {
    const { source, requests } = await publish();
    const signed = `${source}?sig=s3cret`;
    const argv = ['upgrade-plan', '--from', '1.0.0', '--index', signed];
    const world = { env: { LIGHTSPAN_CACHE_DIR: join(folder, 'cache') }, now: later(8 * 86_400) };
    const plan = await runCli([...argv, '--json', '--verbose'], world);
    expect(JSON.parse(plan.stdout).index.source).toBe(`${source}?…`);
    const failed = await check(`http://127.0.0.1:${await closedPort()}/?sig=s3cret`);
    expect(failed.code).toBe(3);
    for (const { stdout, stderr } of [plan, failed]) expect(stdout + stderr).not.toContain('s3cret');
    expect(requests.map(({ url }) => url)).toEqual(['/index.json?sig=s3cret']);
  });

  it('with a password in its address shows it nowhere', async () => {
    const { source } = await publish();
    const secret = source.replace('//', '//user:secret@');
    for (const options of [['--verbose'], ['--offline'], ['--json']]) {
      const { stdout, stderr } = await check(secret, options);
      expect(stdout + stderr).not.toContain('secret');
    }
    const gone = `http://user:secret@127.0.0.1:${await closedPort()}/`;
    const { code, stderr } = await check(gone, ['--timeout', '1']);
    expect(code).toBe(3);
    expect(stderr).not.toContain('secret');
  });

  it.each<[string, string | Buffer, RegExp]>([
    ['half of it', green.slice(0, -20), /not JSON/],
    ['an index from the future', green.replace('2026-09-06T18', '2027-09-06T18'), /in the future/],
  ])('%s with status 200: exit 4, and not kept', async (_, body, message) => {
    const { url } = await serve((_, response) =>
      response.setHeader('cache-control', 'max-age=300').end(body),
    );
    const { code, stdout, stderr } = await check(url, ['--json']);
    expect(code).toBe(4);
    expect(JSON.parse(stdout)).toMatchObject({ safe: false });
    expect(stderr).toMatch(message);
    expect(await check(url, ['--offline'])).toMatchObject({ code: 3 });
  });

  it('larger than any index: exit 3', async () => {
    const long = `${' '.repeat(mostBytes.source)}${realIndexText}`;
    const { url } = await serve((_, response) =>
      response.setHeader('content-encoding', 'gzip').end(gzipSync(long)),
    );
    expect(await check(url)).toMatchObject({
      code: 3,
      stderr: expect.stringContaining(`larger than ${mostBytes.source} bytes`),
    });
    const file = join(temporaryFolder(), 'long.json');
    writeFileSync(file, long);
    expect(await check(file)).toMatchObject({ code: 3 });
    const stdin = await runCli(argvOf('-'), { stdin: long });
    expect(stdin).toMatchObject({ code: 3, stderr: expect.stringContaining('standard input is larger') });
  });
});

describe('--offline', () => {
  it('answers from the cache alone, and says how old that is', async () => {
    const { publisher, source, requests } = await publish();
    await check(source);
    publisher.index = red;
    const { code, stderr } = await check(source, ['--offline'], later(7200));
    expect(code).toBe(0);
    expect(stderr).toBe(`Offline: ${source} was not contacted; this is its cached answer, 2 hours old.\n`);
    expect(requests).toHaveLength(1);
  });

  it.each([[[]], [['--no-cache']]])('with nothing cached: exit 3 (%j)', async (options) => {
    const { source, requests } = await publish();
    if (options.length > 0) await check(source);
    const before = requests.length;
    const { code, stdout, stderr } = await check(source, ['--offline', '--json', ...options]);
    expect(code).toBe(3);
    expect(JSON.parse(stdout)).toMatchObject({ safe: false, error: { code: 'not-cached' } });
    expect(stderr).toContain(source);
    expect(requests).toHaveLength(before);
  });

  it('answers from what index verify has fetched, where that found no fault', async () => {
    const { publisher, source } = await publish();
    const env = { LIGHTSPAN_CACHE_DIR: join(folder, 'cache') };
    const verify = () => runCli(['index', 'verify', '--index', source], { env });
    // Its floor is not marked.
    expect(await verify()).toMatchObject({ code: 1 });
    expect(await check(source, ['--offline'])).toMatchObject({ code: 3, stdout: '' });
    const floor = { version: '1.0.0', syntheticRequiredStop: true };
    publisher.index = JSON.stringify(indexOf(floor, { version: '1.0.1' }));
    expect(await verify()).toMatchObject({ code: 0 });
    expect(await check(source, ['--offline'])).toMatchObject({ code: 0 });
  });
});

describe('the age of an index', () => {
  it.each([
    ['--max-age 1h, after 61 minutes', ['--max-age', '1h'], 60, 3, /--max-age requires/],
    ['8 days, nothing said', [], 8 * 86_400, 0, /^Warning: .* is 8 days old/],
    ['made two hours from now', [], -3 * 3600, 4, /in the future/],
  ])('%s', async (_, options, seconds, exit, message) => {
    writeFileSync(join(folder, 'index.json'), green);
    const { code, stderr } = await check(join(folder, 'index.json'), options, later(seconds));
    expect(code).toBe(exit);
    expect(stderr).toMatch(message);
  });
});

describe('a cache that has gone wrong', () => {
  it.each<[string, (file: string) => void]>([
    [
      'one flipped byte',
      (file) => {
        const bytes = readFileSync(file);
        bytes.writeUInt8(bytes.readUInt8(200) ^ 1, 200);
        writeFileSync(file, bytes);
      },
    ],
    ['a foreign entry', (file) => writeFileSync(file, green)],
  ])('%s: dropped, and fetched again', async (_, spoil) => {
    const { source, requests } = await publish({ 'cache-control': 'max-age=300' });
    await check(source);
    spoil(cachedFile());
    const stderr = expect.stringContaining('the cached answer is damaged');
    expect(await check(source, ['--offline'])).toEqual({ code: 3, stdout: '', stderr });
    expect(await check(source)).toMatchObject({ code: 0, stderr: '' });
    expect(requests.map(({ headers }) => headers['if-none-match'])).toEqual([undefined, undefined]);
    expect(await check(source)).toMatchObject({ code: 0, stderr: '' });
    expect(requests.at(-1)?.headers['if-none-match']).toBe('"a"');
  });

  it('an entry of another URL under its name is no answer of it', async () => {
    const [ours, theirs] = [await publish(), await publish()];
    await check(ours.source);
    const file = cachedFile();
    await check(theirs.source);
    const other = answersIn(join(folder, 'cache')).map((name) => join(folder, 'cache', name));
    copyFileSync(other.find((name) => name !== file) ?? '', file);
    const stderr = expect.stringContaining('the cached answer is damaged');
    expect(await check(ours.source, ['--offline'])).toEqual({ code: 3, stdout: '', stderr });
    expect(await check(ours.source)).toMatchObject({ code: 0, stderr: '' });
    expect(ours.requests.at(-1)?.headers['if-none-match']).toBeUndefined();
  });

  it.skipIf(process.platform !== 'linux').each([
    ['is a file', () => writeFileSync(join(folder, 'cache'), '')],
    ['is on a file system that takes no files', () => symlinkSync('/proc/self', join(folder, 'cache'))],
  ])('a cache folder that %s: a warning, and the check goes on', async (_, spoil) => {
    spoil();
    const { source } = await publish();
    const { code, stderr } = await check(source);
    expect(code).toBe(0);
    expect(stderr).toMatch(/^Warning: nothing is cached in .*\n$/);
  });
});

it.skipIf(process.platform === 'win32')(
  'a cache folder that is full: a warning, the check goes on, and no half entry stays',
  async () => {
    const { source } = await publish();
    const env = { PATH: process.env.PATH, LIGHTSPAN_CACHE_DIR: join(folder, 'cache') };
    // A file may grow to 512 bytes, and then there is no room.
    const program = [process.execPath, resolve('bin/lightspan.cjs'), ...argvOf(source)];
    const child = spawn('sh', ['-c', 'ulimit -f 1; exec "$@"', 'sh', ...program], { env });
    const { code, stderr } = await outcomeOf(child);
    expect(code).toBe(0);
    expect(stderr).toMatch(/Warning: nothing is cached in .*cache: /);
    expect(answersIn(join(folder, 'cache'))).toEqual([]);
  },
);

describe.skipIf(process.getuid?.() !== 0)('a cache folder that other users may write', () => {
  const [victim, _attacker] = [4244, 4242];
  const runAs = async (uid: number, argv: string[], cache = join(folder, 'cache')) => {
    const env = { LIGHTSPAN_CACHE_DIR: cache };
    const child = spawn(nodeUnderTest, [resolve('bin/lightspan.cjs'), ...argv], { uid, gid: uid, env });
    const { code, stdout, stderr } = await outcomeOf(child);
    return { code, output: stdout + stderr };
  };

  beforeEach(() => {
    folder = folderOfAll();
  });

  it('is not used: one warning, and no answer offline', async () => {
    const { source } = await publish();
    mkdirSync(join(folder, 'cache'));
    chownSync(join(folder, 'cache'), victim, victim);
    const { code, output } = await runAs(victim, argvOf(source));
    expect(code).toBe(0);
    expect(output.match(/^Warning: .*cache.*$/gm)).toEqual([
      `Warning: nothing is cached in ${folder}/cache: others may write ${folder} (chmod go-w stops that). --no-cache or LIGHTSPAN_CACHE_DIR avoids this.`,
    ]);
    const offline = await runAs(victim, argvOf(source, '--offline'));
    expect(offline.code).toBe(3);
    expect(offline.output).toContain(`the cache ${folder}/cache is not used (others may write ${folder} `);
  });
});

describe('the program as a process', () => {
  const env = () => ({ LIGHTSPAN_CACHE_DIR: join(folder, 'cache') });

  it('two cold runs at once both answer, and leave one whole entry', async () => {
    const { source } = await publish();
    const runs = Array.from({ length: 2 }, () => spawnCli(argvOf(source, '--json'), { env: env() }));
    expect((await Promise.all(runs)).map(({ code }) => code)).toEqual([0, 0]);
    expect(answersIn(join(folder, 'cache'))).toHaveLength(1);
    expect(await spawnCli(argvOf(source, '--offline'), { env: env() })).toMatchObject({ code: 0 });
  });

  it('asks https servers of an authority that NODE_EXTRA_CA_CERTS names, and follows none to plain http', async () => {
    const certificate = join(folder, 'ca.pem');
    writeFileSync(certificate, selfSigned.cert);
    const plain = await serve((_, response) => response.end(green));
    const { url } = await serveTls((request, response) =>
      request.url === '/index' ? response.end(green) : response.writeHead(302, { location: plain.url }).end(),
    );
    const trusting = { env: { ...env(), NODE_EXTRA_CA_CERTS: certificate } };
    expect(await spawnCli(argvOf(`${url}/index`), trusting)).toMatchObject({ code: 0 });
    expect(await spawnCli(argvOf(`${url}/moved`, '--allow-http'), trusting)).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('it leads from https to http'),
    });
    expect(plain.requests).toEqual([]);
  });

  it('ends at once on Ctrl-C while a server does not answer', async () => {
    const child = { interrupt: () => {} };
    const { url } = await serve(() => child.interrupt());
    const running = spawn(process.execPath, [resolve('bin/lightspan.cjs'), ...argvOf(url)], { env: env() });
    child.interrupt = () => running.kill('SIGINT');
    let stdout = '';
    running.stdout.on('data', (chunk) => {
      stdout += chunk;
    });
    const ended = await new Promise((done) => running.on('close', (code, signal) => done({ code, signal })));
    expect([
      { code: null, signal: 'SIGINT' },
      { code: 130, signal: null },
    ]).toContainEqual(ended);
    expect(stdout).toBe('');
  });
});

describe('an address that is written wrong', () => {
  it.each(['https:/u:s3cret@h', 'u:s3cret@h/x', ' https://u:s3cret@h/x', 'ftp://u:s3cret@h/x'])(
    '%s is told as such, without the password',
    async (address) => {
      for (const argv of [argvOf(address), ['release', 'show', '1.0.0', '--artifact-url', address]]) {
        const { code, stdout, stderr } = await runCli(argv);
        expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
        expect(stderr).toMatch(/is not (written as )?a URL|not an address/);
        expect(stderr).not.toContain('s3cret');
      }
      const { code, stderr } = await runCli(argvOf('').slice(0, 5), { env: { LIGHTSPAN_INDEX: address } });
      expect(code).toBe(2);
      expect(stderr).not.toContain('s3cret');
    },
  );

  it('says so of https with every certificate trusted', async () => {
    const { url } = await serveTls((_, response) => response.end(green));
    const outcome = await spawnCli(argvOf(url), { env: { NODE_TLS_REJECT_UNAUTHORIZED: '0' } });
    expect(outcome).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining('NODE_TLS_REJECT_UNAUTHORIZED=0'),
    });
  });
});

describe('an index that was made to take long', () => {
  const hostile: readonly (readonly [string, string, number, string, number])[] = [
    ['60 MiB of brackets', '['.repeat(60 * 1024 ** 2), 3, 'is larger than 25165824 bytes', 150],
    [
      '120,000 releases',
      JSON.stringify({ ...JSON.parse(green), entries: Array(120_000).fill(JSON.parse(green).entries[1]) }),
      4,
      'entries: expected at most 110000 releases, got a list',
      500,
    ],
  ];

  it.each(hostile)('%s', async (_, text, code, message, most) => {
    const file = join(folder, 'index.json');
    writeFileSync(file, text);
    const { peakMb, ...outcome } = await spawnMeasured(argvOf(file));
    expect(outcome).toMatchObject({ code, stdout: '', stderr: expect.stringContaining(message) });
    expect(peakMb).toBeLessThan(most);
  });
});

describe('what a compressed body may do', () => {
  it('10 GB of zeros end at the limit of a source, and the process never held 180 MB', async () => {
    const block = gzipSync(Buffer.alloc(64 * 1024 ** 2));
    const { url } = await serve((_, response) => {
      response.setHeader('content-encoding', 'gzip');
      for (let i = 0; i < 160; i += 1) response.write(block);
      response.end();
    });
    const argv = argvOf(url, '--no-cache');
    const { code, stderr, peakMb } = await spawnMeasured(argv);
    expect({ code, stderr }).toEqual({ code: 3, stderr: expect.stringContaining('the body is larger than') });
    expect(peakMb).toBeLessThan(180);
  });

  const codings = [
    ['gzip', gzipSync(green)],
    ['br', brotliCompressSync(green)],
  ] as const;
  it.each(codings)('an index of %s cut short is no answer, and is not kept', async (coding, whole) => {
    let length = 0;
    const { url } = await serve((_, response) => {
      response.writeHead(200, { 'content-encoding': coding, 'content-length': length });
      response.end(whole.subarray(0, length));
    });
    // In its last bytes is a checksum: what comes before them may be the whole index.
    for (let missing = 12; missing <= whole.length; missing += 8) {
      length = whole.length - missing;
      expect((await check(url)).code, `without its last ${missing} bytes`).toBe(4);
      expect(existsSync(join(folder, 'cache'))).toBe(false);
    }
    length = whole.length;
    expect((await check(url)).code).toBe(0);
  });
});

it('where no server is reached, it says what to give instead, and of artifacts the failure once', async () => {
  const nowhere = `http://127.0.0.1:${await closedPort()}`;
  const { code, stderr } = await check(`${nowhere}/index.json`);
  expect(code).toBe(3);
  for (const way of ['--index <file or folder>', 'lightspan index mirror', '--offline']) {
    expect(stderr).toContain(way);
  }
  const artifacts = ['--artifact-url', `${nowhere}/{version}.json`, '--no-cache'];
  const { stdout } = await runCli([
    ...['upgrade-report', '--from', '1.121.0', '--to', '1.125.0', '--index', realIndexFile],
    ...artifacts,
  ]);
  expect(stdout.match(/ECONNREFUSED/g)).toHaveLength(1);
  expect(stdout).toContain(
    `: the artifact is unavailable, GET ${nowhere}/{version}.json: connect ECONNREFUSED`,
  );
});
