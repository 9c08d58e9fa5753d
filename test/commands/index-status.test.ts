import { describe, expect, it } from 'vitest';
import { runCli } from '../support/cli.js';
import { realIndexFile } from '../support/real-index.js';

describe('index status', () => {
  it('tells of the real index', async () => {
    const { code, stdout, stderr } = await runCli(['index', 'status', '--index', realIndexFile]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toBe(`Index: fixtures/release-safety-index.json
Generated: 2026-09-06T18:08:42.053Z (59 minutes old)
SHA-256: 46d801644aee8dd60b326f204bb956c09cd172d4a6d21c40dabd93afecd68548
Releases: 3598, 0.1893.0 to 2.134.2
Floor: 0.1893.0
Verdicts: 498 true, 74 false, 3026 unknown
Backfilled: 3088
Newest green span: 2.117.0 -> 2.134.2 (26 releases)
`);
  });

  it('as one line of JSON', async () => {
    const { code, stdout } = await runCli(['index', 'status', '--index', realIndexFile, '--json']);
    expect(code).toBe(0);
    expect(stdout.trimEnd()).not.toContain('\n');
    expect(JSON.parse(stdout)).toEqual({
      schemaVersion: '1',
      source: realIndexFile,
      generatedAt: '2026-09-06T18:08:42.053Z',
      ageMs: 3_599_947,
      sha256: '46d801644aee8dd60b326f204bb956c09cd172d4a6d21c40dabd93afecd68548',
      releases: 3598,
      firstVersion: '0.1893.0',
      latestVersion: '2.134.2',
      floorVersion: '0.1893.0',
      verdicts: { true: 498, false: 74, unknown: 3026 },
      backfilled: 3088,
      newestGreenSpan: { fromVersion: '2.117.0', toVersion: '2.134.2', releases: 26 },
    });
  });

  it.each([
    [['index', 'status', '--index', 'nowhere.json'], 3],
    [['index', 'status', '--index', 'package.json'], 4],
    [['index', 'status', '--nonsense'], 2],
    [['index'], 2],
    [['index', 'nonsense'], 2],
    [['release'], 2],
  ])('%j: exit %i', async (argv, code) => {
    expect((await runCli(argv)).code).toBe(code);
  });
});
