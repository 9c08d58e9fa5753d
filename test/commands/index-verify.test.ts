import { describe, expect, it } from 'vitest';
import { runCli } from '../support/cli.js';
import { realIndexFile, realIndexJson } from '../support/real-index.js';

const verify = (index: unknown, ...more: string[]) =>
  runCli(['index', 'verify', '--index', '-', ...more], {
    stdin: typeof index === 'string' ? index : JSON.stringify(index),
  });

/** The real index with one fault of most kinds. */
function faultyIndex() {
  const index = realIndexJson();
  const { entries } = index;
  Object.assign(entries[0] ?? {}, { syntheticRequiredStop: false });
  Object.assign(entries[3000] ?? {}, { requiredStops: ['9.9.9', '0.1.0'], minPreviousVersion: '9.9.9' });
  Object.assign(entries[3100] ?? {}, { releaseDate: '2001-01-01T00:00:00Z' });
  Object.assign(entries[3300] ?? {}, { rollingUpdateSafe: null });
  entries.splice(3200, 1);
  entries.push({ ...entries[10] });
  return index;
}

describe('index verify', () => {
  it('names every fault: exit 1', async () => {
    const { code, stdout } = await verify(faultyIndex());
    expect(code).toBe(1);
    expect(stdout).toBe(`Index: standard input
Releases: 3598
Faults: 9
  - invalid-field: entries[3299].rollingUpdateSafe: expected true, false or "unknown", got null
  - disorder: 0.1899.0 (entries[3597]) follows 2.134.2, which is newer
  - duplicate: 0.1899.0 appears in the index 2 times, as entries[10], entries[3597]
  - later-stop: 1.62.0 requires the stop 9.9.9, which is newer than itself
  - unknown-stop: 1.62.0 requires the stop 0.1.0, which is not in the index
  - later-minimum: 1.62.0 sets the minimum 9.9.9, which is not older than itself
  - date-backwards: 1.130.1 is dated 2001-01-01T00:00:00Z, before 1.130.0 of 2026-08-11T20:32:49.587Z
  - gap: 1.172.3 follows 1.172.1, but names 1.172.2 as the release before it
  - floor-not-marked: the floor 0.1893.0 is not marked (syntheticRequiredStop)
Why: lightspan explain invalid-field disorder duplicate later-stop unknown-stop later-minimum date-backwards gap floor-not-marked
`);
  });

  it('as one line of JSON', async () => {
    const { code, stdout } = await verify(faultyIndex(), '--json');
    expect(code).toBe(1);
    expect(stdout.trimEnd()).not.toContain('\n');
    const { faults, ...rest } = JSON.parse(stdout);
    expect(rest).toEqual({
      schemaVersion: '1',
      source: 'standard input',
      generatedAt: '2026-09-06T18:08:42.053Z',
      releases: 3598,
      valid: false,
      faultCount: 9,
    });
    expect(faults.map(({ kind }: { kind: string }) => kind)).toEqual([
      'invalid-field',
      'disorder',
      'duplicate',
      'later-stop',
      'unknown-stop',
      'later-minimum',
      'date-backwards',
      'gap',
      'floor-not-marked',
    ]);
  });

  it('says so with --json where there is none', async () => {
    const { stdout } = await runCli(['index', 'verify', '--index', realIndexFile, '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ valid: true, faultCount: 0, faults: [] });
  });

  it.each([
    ['no JSON: exit 4', '<html>', 4],
    ['another schemaVersion: exit 1', { ...realIndexJson(), schemaVersion: '2' }, 1],
    ['an index from the future: exit 4', { ...realIndexJson(), generatedAt: '2027-01-01T00:00:00Z' }, 4],
  ])('%s', async (_, index, code) => {
    expect((await verify(index)).code).toBe(code);
  });

  it('is no older than --max-age allows', async () => {
    expect((await verify(realIndexJson(), '--max-age', '2h')).code).toBe(0);
    expect(await verify(realIndexJson(), '--max-age', '30m')).toMatchObject({ code: 3, stdout: '' });
  });

  it.each([
    ['ill-formed values in one release', { requiredStops: Array(200_000).fill(1) }, 200_000, 3598],
    ['releases that are none', undefined, 100_000, 100_000],
  ])('of 100,000 %s and more shows 1,000 and counts the rest', async (_, first, count, releases) => {
    const index = realIndexJson();
    if (first === undefined) index.entries = Array(100_000).fill(1);
    else Object.assign(index.entries[0] ?? {}, first);
    const { code, stdout } = await verify(index);
    expect(code).toBe(1);
    // What else is wrong follows from it, such as a floor that is not there.
    const [, total = 0] = /^Faults: (\d+)$/m.exec(stdout) ?? [];
    expect(Number(total)).toBeGreaterThanOrEqual(count);
    expect(Number(total)).toBeLessThan(count + 10);
    expect(stdout).toContain(`Releases: ${releases}\n`);
    expect(stdout.match(/^ {2}- /gm)).toHaveLength(1000);
    expect(stdout).toContain(`\n  and ${(Number(total) - 1000).toLocaleString('en')} more\nWhy: `);
    const { faults, faultCount } = JSON.parse((await verify(index, '--json')).stdout);
    expect({ shown: faults.length, faultCount }).toEqual({ shown: 1000, faultCount: Number(total) });
  });

  it('shows no terminal codes of an index', async () => {
    const { stdout } = await verify({ ...realIndexJson(), generatedAt: '\u001b[2J' });
    expect(stdout).not.toContain('\u001b');
    expect(stdout).toContain('generatedAt: expected an ISO 8601 date-time');
  });
});
