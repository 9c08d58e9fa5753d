import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCli } from '../support/cli.js';
import { realIndexJson } from '../support/real-index.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const folder = temporaryFolder();
const file = join(folder, 'index.json');
const index = { ...realIndexJson(), backfillFloorVersion: null };
// A floor that is none is not marked as one either.
Object.assign(index.entries[0] ?? {}, { syntheticRequiredStop: false });
await writeFile(file, JSON.stringify(index));

const green = ['--from', '1.121.0', '--to', '1.123.0'];

describe('an index without a floor is an index', () => {
  it.each<[string[], number, string]>([
    [['upgrade-check', ...green], 0, 'Verdict: SAFE'],
    [['upgrade-check', '--from', '0.1050.0', '--to', '0.1894.0'], 1, 'version 0.1050.0 is not present'],
    [['upgrade-plan', ...green], 0, 'Route: 1 hop, rolling all the way'],
    [['upgrade-plan', '--from', '0.1050.0'], 1, 'hops, NOT CERTIFIED'],
    [['upgrade-report', ...green, '--offline'], 0, 'Verdict: SAFE'],
    [['index', 'status'], 0, '\nFloor: none\n'],
    [['index', 'status', '--json'], 0, '"floorVersion":null'],
    [['index', 'verify'], 0, 'Faults: none'],
    [['index', 'mirror', '--out', join(folder, 'plain')], 0, join(folder, 'plain')],
  ])('%j: exit %i, %j', async (argv, code, words) => {
    const result = await runCli([...argv, '--index', file]);
    expect({ code: result.code, stdout: result.stdout }).toEqual({
      code,
      stdout: expect.stringContaining(words),
    });
  });
});
