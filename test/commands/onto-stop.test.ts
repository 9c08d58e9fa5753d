import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCli } from '../support/cli.js';
import { indexOf } from '../support/real-index.js';
import { changeOf, gitEnv } from '../support/repository.js';
import { temporaryFolder } from '../support/temporary-folder.js';

/** 1.1.0 is itself a required stop, which 1.2.0 lists too, as lists are cumulative. */
const indexWhere = (rollingUpdateSafe: boolean) => {
  const file = join(temporaryFolder(), 'index.json');
  const index = indexOf(
    { version: '1.0.0' },
    { version: '1.1.0', requiredStops: ['1.1.0'], rollingUpdateSafe },
    { version: '1.2.0', requiredStops: ['1.1.0'] },
  );
  writeFileSync(file, JSON.stringify(index));
  return ['--index', file];
};
const pinned = (version: string) => ({ 'values.yaml': `image:\n  tag: "${version}"\n` });

describe.each([
  ['rolls', true],
  ['needs downtime', false],
] as const)('onto a required stop, which %s', (_, rolls) => {
  const index = indexWhere(rolls);

  it('a plan leads, a check does not call it safe and says who takes it', async () => {
    const ends = ['--from', '1.0.0', '--to', '1.1.0', ...index];
    expect((await runCli(['upgrade-plan', ...ends])).code).toBe(0);
    expect((await runCli(['upgrade-plan', ...ends, '--require-rolling'])).code).toBe(rolls ? 0 : 1);
    const { code, stdout } = await runCli(['upgrade-check', ...ends]);
    expect(code).toBe(1);
    expect(stdout).toContain('1.1.0 is itself a required stop');
    const json = await runCli(['upgrade-check', ...ends, '--json']);
    expect(JSON.parse(json.stdout)).toMatchObject({ safe: false, requiredStops: ['1.1.0'] });
  });

  it.each([
    ['the release', '1.1.0'],
    ['the newest, of which it is the first hop', 'latest'],
  ])('a bump to %s moves there', async (__, to) => {
    const file = join(temporaryFolder(), 'values.yaml');
    const bump = async (...more: string[]) => {
      writeFileSync(file, pinned('1.0.0')['values.yaml']);
      const { code } = await runCli([
        'upgrade-bump',
        '--file',
        `${file}#image.tag`,
        '--to',
        to,
        ...index,
        ...more,
      ]);
      return [code, /\d+\.\d+\.\d+/.exec(readFileSync(file, 'utf8'))?.[0]];
    };
    expect(await bump()).toEqual(rolls ? [0, '1.1.0'] : [1, '1.0.0']);
    expect(await bump('--allow-recreate')).toEqual([0, '1.1.0']);
    if (!rolls) expect(await bump('--accept', '1.1.0')).toEqual([0, '1.1.0']);
  });

  it('a check of pins passes it, and nothing beyond', async () => {
    const check = async (to: string, ...more: string[]) => {
      const { folder } = changeOf(pinned('1.0.0'), pinned(to));
      const argv = ['pin-check', '--repo', folder, '--base', 'main', '--pin', 'values.yaml#image.tag'];
      return runCli([...argv, ...index, ...more], { env: gitEnv });
    };
    const { code, stdout } = await check('1.1.0');
    expect(code).toBe(rolls ? 0 : 1);
    expect(stdout).toContain('1.1.0 is a required stop, so let its migrations run before a later release');
    expect(stdout).not.toContain('Direct upgrade: no');
    expect((await check('1.1.0', '--accept', 'recreate')).code).toBe(0);
    expect((await check('1.2.0', '--accept', 'recreate')).code).toBe(1);
  });
});
