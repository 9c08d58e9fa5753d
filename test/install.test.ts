import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { delimiter, dirname, join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import packageJson from '../package.json' with { type: 'json' };
import { environmentOfNode } from './support/node-under-test.js';
import { temporaryFolder } from './support/temporary-folder.js';

/** What stands under a heading of the README to be pasted, a line a command. */
function pastedFrom(heading: string): string[] {
  const section = readFileSync('README.md', 'utf8').split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
  return [...section.matchAll(/^\$ (.+)$/gm)].map(([, line = '']) => line);
}

/** What git would clone of this folder, and what `npm ci` would install in it, for no test asks the network. */
function clone(folder: string): string {
  const files = execFileSync('git', ['ls-files', '-z'], { encoding: 'utf8' }).split('\0');
  for (const file of files) {
    if (file === '' || !existsSync(file)) continue;
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    cpSync(file, join(folder, file));
  }
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
  return folder;
}

function paste(lines: readonly string[], cwd: string, env: Readonly<Record<string, string>>) {
  const script = lines.map((line) => line.replace(/^npm ci && /, '')).join('\n');
  const { status, stdout, stderr } = spawnSync('bash', ['--noprofile', '--norc', '-ec', script], {
    cwd,
    encoding: 'utf8',
    env: { ...environmentOfNode, npm_config_offline: 'true', ...env },
  });
  return { status, stdout, stderr };
}

describe('what the README says to paste into a clone, in an empty home', () => {
  it('installs the commands, with their completion and the whole bill of materials', () => {
    const folder = temporaryFolder();
    const prefix = join(folder, 'prefix');
    const checkout = clone(join(folder, 'clone'));
    const lines = pastedFrom('Install');
    expect(lines.join('\n')).toMatch(/npm install --global[\s\S]*completion bash/);

    const { status, stdout, stderr } = paste(
      [...lines, 'complete -p lightspan', 'cd /', 'lightspan --version', 'upgrade-check --version'],
      checkout,
      {
        HOME: join(folder, 'home'),
        npm_config_prefix: prefix,
        PATH: [join(prefix, 'bin'), environmentOfNode.PATH].join(delimiter),
      },
    );
    expect({ status, stderr }).toEqual({ status: 0, stderr: expect.not.stringContaining('npm error') });
    expect(stdout).toContain(`-F _lightspan lightspan\n${packageJson.version}\n${packageJson.version}\n`);
    const bill = (dist: string) => readFileSync(join(dist, 'sbom.cdx.json'), 'utf8');
    expect(bill(join(checkout, 'dist'))).toBe(bill('dist'));
  }, 60_000);

  it('checks a first span', () => {
    const folder = temporaryFolder();
    const checkout = clone(join(folder, 'clone'));
    const [line = ''] = pastedFrom('Try it');
    expect(line).toMatch(/^npm ci && npx lightspan upgrade-check /);
    // `npm ci` builds.
    const { status, stdout, stderr } = paste(['npm run build', line], checkout, {
      HOME: join(folder, 'home'),
    });
    expect({ status, stderr }).toEqual({ status: 0, stderr: expect.not.stringContaining('npm error') });
    expect(stdout).toContain('Verdict: SAFE\n');
  }, 60_000);
});

describe('the bill of materials', () => {
  it.each([
    ['npm_config_global', 'true'],
    ['npm_config_location', 'global'],
    ['npm_config_omit', 'dev'],
    ['NODE_ENV', 'production'],
  ])('is the same where npm hands on %s=%s', (name, value) => {
    const dist = temporaryFolder();
    const env = { ...environmentOfNode, [name]: value };
    execFileSync(process.execPath, ['scripts/bundle.js', dist], { env, stdio: ['ignore', 'ignore', 'pipe'] });
    expect(readFileSync(join(dist, 'sbom.cdx.json'), 'utf8')).toBe(
      readFileSync('dist/sbom.cdx.json', 'utf8'),
    );
  });
});
