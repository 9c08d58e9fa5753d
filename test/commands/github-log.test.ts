import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type CliWorld, runCli } from '../support/cli.js';
import { recordOf } from '../support/known-issues.js';
import { indexOf, realIndexJson } from '../support/real-index.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const command = '::set-env name=PATH::/evil';
const hostile = JSON.stringify({
  ...realIndexJson(),
  schemaVersion: '##[error]x',
  generatedAt: `\n${command}`,
});
const inActions: CliWorld = { env: { GITHUB_ACTIONS: 'true' }, stdin: hostile };

describe('in a GitHub job, text', () => {
  it.each<[string, string[], CliWorld]>([
    ['of faults', ['index', 'verify', '--index', '-'], inActions],
    ['of a failure', ['upgrade-check', '--from', '1.0.0', '--to', '1.0.1', '--index', '-'], inActions],
    ['of a usage error', ['upgrade-check', '--from', '1.0.0', '--to', `\n${command}`], inActions],
    ['of a hint', ['upgrade-check', '--from', '##[group]', '--to', '1.0.0'], inActions],
    ['of a failure in JSON', ['index', 'status', '--json', '--index', `\n${command}`], inActions],
    ['of an unknown command', [`${command}`], inActions],
  ])('%s holds no workflow command', async (_, argv, world) => {
    const { stdout, stderr } = await runCli(argv, world);
    expect(stdout + stderr).not.toBe('');
    expect(stderr).not.toMatch(/^\s*::|##\[/m);
    if (!argv.includes('--json')) expect(stdout).not.toMatch(/^\s*::|##\[/m);
  });

  it.each([
    ['upgrade-check', '--from', '2.0.0', '--to', '2.1.0'],
    ['upgrade-check', '--from', '2.0.0', '--to', '2.1.0', '--format', 'github'],
    ['upgrade-plan', '--from', '2.0.0', '--to', '2.1.0'],
    ['upgrade-report', '--from', '2.0.0', '--to', '2.1.0', '--artifact-url', 'fixtures/mirror'],
    ['known-issues', 'list'],
    ['known-issues', 'show', 'hostile'],
  ])('of what is known against a release holds none: %s', async (...argv) => {
    const folder = temporaryFolder();
    const index = join(folder, 'index.json');
    writeFileSync(index, JSON.stringify(indexOf({ version: '2.0.0' }, { version: '2.1.0' })));
    const said = 'It says ##[group]x.';
    const affected = [{ introduced: '2.1.0' }];
    const record = recordOf({ id: 'hostile', affected, summary: said, details: said, remedy: said });
    const known = join(folder, 'ours.json');
    writeFileSync(known, JSON.stringify(record));
    const { stdout } = await runCli([...argv, '--index', index, '--known-issues', known], {
      env: inActions.env ?? {},
    });
    // An annotation is a command itself, up to its end.
    const text = stdout.replaceAll(/^::error .*\n/gm, '');
    expect(text).toContain('#\\#[group]');
    expect(text).not.toContain('##[');
  });

  it('shows the same words as elsewhere', async () => {
    const argv = ['index', 'verify', '--index', '-'];
    const there = await runCli(argv, inActions);
    const elsewhere = await runCli(argv, { stdin: hostile });
    expect(elsewhere.stdout).toContain('##[error]x');
    expect(there).toEqual({ ...elsewhere, stdout: elsewhere.stdout.replaceAll('##[', '#\\#[') });
  });

  it('that is data stays as it is', async () => {
    const { stdout } = await runCli(['completion', 'bash'], inActions);
    expect(stdout).toBe((await runCli(['completion', 'bash'])).stdout);
  });
});
