import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { runCli } from '../support/cli.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const here = process.cwd();
afterEach(() => process.chdir(here));

const folder = temporaryFolder();
const settings = join(folder, 'lightspan.yaml');

/** What a command says that was given nothing, in a folder with settings or without. */
async function saidOf(argv: readonly string[], withSettings: boolean) {
  if (withSettings) await writeFile(settings, 'database: env\n');
  else await rm(settings, { force: true });
  process.chdir(folder);
  const { code, stderr } = await runCli(argv);
  return { code, hint: stderr.trimEnd().split('\n').at(-1) };
}

describe('a command that lacks what it is about says how to name it', () => {
  it.each([
    ['upgrade-check', 'lightspan upgrade-check 1.121.0 1.156.0'],
    ['plan', 'lightspan upgrade-plan 1.121.0 1.156.0'],
    ['report', 'lightspan upgrade-report 1.121.0 1.156.0'],
    ['preflight --database env', 'lightspan upgrade-preflight 1.121.0 1.156.0'],
    ['preflight --database env', '--from-database'],
    ['index datasource', '--from, --instance or --from-file'],
    ['bump', 'lightspan upgrade-bump --file values.yaml'],
  ])('%s: %s', async (line, way) => {
    const argv = line.split(' ');
    const without = await saidOf(argv, false);
    expect(without).toEqual({ code: 2, hint: expect.stringContaining(way) });
    expect(without.hint).toContain('lightspan init');
    // Where there are settings, init would refuse.
    const within = await saidOf(argv, true);
    expect(within).toEqual({ code: 2, hint: expect.stringContaining(way) });
    expect(within.hint).toMatch(/add pins( or instance)? to lightspan\.yaml/);
    expect(within.hint).not.toContain('init');
  });

  it.each([
    ['verify', 'lightspan upgrade-verify --instance https://lightdash.example.com --version 1.156.0'],
    ['merge submit', 'lightspan merge submit merge.yaml --dry-run'],
    ['index mirror', 'lightspan index mirror --out ./mirror'],
    ['release show', 'lightspan release show 2.134.2'],
    ['release show 1.2.0 1.3.0', 'lightspan release show 2.134.2'],
  ])('%s, by an example: %s', async (line, example) => {
    const { code, hint } = await saidOf(line.split(' '), false);
    expect([code, hint]).toEqual([2, expect.stringContaining(`For example: ${example}`)]);
    expect(hint).toContain('--help)');
  });

  it('a version that is named twice is to be named once', async () => {
    const { code, hint } = await saidOf(['check', '--from', '1.121.0', '--from-file', 'values.yaml'], false);
    expect([code, hint]).toEqual([2, 'Pass one of --from, --instance or --from-file.']);
  });
});
