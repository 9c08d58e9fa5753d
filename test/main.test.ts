import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { answerAsInstance, everyCommand, metricQuery, uuid } from '../bench/every-command.js';
import { mostBytes } from '../src/gather/limits.js';
import { inventedArtifact } from './support/artifacts.js';
import { declaredCommands } from './support/declarations.js';
import { nodeUnderTest } from './support/node-under-test.js';
import { realIndex, realIndexFile, realIndexText } from './support/real-index.js';
import { listen } from './support/server.js';
import { temporaryFolder } from './support/temporary-folder.js';

const folder = temporaryFolder();
/** An index, its artifacts and an instance, on connections that it would keep open for a minute. */
const answer: RequestListener = (request, response) => {
  const { pathname } = new URL(request.url ?? '', 'http://127.0.0.1');
  const [, artifact] = /^\/artifacts\/(.+)\.json$/.exec(pathname) ?? [];
  const entry = realIndex().entries.find(({ version }) => version === artifact);
  if (pathname === '/index.json') response.end(realIndexText);
  else if (entry !== undefined) response.end(JSON.stringify(inventedArtifact(entry)));
  else answerAsInstance(request, response);
};
const server = createServer(answer);
server.keepAliveTimeout = 60_000;
/** A proxy's connections are kept open as well. */
const proxy = createServer((request, response) => answer(request, response));
proxy.keepAliveTimeout = 60_000;

let url: string;
let proxyUrl: string;
beforeAll(async () => {
  [url, proxyUrl] = [`http://127.0.0.1:${await listen(server)}`, `http://127.0.0.1:${await listen(proxy)}`];
});
afterAll(() => {
  for (const one of [server, proxy]) {
    one.closeAllConnections();
    one.close();
  }
});

writeFileSync(join(folder, 'values.yaml'), 'image:\n  tag: "1.121.0"\n');
writeFileSync(join(folder, 'query.json'), JSON.stringify(metricQuery));

interface Ended {
  readonly code: number | null;
  readonly output: string;
  /** How long the process was there after its last word. */
  readonly lingeredMs: number;
}

/** Runs the program with a standard input that does not end. */
function runOpen(argv: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ended> {
  return new Promise((done, fail) => {
    const child = spawn(nodeUnderTest, [resolve('bin', 'lightspan.cjs'), ...argv], {
      env: {
        LIGHTSPAN_CACHE_DIR: join(folder, 'cache'),
        LIGHTDASH_URL: url,
        LIGHTDASH_PROJECT: uuid,
        LIGHTDASH_API_KEY: 'a token',
        ...env,
      },
    });
    onTestFinished(() => {
      child.kill('SIGKILL');
    });
    let output = '';
    let lastWord = performance.now();
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        output += chunk;
        lastWord = performance.now();
      });
    }
    child.stdin.on('error', () => {});
    child.stdin.write(`${' '.repeat(mostBytes.source)}more, and no end`);
    child.on('error', fail);
    child.on('close', (code) => done({ code, output, lingeredMs: performance.now() - lastWord }));
  });
}

/** A connection that kept the process alive would do so for a minute, or for undici's four seconds. */
const promptMs = 2000;

const span = ['--from', '1.121.0', '--to', '1.123.0'];
const artifacts = () => ['--artifact-url', `${url}/artifacts/{version}.json`];
/** Every command, by what its index is, and what else asks a server. */
const commandsOn = (index: string) =>
  everyCommand({
    index,
    published: ['--index', `${url}/index.json`, ...artifacts()],
    instance: url,
    to: '1.123.0',
    safe: true,
    pin: join(folder, 'values.yaml'),
    metricQueryFile: join(folder, 'query.json'),
    mirrorFolder: join(folder, 'mirror'),
  });
const named = Object.keys(commandsOn(''));

/** What else the machine does only adds: of the first time that is prompt, or of the last of three. */
async function runPrompt(...of: Parameters<typeof runOpen>): Promise<Ended> {
  let ended = await runOpen(...of);
  for (let times = 1; times < 3 && ended.lingeredMs >= promptMs; times += 1) ended = await runOpen(...of);
  expect(ended.lingeredMs).toBeLessThan(promptMs);
  return ended;
}

async function expectPromptEnd(argv: readonly string[], code: number): Promise<void> {
  expect(await runPrompt(argv)).toMatchObject({ code, output: expect.stringMatching(/\S/) });
}

describe('a command ends when it has answered', () => {
  it('each of them is named here', async () => {
    expect([...named].sort()).toEqual((await declaredCommands()).map(({ name }) => name).sort());
  });

  it.each(named)('%s', async (name) => {
    const [argv = [], code = -1] = commandsOn(`${url}/index.json`)[name] ?? [];
    await expectPromptEnd(argv, code);
  });

  it.each(['upgrade-check', 'upgrade-plan'])('%s of a file', async (name) => {
    const [argv = [], code = -1] = commandsOn(realIndexFile)[name] ?? [];
    await expectPromptEnd(argv, code);
  });

  it.each<[string, () => readonly string[], number]>([
    ['it is not there', () => ['upgrade-check', ...span, '--index', `${url}/nothing.json`, '--no-cache'], 4],
    ['standard input is too long', () => ['upgrade-check', ...span, '--index', '-'], 3],
    ['the request is wrong', () => ['upgrade-check', '--from', 'one'], 2],
    ['its help was asked for', () => ['--help'], 0],
    ['its version was asked for', () => ['--version'], 0],
    [
      'artifacts are verified',
      () => [
        ...['upgrade-check', ...span, '--index', `${url}/index.json`, '--no-cache'],
        ...['--verify-artifacts', ...artifacts()],
      ],
      0,
    ],
    ['an instance is asked', () => ['upgrade-plan', '--instance', url, '--index', `${url}/index.json`], 0],
    [
      'a mirror takes artifacts',
      () => [
        ...['index', 'mirror', ...span, '--out', join(folder, 'with-artifacts')],
        ...['--index', `${url}/index.json`, ...artifacts()],
      ],
      0,
    ],
  ])('also where %s', (_, argv, code) => expectPromptEnd(argv(), code));

  it('also behind a proxy', async () => {
    const argv = ['upgrade-check', ...span, '--index', 'http://index.invalid/index.json', '--allow-http'];
    const ended = await runPrompt([...argv, '--no-cache'], { http_proxy: proxyUrl });
    expect(ended).toMatchObject({ code: 0, output: expect.stringContaining('SAFE') });
  });

  it('and what keeps a process alive would be seen', async () => {
    const leak = join(folder, 'leak.mjs');
    writeFileSync(leak, `process.once('beforeExit', () => setTimeout(() => {}, ${promptMs * 1.5}));`);
    const { lingeredMs } = await runOpen(['explain', 'rule-1'], { NODE_OPTIONS: `--import ${leak}` });
    expect(lingeredMs).toBeGreaterThan(promptMs);
  });
});

describe('a fault that nothing has caught', () => {
  it('ends the command before it answers, with 3', async () => {
    const fault = join(folder, 'fault.mjs');
    writeFileSync(fault, 'setTimeout(() => { throw new Error("unforeseen"); });');
    const argv = ['upgrade-check', ...span, '--index', `${url}/index.json`, '--no-cache'];
    const { code, output } = await runOpen(argv, { NODE_OPTIONS: `--import ${fault}` });
    expect({ code, output }).toEqual({
      code: 3,
      output: expect.stringContaining(
        'internal error: unforeseen\nThis is a bug in lightspan. Run again with --debug for the stack trace, and please report it.\n',
      ),
    });
    expect(output).not.toContain('SAFE');
  });
});
