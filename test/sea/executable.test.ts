import { spawn } from 'node:child_process';
import { copyFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { builtInKnownIssues } from '../../src/known-issues/built-in.js';
import type { Outcome } from '../support/cli.js';
import { realIndexFile, realIndexText } from '../support/real-index.js';
import { serve } from '../support/server.js';
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
});
