import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { runCli, spawnCli } from '../support/cli.js';
import { indexOf } from '../support/real-index.js';
import { serve } from '../support/server.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const index = JSON.stringify(indexOf({ version: '1.0.0' }, { version: '1.0.1' }));
let folder = '';
beforeEach(() => {
  folder = join(temporaryFolder(), 'cache');
});

/** One answer, kept as an index that is fetched is. */
async function fill(env: Record<string, string>, run: typeof runCli = runCli) {
  const server = await serve((_, response) => response.setHeader('etag', '"a"').end(index));
  const argv = ['upgrade-check', '--from', '1.0.0', '--to', '1.0.1', '--index', `${server.url}/index.json`];
  expect(await run(argv, { env })).toMatchObject({ code: 0 });
}

describe('lightspan cache', () => {
  it('says where answers are kept and how large they are, and removes them', async () => {
    const env = { LIGHTSPAN_CACHE_DIR: folder };
    expect(await spawnCli(['cache', 'status'], { env })).toEqual({
      code: 0,
      stdout: `Cache: ${folder}\nKept: nothing\n`,
      stderr: '',
    });
    await fill(env);
    writeFileSync(join(folder, 'notes.txt'), 'mine');
    const status = await spawnCli(['cache', 'status', '--json'], { env });
    const { bytes, ...rest } = JSON.parse(status.stdout);
    expect(rest).toEqual({ schemaVersion: '1', folder, files: 1, others: 1 });
    expect(bytes).toBeGreaterThan(index.length);
    const kB = (bytes / 1e3).toFixed(1);
    expect((await runCli(['cache', 'status'], { env })).stdout).toBe(
      `Cache: ${folder}\nKept: 1 file, ${kB} kB\nOther entries in the folder: 1\n`,
    );

    expect(await spawnCli(['cache', 'clear'], { env })).toEqual({
      code: 0,
      stdout: `Removed: 1 file, ${kB} kB, from ${folder}; 1 other entry left alone\n`,
      stderr: '',
    });
    expect(readdirSync(folder).filter((name) => name !== 'compiled')).toEqual(['notes.txt']);
    expect(JSON.parse((await runCli(['cache', 'clear', '--json'], { env })).stdout)).toEqual({
      schemaVersion: '1',
      folder,
      removed: 0,
      bytes: 0,
      others: 1,
    });
  });

  it('is by default where answers are kept by default', async () => {
    const env = { LIGHTSPAN_CACHE_DIR: '', XDG_CACHE_HOME: folder };
    await fill(env);
    expect((await runCli(['cache', 'status'], { env })).stdout).toContain(
      `Cache: ${join(folder, 'lightspan')}\n`,
    );
    await runCli(['cache', 'clear'], { env });
    expect(readdirSync(join(folder, 'lightspan'))).toEqual([]);
  });

  it('does not follow a link, and says so', async () => {
    mkdirSync(folder);
    const link = join(temporaryFolder(), 'link');
    symlinkSync(folder, link);
    for (const command of ['status', 'clear']) {
      const { code, stdout, stderr } = await runCli(['cache', command], {
        env: { LIGHTSPAN_CACHE_DIR: link },
      });
      expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
      expect(stderr).toContain('it is a link, which is not followed');
    }
  });
});

describe('without a home folder', () => {
  it.each(['', '.', 'relative'])(
    'HOME=%j: nothing is kept, and nothing written where one works',
    async (HOME) => {
      const env = { LIGHTSPAN_CACHE_DIR: '', XDG_CACHE_HOME: '', HOME };
      await fill(env, spawnCli);
      for (const home of ['', HOME]) expect(existsSync(join(home, '.cache'))).toBe(false);
      for (const command of ['status', 'clear']) {
        expect(await runCli(['cache', command], { env })).toMatchObject({
          code: 0,
          stdout: expect.stringMatching(/^Cache: none, .*LIGHTSPAN_CACHE_DIR/),
        });
      }
      const offline = ['upgrade-check', '--from', '1.0.0', '--to', '1.0.1', '--index', 'https://a.invalid/i'];
      expect(await runCli([...offline, '--offline'], { env })).toMatchObject({ code: 3 });
    },
  );
});
