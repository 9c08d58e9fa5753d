import { describe, expect, it } from 'vitest';
import { runCli } from '../support/cli.js';
import { realIndexJson } from '../support/real-index.js';

const verify = (index: unknown, ...more: string[]) =>
  runCli(['index', 'verify', '--index', '-', ...more], {
    stdin: typeof index === 'string' ? index : JSON.stringify(index),
  });

describe('index verify', () => {
  it.each([
    ['no JSON: exit 4', '<html>', 4],
    ['an index from the future: exit 4', { ...realIndexJson(), generatedAt: '2027-01-01T00:00:00Z' }, 4],
  ])('%s', async (_, index, code) => {
    expect((await verify(index)).code).toBe(code);
  });

  it('is no older than --max-age allows', async () => {
    expect((await verify(realIndexJson(), '--max-age', '2h')).code).toBe(0);
    expect(await verify(realIndexJson(), '--max-age', '30m')).toMatchObject({ code: 3, stdout: '' });
  });

  it('of 100,000 entries that are no releases shows 1,000 and counts the rest', async () => {
    const index = { ...realIndexJson(), entries: Array(100_000).fill(1) };
    const { code, stdout } = await verify(index);
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /^Faults: 100,001\nReleases: 100,000$|^Releases: 100,000\n[\s\S]*^Faults: 100,001$/m,
    );
    expect(stdout.match(/^ {2}- /gm)).toHaveLength(1001);
    expect(stdout).toContain('\n  - and 99,001 more\nWhy: ');
    const { faults, faultCount } = JSON.parse((await verify(index, '--json')).stdout);
    expect({ shown: faults.length, faultCount }).toEqual({ shown: 1000, faultCount: 100_001 });
  });

  it('shows no terminal codes of an index', async () => {
    const { stdout } = await verify({ ...realIndexJson(), generatedAt: '\u001b[2J' });
    expect(stdout).not.toContain('\u001b');
    expect(stdout).toContain('generatedAt: expected an ISO 8601 date-time');
  });
});
