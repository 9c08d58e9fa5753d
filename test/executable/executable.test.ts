import { spawn, spawnSync } from 'node:child_process';
import { closeSync, copyFileSync, existsSync, openSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { builtInKnownIssues } from '../../src/known-issues/built-in.js';
import type { Outcome } from '../support/cli.js';
import { realIndexFile, realIndexText } from '../support/real-index.js';
import { selfSigned } from '../support/self-signed.js';
import { serve, serveTls } from '../support/server.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const built = resolve('build', process.platform === 'win32' ? 'lightspan.exe' : 'lightspan');
const index = resolve(realIndexFile);
let folder: string;
let executable: string;

beforeAll(() => {
  // Alone in a folder: nothing of the repository is near.
  folder = temporaryFolder();
  executable = join(folder, basename(built));
  copyFileSync(built, executable);
});

/** Runs the executable with an empty PATH, and no environment but what is given. */
function runAlone(argv: readonly string[], env: Record<string, string> = {}, stdin = ''): Promise<Outcome> {
  return new Promise((done, fail) => {
    const child = spawn(executable, argv, { cwd: folder, env: { PATH: '', ...env } });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (data) => {
      stdout += data;
    });
    child.stderr.on('data', (data) => {
      stderr += data;
    });
    child.on('error', fail);
    child.on('close', (code) => done({ code, stdout, stderr }));
    child.stdin.on('error', () => {});
    child.stdin.end(stdin);
  });
}

describe('the single executable', () => {
  const green = ['upgrade-check', '--from', '1.121.0', '--to', '1.156.0'];
  const red = ['upgrade-check', '--from', '1.111.0', '--to', '1.115.0'];

  it.each<[name: string, argv: string[], code: number, output: string]>([
    ['its version', ['--version'], 0, `${packageJson.version}\n`],
    ['its help', ['--help'], 0, 'Usage: lightspan'],
    ['a yes', [...green, '--index', index], 0, 'Verdict: SAFE'],
    ['colour, which is loaded lazily', [...green, '--index', index, '--color'], 0, '\u001B[32mSAFE'],
    ['a no', [...red, '--index', index], 1, 'Verdict: UNSAFE'],
    [
      'the known issues that are built in',
      ['known-issues', 'list'],
      0,
      `Known issues: ${builtInKnownIssues.records.length};`,
    ],
    ['a route', ['upgrade-plan', '--from', '1.111.0', '--to', '1.156.0', '--index', index], 0, '1.156.0'],
    ['no version', ['upgrade-check', '--from', 'one', '--to', '1.0.0', '--json'], 2, '"invalid-version"'],
    ['no index', [...green, '--index', 'none.json', '--json'], 3, '"unreadable-source"'],
    ['an index that is none', [...green, '--index', resolve('LICENSE'), '--json'], 4, '"safe":false'],
  ])('says %s', async (_name, argv, code, output) => {
    const outcome = await runAlone(argv);
    expect(outcome).toMatchObject({ code, stdout: expect.stringContaining(output) });
    expect(outcome.stderr).not.toMatch(/ExperimentalWarning|internal error/);
  });

  it('reads standard input', async () => {
    expect(await runAlone([...green, '--index', '-'], {}, realIndexText)).toMatchObject({ code: 0 });
  });

  it.each(['without', 'through'])('fetches %s a proxy', async (way) => {
    const here = (await serve((_, response) => response.end(realIndexText))).url;
    const isProxy = way === 'through';
    const index = `${isProxy ? 'http://index.invalid' : here}/index.json`;
    const argv = [...green, '--index', index, '--allow-http', '--no-cache'];
    const outcome = await runAlone(argv, isProxy ? { http_proxy: here } : {});
    expect(outcome).toMatchObject({ code: 0, stdout: expect.stringContaining('Verdict: SAFE') });
  });

  it('trusts an authority of your own where NODE_EXTRA_CA_CERTS names it, and not before', async () => {
    const { url } = await serveTls((_, response) => response.end(realIndexText));
    const argv = [...green, '--index', `${url}/index.json`, '--no-cache'];
    expect(await runAlone(argv)).toMatchObject({ code: 3, stdout: '' });
    const authority = join(folder, 'ca.pem');
    writeFileSync(authority, selfSigned.cert);
    expect(await runAlone(argv, { NODE_EXTRA_CA_CERTS: authority })).toMatchObject({ code: 0 });
  });

  it('takes neither variables nor programs from files of the folder it is started in', async () => {
    writeFileSync(join(folder, '.env'), 'LIGHTSPAN_INDEX=none.json\n');
    writeFileSync(join(folder, 'bunfig.toml'), 'preload = ["./preload.js"]\n');
    writeFileSync(join(folder, 'preload.js'), "require('node:fs').writeFileSync('preloaded', '');\n");
    expect(await runAlone([...green, '--index', index])).toMatchObject({ code: 0 });
    expect(await runAlone(['index', 'status'])).toMatchObject({
      stderr: expect.not.stringContaining('none.json'),
    });
    expect(existsSync(join(folder, 'preloaded'))).toBe(false);
  });

  it.runIf(existsSync('/dev/full'))('onto a disk that is full, ends with 3 and says why', () => {
    for (const argv of [green, ['upgrade-plan', '--from', '1.121.0']]) {
      const full = openSync('/dev/full', 'w');
      const { status, stderr } = spawnSync(executable, [...argv, '--index', index], {
        cwd: folder,
        env: {},
        stdio: ['ignore', full, 'pipe'],
      });
      closeSync(full);
      expect(status).toBe(3);
      expect(String(stderr)).toMatch(/^lightspan: cannot write standard output: no space is left/m);
    }
  });

  it('whose reader has gone, says no yes', async () => {
    const child = spawn(executable, ['upgrade-plan', '--from', '0.1893.0', '--verbose', '--index', index], {
      cwd: folder,
      env: {},
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    child.stdout.destroy();
    const code = await new Promise((done) => child.on('close', done));
    expect(code).toBe(3);
  });

  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('ends by %s while it waits', async (signal) => {
    const child = await new Promise<ReturnType<typeof spawn>>((asked) => {
      void serve(() => asked(waiting)).then(({ url }) => {
        waiting = spawn(executable, [...green, '--index', url, '--allow-http', '--no-cache'], {
          cwd: folder,
          env: {},
          stdio: 'ignore',
        });
      });
      let waiting: ReturnType<typeof spawn>;
    });
    child.kill(signal);
    expect(await new Promise((done) => child.on('close', (...end) => done(end)))).toEqual([null, signal]);
  });
});
