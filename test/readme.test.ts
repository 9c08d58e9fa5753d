import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { spawnCli } from './support/cli.js';

/** Every command of the README that can be run without a network, with the output that stands below it. */
const shown = [
  ...readFileSync('README.md', 'utf8').matchAll(
    /^\$ (?:npm ci && )?npx lightspan (.+)\n((?:(?!```|\$ ).*\n)*)/gm,
  ),
].flatMap(([, command = '', output = '']) =>
  command.includes('fixtures/') && output !== '' ? [{ command, output }] : [],
);

/** The one thing that changes from day to day. */
const withoutAge = (text: string) => text.replaceAll(/\(\d+ days old\)/g, '(… days old)');

describe('the README', () => {
  it('shows the main job', () => {
    expect(shown.length).toBeGreaterThan(0);
    expect(shown[0]?.command).toMatch(/^upgrade-check /);
  });

  it.each(shown)('$command prints what the README shows', async ({ command, output }) => {
    const { stdout } = await spawnCli(command.split(' '));
    expect(withoutAge(stdout)).toBe(withoutAge(output));
  });
});
