import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import packageJson from '../package.json' with { type: 'json' };
import { postgresVersions } from '../scripts/fetch-package.js';
import { folders } from '../scripts/mutant-folders.js';
import { temporaryFolder } from './support/temporary-folder.js';

/**
 * Runs a script with nothing on its path but the shell and stand-ins, which record how they are called.
 *
 * @param failing how the call that fails begins
 * @param answers what a stand-in prints
 */
function runWith(
  [program, ...argv]: readonly [string, ...string[]],
  {
    programs,
    failing,
    answers = {},
    cwd,
  }: { programs: readonly string[]; failing?: string; answers?: Record<string, string>; cwd?: string },
) {
  const folder = temporaryFolder();
  const calls = join(folder, 'calls');
  for (const name of ['bash', 'dirname', 'sh', 'cat']) symlinkSync(pathOf(name), join(folder, name));
  for (const name of programs) {
    writeFileSync(join(folder, `${name}.out`), answers[name] ?? '');
    const script = `echo "\${CI:-} ${name} $*" >>'${calls}'
cat '${join(folder, name)}.out'
case "${name} $*" in '${failing ?? 'none'}'*) exit 1 ;; esac`;
    writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  }
  const { status } = spawnSync(program, argv, { cwd, env: { PATH: folder } });
  return { status, calls: existsSync(calls) ? readFileSync(calls, 'utf8').trimEnd().split('\n') : [] };
}

const pathOf = (name: string) =>
  spawnSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).stdout.trim();

const tools = [
  ...[
    'chromium',
    'jq',
    'zsh',
    'fish',
    'dash',
    'shellcheck',
    'git',
    'pre-commit',
    'rsync',
    'unzip',
    'buildah',
    'curl',
    'busybox',
  ],
  ...['psql', 'pg_ctlcluster', 'pgbouncer', 'promtool', 'openssl', 'script', 'mandoc', 'docker'],
];
const steps = ['npm', 'npx'];

describe.skipIf(process.platform === 'win32')('.ci/run', () => {
  const run = (failing?: string) =>
    runWith(['.ci/run'], { programs: [...tools, ...steps], ...(failing === undefined ? {} : { failing }) });
  const { status, calls } = run();
  // The installation runs beside the steps.
  const isStep = (call: string) => steps.some((step) => call.startsWith(`true ${step} `));
  const done = calls.filter(isStep);
  const beforeTools = done.slice(0, done.indexOf('true npm run coverage'));

  it('passes where every step does, and there a program that is missing is a failure', () => {
    expect(status).toBe(0);
    expect(done.length).toBeGreaterThan(6);
    expect(calls.filter((call) => !call.startsWith('true '))).toEqual([]);
  });

  it.each(done)('fails where "%s" does, and ends there', (call) => {
    const failed = run(call.replace('true ', ''));
    expect(failed.status).not.toBe(0);
    expect(failed.calls.filter(isStep)).toEqual(done.slice(0, done.indexOf(call) + 1));
    // It leaves nothing behind that still installs.
    expect(failed.calls.filter((one) => !isStep(one))).toEqual(calls.filter((one) => !isStep(one)));
  });

  it.each([
    ['that it needs', steps],
    ['of docker compose', [...tools, ...steps], 'docker compose version'],
  ])('fails where the programs %s cannot be installed', (_, programs, failing?: string) => {
    const failed = runWith(['.ci/run'], { programs, ...(failing === undefined ? {} : { failing }) });
    expect(failed.status).toBe(1);
    // What needs none of them has run.
    expect(failed.calls.filter(isStep)).toEqual(beforeTools);
  });

  it.each(['apt-get update', 'apt-get install'])('fails where "%s" does', (failing) => {
    const failed = runWith(['.ci/run'], {
      programs: [...steps, 'apt-get', 'id', 'sudo'],
      failing,
      answers: { id: '0' },
    });
    expect(failed.status).not.toBe(0);
    expect(failed.calls).not.toContain('true npm run coverage');
  });
});

describe.skipIf(process.platform === 'win32')('.ci/tools', () => {
  it('takes what the system has no version of from the archive of its own packages', () => {
    const folder = temporaryFolder();
    const others = ['apt-get', 'id', 'mktemp', 'mkdir', 'rm', 'ln', 'dpkg'];
    runWith(['.ci/tools'], {
      programs: [...tools.filter((tool) => tool !== 'docker'), ...others],
      answers: {
        id: '0',
        mktemp: folder,
        'apt-get': 'https://a.example.com/debian/\nhttps://b.example.com/\n',
      },
    });
    const list = readFileSync(join(folder, 'sources.list'), 'utf8');
    expect(list).toMatch(/^deb \[signed-by=\S+\] https:\/\/a\.example\.com\/debian\/ trixie main\n$/);
    expect(readFileSync('.ci/tools', 'utf8')).not.toContain('://');
  });
});

it('every change runs on the oldest Node that is promised', () => {
  const { jobs } = parse(readFileSync('.github/workflows/ci.yml', 'utf8'));
  const floor = packageJson.engines.node.replace('>=', '');
  expect(jobs['oldest-node'].name).toBe(`Node ${floor}, Linux`);
  expect(jobs['oldest-node'].steps.at(-1)).toEqual({ run: `npm run suite -- nodes ${floor}` });
});

it('every night runs all that takes too long for a change', () => {
  const { jobs } = parse(readFileSync('.github/workflows/nightly.yml', 'utf8'));
  expect(jobs.mutants.strategy.matrix.folder).toEqual(Object.keys(folders));
  expect(jobs.postgres.strategy.matrix.major).toEqual(Object.keys(postgresVersions));
});

describe.skipIf(process.platform === 'win32')('scripts/audit.js', () => {
  const advisory = (name: string) =>
    JSON.stringify({ vulnerabilities: { [name]: { name, severity: 'high', range: '<9' } } });

  it.each([
    ['no advisory', '{"vulnerabilities":{}}', 0],
    ['one on what ships', advisory('undici'), 1],
    ['one on a tool of development', advisory('vitest'), 0],
    ['an error', '{"message":"404 Not Found"}', 3],
    ['no answer', '', 3],
    ['a page of a proxy', '<!doctype html>', 3],
  ])('%s', (_, npm, status) => {
    const cwd = temporaryFolder();
    mkdirSync(join(cwd, 'dist'));
    const sbom = { components: [{ name: 'undici' }, { name: 'zod' }] };
    writeFileSync(join(cwd, 'dist', 'sbom.cdx.json'), JSON.stringify(sbom));
    const outcome = runWith([process.execPath, resolve('scripts/audit.js')], {
      programs: ['npm'],
      answers: { npm },
      cwd,
    });
    expect(outcome).toEqual({ status, calls: [' npm audit --json'] });
  });
});
