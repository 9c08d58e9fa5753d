import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { appendFile, mkdir, readdir, readFile, utimes, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { builtInKnownIssues } from '../../src/known-issues/built-in.js';
import { type Answer, type ArtifactServer, startArtifactServer } from '../support/artifact-server.js';
import { inventedArtifact } from '../support/artifacts.js';
import { outcomeOf, runCli } from '../support/cli.js';
import { recordOf } from '../support/known-issues.js';
import { nodeUnderTest } from '../support/node-under-test.js';
import { realIndex, realIndexFile, realIndexText } from '../support/real-index.js';
import { serve as serveHttp } from '../support/server.js';
import { checkSums } from '../support/sha256sum.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const builtIn = builtInKnownIssues.records.length;

let folder: string;
let server: ArtifactServer | undefined;
beforeEach(async () => {
  folder = temporaryFolder();
});

const entryOf = (version: string) => realIndex().entries.find((entry) => entry.version === version);

/** An artifact that confirms the real index. */
function good(version: string): Answer {
  const entry = entryOf(version);
  return entry === undefined ? 404 : JSON.stringify(inventedArtifact(entry));
}

async function serve(answer: (version: string) => Answer = good): Promise<string> {
  server = await startArtifactServer(answer);
  return server.template;
}

const mirror = (template: string, ...more: string[]) => {
  const argv = ['index', 'mirror', '--out', join(folder, 'mirror'), '--index', realIndexFile];
  return [...argv, '--artifact-url', template, ...more];
};

const mirrorIsWhole = () => checkSums(join(folder, 'mirror'));

const check = (...more: string[]) => {
  const span = ['--from', '1.121.0', '--to', '1.123.0'];
  return runCli(['upgrade-check', ...span, '--index', join(folder, 'mirror'), ...more]);
};

describe('index mirror', () => {
  it('writes what is checked where there is no network', async () => {
    const written = await runCli(mirror(await serve(), '--from', '1.121.0', '--to', '1.123.0'));
    expect(written).toEqual({
      code: 0,
      stdout: `Mirror: ${folder}/mirror\nIndex: 3,598 releases, generated 2026-09-06T18:08:42.053Z\nKnown issues: ${builtIn}\nArtifacts: 3, 3 of them new\n`,
      stderr: '',
    });
    await mirrorIsWhole();
    expect(await readFile(join(folder, 'mirror', 'release-safety-index.json'), 'utf8')).toBe(realIndexText);
    await server?.close();
    expect(await check('--offline', '--verify-artifacts', '--json')).toMatchObject({ code: 0, stderr: '' });
  });

  it('takes known issues along, those of the operator too, and keeps them', async () => {
    const record = recordOf({ id: 'our-issue', affected: [{ introduced: '1.121.1' }] });
    const own = join(folder, 'our-issue.json');
    await writeFile(own, JSON.stringify(record));
    const template = await serve();
    const first = await runCli(mirror(template, '--known-issues', own));
    expect(first).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`Known issues: ${builtIn + 1}\n`),
    });
    await mirrorIsWhole();
    await runCli(mirror(template));
    await mirrorIsWhole();
    const out = join(folder, 'mirror');
    const listed = await runCli(['known-issues', 'show', 'our-issue', '--index', out, '--json']);
    expect(JSON.parse(listed.stdout).records).toEqual([record]);
  });

  it('replaces no known issues that were altered: those of the operator are nowhere else', async () => {
    const template = await serve();
    await runCli(mirror(template));
    const file = join(folder, 'mirror', 'known-issues.json');
    await appendFile(file, ' ');
    const { code, stdout, stderr } = await runCli(mirror(template));
    expect({ code, stdout }).toEqual({ code: 4, stdout: '' });
    expect(stderr).toContain('it was altered\nRestore its previous known-issues.json and SHA256SUMS, or ');
    expect(await readFile(file, 'utf8')).toMatch(/ $/);
  });

  it('keeps a newer index than the one that came', async () => {
    const template = await serve();
    const newer = join(folder, 'newer.json');
    await writeFile(newer, realIndexText.replace('18:08:42.053Z', '18:30:00.000Z'));
    expect(await runCli(mirror(template).with(5, newer))).toMatchObject({ code: 0 });
    expect(await runCli(mirror(template))).toEqual({
      code: 3,
      stdout: '',
      stderr: `lightspan: the mirror ${folder}/mirror stays as it is: the fetched index was generated 2026-09-06T18:08:42.053Z, the one in the mirror 2026-09-06T18:30:00.000Z\nRun again later: a cache in between may return an old one. If the publisher withdrew the newer one, write a mirror into a new folder.\n`,
    });
    await mirrorIsWhole();
    expect(await readFile(join(folder, 'mirror', 'release-safety-index.json'), 'utf8')).toContain('18:30:00');
  });

  it('holds the index alone where no artifacts are asked for', async () => {
    const { code, stdout } = await runCli(mirror(await serve()));
    expect(code).toBe(0);
    expect(stdout).toContain('Artifacts: 0');
    expect(server?.requests).toEqual([]);
    expect(await check()).toMatchObject({ code: 0 });
  });

  it('takes every release that is not backfilled with --artifacts', async () => {
    await runCli(mirror(await serve(), '--artifacts'));
    expect(server?.requests).toHaveLength(510);
    await mirrorIsWhole();
  });

  it('mirrors a mirror', async () => {
    await runCli(mirror(await serve(), '--to', '1.122.0'));
    const second = join(folder, 'second');
    const argv = ['index', 'mirror', '--out', second, '--index', join(folder, 'mirror')];
    const { code } = await runCli([...argv, '--to', '1.122.0', '--offline']);
    expect(code).toBe(0);
    expect((await readdir(join(second, 'artifacts'))).sort()).toEqual([
      '1.121.0.json',
      '1.121.1.json',
      '1.122.0.json',
    ]);
  });

  it('exits 3 where an artifact is unavailable, and keeps the others', async () => {
    const template = await serve((version) => (version === '1.122.0' ? 404 : good(version)));
    const { code, stdout, stderr } = await runCli(mirror(template, '--to', '1.123.0'));
    expect(code).toBe(3);
    expect(stdout).toContain('Artifacts: 3, 3 of them new');
    expect(stderr).toContain('lacks 1 artifact; the first is 1.122.0: there is none at');
    await mirrorIsWhole();
    expect(await check('--verify-artifacts')).toMatchObject({ code: 3 });

    const json = await runCli(mirror(template, '--to', '1.123.0', '--json'));
    expect(json).toMatchObject({ code: 3, stderr });
    const missing = { version: '1.122.0', kind: 'missing-artifact', message: expect.any(String) };
    const counts = { artifacts: 3, fetched: 0, complete: false, missing: [missing] };
    expect(JSON.parse(json.stdout)).toMatchObject({ knownIssues: builtIn, releases: 3598, ...counts });
  });

  it('leaves the last good mirror where it is killed in the middle', async () => {
    await runCli(mirror(await serve(), '--to', '1.122.0'));
    // The second run has a newer index, gets two artifacts and waits for the others for ever.
    const newer = realIndexText.replace('2026-09-06T18:08:42.053Z', '2026-09-06T18:30:00.000Z');
    await writeFile(join(folder, 'newer.json'), newer);
    let answered = 0;
    const template = await serve((version) => (answered++ < 2 ? good(version) : () => {}));
    const argv = mirror(template, '--artifacts').with(5, join(folder, 'newer.json'));
    const child = spawn(process.execPath, [resolve('bin/lightspan.cjs'), ...argv], {
      stdio: 'ignore',
      env: { LIGHTSPAN_CACHE_DIR: join(folder, 'cache') },
    });
    const artifacts = () => readdir(join(folder, 'mirror', 'artifacts'));
    await expect.poll(async () => (await artifacts()).length).toBe(5);
    child.kill('SIGKILL');
    await once(child, 'exit');

    await mirrorIsWhole();
    expect(await readFile(join(folder, 'mirror', 'release-safety-index.json'), 'utf8')).toBe(realIndexText);
    expect(await check('--offline', '--json')).toMatchObject({ code: 0 });

    await utimes(join(folder, 'mirror', '.lightspan-lock'), 0, 0);
    const again = await runCli(mirror(await serve(), '--to', '1.123.0'));
    expect(again.code).toBe(0);
    await mirrorIsWhole();
  });

  describe('by several processes at once', () => {
    const start = (argv: readonly string[], limit = '') => {
      const program = [nodeUnderTest, resolve('bin/lightspan.cjs'), ...argv];
      const child = spawn('sh', ['-c', `${limit} exec "$@"`, 'sh', ...program], {
        stdio: ['ignore', 'ignore', 'pipe'],
        env: { LIGHTSPAN_CACHE_DIR: join(folder, 'cache') },
      });
      onTestFinished(() => {
        child.kill('SIGKILL');
      });
      const ended = outcomeOf(child);
      return { child, ended };
    };
    /** A run that has the lock, and waits for an artifact for ever. */
    const startHanging = async () => {
      let asked = false;
      const template = await serve(() => () => {
        asked = true;
      });
      const run = start(mirror(template, '--to', '1.121.0'));
      await expect.poll(() => asked).toBe(true);
      return run;
    };
    const lock = () => join(folder, 'mirror', '.lightspan-lock');
    const again = async () => runCli(mirror(await serve(), '--to', '1.122.0'));

    it('leaves a mirror that reads as whole, of one of them', async () => {
      const template = await serve();
      const indexes = await Promise.all(
        ['', ' ', '  '].map(async (blanks) => {
          const file = join(folder, `${blanks.length}.json`);
          await writeFile(file, `${realIndexText}${blanks}`);
          return file;
        }),
      );
      const codes: (number | null)[] = [];
      for (let round = 0; round < 8; round += 1) {
        // Every other time they all find the lock of one that was killed elsewhere.
        if (round % 2 === 1) {
          await mkdir(lock());
          await utimes(lock(), 0, 0);
        }
        const runs = indexes.map((index) => start(mirror(template, '--to', '1.122.0').with(5, index)));
        const ends = await Promise.all(runs.map(({ ended }) => ended));
        for (const { code, stderr } of ends) {
          if (code !== 0)
            expect({ code, stderr }).toEqual({
              code: 3,
              stderr: expect.stringContaining('mirror is being written by another process'),
            });
        }
        codes.push(...ends.map(({ code }) => code));
        expect(codes.slice(-3)).toContain(0);
        await mirrorIsWhole();
        expect(await check('--offline')).toMatchObject({ code: 0 });
        expect(await readdir(join(folder, 'mirror'))).toEqual([
          'SHA256SUMS',
          'artifacts',
          'known-issues.json',
          'release-safety-index.json',
        ]);
      }
      expect(codes).toContain(3);
    });

    it('loses no known issues that another has brought meanwhile', async () => {
      const recordNamed = (id: string) =>
        JSON.stringify(recordOf({ id, affected: [{ introduced: '1.121.1' }] }));
      let answer: (() => void) | undefined;
      const late = await serveHttp((_, response) => {
        answer = () => response.end(recordNamed('another-issue'));
      });
      const { ended } = start(mirror(await serve(), '--known-issues', `${late.url}/known-issues.json`));
      await expect.poll(() => answer).toBeDefined();
      const own = join(folder, 'our-issue.json');
      await writeFile(own, recordNamed('our-issue'));
      expect(await runCli(mirror(await serve(), '--known-issues', own))).toMatchObject({ code: 0 });
      answer?.();
      expect(await ended).toMatchObject({ code: 0 });
      expect(await readFile(join(folder, 'mirror', 'known-issues.json'), 'utf8')).toContain('our-issue');
    });

    it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('one that %s ends leaves no lock', async (signal) => {
      const { child, ended } = await startHanging();
      child.kill(signal);
      await ended;
      expect(await readdir(join(folder, 'mirror'))).toEqual(['artifacts']);
    });

    it.skipIf(process.platform === 'win32')('one that has no room to write leaves no lock', async () => {
      // A file may be made, and nothing may be written to it.
      const { code, stderr } = await start(mirror(await serve()), 'ulimit -f 0;').ended;
      expect({ code, stderr }).toEqual({
        code: 3,
        stderr: expect.stringContaining(`lightspan: cannot write the mirror ${folder}/mirror: `),
      });
      expect(await readdir(join(folder, 'mirror'))).toEqual(['artifacts']);
      expect(await again()).toMatchObject({ code: 0 });
    });

    it.skipIf(process.platform === 'win32')('one that slept while another wrote gives way', async () => {
      let finish: (() => void) | undefined;
      const template = await serve((version) => (response) => {
        finish = () => response.end(good(version));
      });
      const newer = join(folder, 'newer.json');
      await writeFile(newer, realIndexText.replace('18:08:42.053Z', '18:30:00.000Z'));
      const { child, ended } = start(mirror(template, '--to', '1.121.0').with(5, newer));
      await expect.poll(() => existsSync(lock())).toBe(true);
      child.kill('SIGSTOP');
      const longAgo = new Date(Date.now() - 61_000);
      await utimes(lock(), longAgo, longAgo);
      expect(await runCli(mirror(template).slice(0, 6))).toMatchObject({ code: 0 });
      child.kill('SIGCONT');
      await expect.poll(() => finish).toBeDefined();
      finish?.();
      expect(await ended).toMatchObject({
        code: 3,
        stderr: expect.stringContaining('is being written by another process'),
      });
      await mirrorIsWhole();
      expect(await readFile(join(folder, 'mirror', 'release-safety-index.json'), 'utf8')).toBe(realIndexText);
    });
  });

  it('--out that holds known issues of somebody else is left alone', async () => {
    const out = join(folder, 'mirror');
    await mkdir(out);
    await writeFile(join(out, 'known-issues.json'), 'theirs');
    const { code, stderr } = await runCli(mirror(await serve(), '--to', '1.121.0'));
    const other = `--out ${out} is not a mirror, and contains something else: known-issues.json\n`;
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(other) });
    expect(await readdir(out)).toEqual(['known-issues.json']);
    expect(server?.requests).toEqual([]);
  });

  it('--out that is a mirror among other files is brought up to date', async () => {
    await runCli(mirror(await serve(), '--to', '1.121.0'));
    await writeFile(join(folder, 'mirror', 'README.md'), 'ours');
    expect(await runCli(mirror(await serve(), '--to', '1.122.0'))).toMatchObject({ code: 0 });
    await mirrorIsWhole();
  });

  it.each([
    ['--out below a file', 'package.json/mirror', realIndexFile, 'cannot write the mirror'],
    ['an index that is not there', 'never', 'nowhere.json', 'no such file'],
  ])('exits 3 for %s', async (_, out, index, message) => {
    const { code, stderr } = await runCli(['index', 'mirror', '--out', out, '--index', index]);
    expect({ code, stderr }).toEqual({ code: 3, stderr: expect.stringContaining(message) });
    expect(await readdir('.')).not.toContain('never');
  });
});
