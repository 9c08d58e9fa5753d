import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Answer, type ArtifactServer, startArtifactServer } from '../support/artifact-server.js';
import { inventedArtifact } from '../support/artifacts.js';
import { runCli } from '../support/cli.js';
import { realIndex, realIndexFile, realIndexText } from '../support/real-index.js';
import { checkSums } from '../support/sha256sum.js';
import { temporaryFolder } from '../support/temporary-folder.js';

let folder: string;
let server: ArtifactServer | undefined;
beforeEach(async () => {
  folder = temporaryFolder();
});
afterEach(async () => {
  await server?.close();
  server = undefined;
});

const entryOf = (version: string) => realIndex().entries.find((entry) => entry.version === version);

/** An artifact that bears out the real index. */
function good(version: string): Answer {
  const entry = entryOf(version);
  return entry === undefined ? 404 : JSON.stringify(inventedArtifact(entry));
}

async function serve(answer: (version: string) => Answer = good): Promise<string> {
  await server?.close();
  server = await startArtifactServer(answer);
  return server.template;
}

const mirror = (template: string, ...more: string[]) => [
  'index',
  'mirror',
  '--out',
  join(folder, 'mirror'),
  '--index',
  realIndexFile,
  '--artifact-url',
  template,
  ...more,
];

const mirrorIsWhole = () => checkSums(join(folder, 'mirror'));

const check = (...more: string[]) =>
  runCli([
    'upgrade-check',
    '--from',
    '1.121.0',
    '--to',
    '1.123.0',
    '--index',
    join(folder, 'mirror'),
    ...more,
  ]);

describe('index mirror', () => {
  it('writes what is checked where there is no network', async () => {
    const written = await runCli(mirror(await serve(), '--from', '1.121.0', '--to', '1.123.0'));
    expect(written).toEqual({
      code: 0,
      stdout: `Mirror: ${folder}/mirror\nIndex: 3598 releases, generated 2026-09-06T18:08:42.053Z\nArtifacts: 3, 3 of them new\n`,
      stderr: '',
    });
    await mirrorIsWhole();
    expect(await readFile(join(folder, 'mirror', 'release-safety-index.json'), 'utf8')).toBe(realIndexText);
    await server?.close();
    expect(await check('--offline', '--verify-artifacts', '--json')).toMatchObject({ code: 0, stderr: '' });
  });

  it('fetches only what is new', async () => {
    await runCli(mirror(await serve(), '--to', '1.122.0'));
    expect(server?.requests.sort()).toEqual(['1.121.0', '1.121.1', '1.122.0']);
    const again = await runCli(mirror(await serve(), '--to', '1.123.0'));
    expect(server?.requests).toEqual(['1.123.0']);
    expect(again.stdout).toContain('Artifacts: 4, 1 of them new');
    await mirrorIsWhole();
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
    const { code } = await runCli([
      'index',
      'mirror',
      '--out',
      second,
      '--index',
      join(folder, 'mirror'),
      '--to',
      '1.122.0',
      '--offline',
    ]);
    expect(code).toBe(0);
    expect((await readdir(join(second, 'artifacts'))).sort()).toEqual([
      '1.121.0.json',
      '1.121.1.json',
      '1.122.0.json',
    ]);
  });

  it('exits 3 where an artifact could not be had, and keeps the others', async () => {
    const template = await serve((version) => (version === '1.122.0' ? 404 : good(version)));
    const { code, stdout, stderr } = await runCli(mirror(template, '--to', '1.123.0'));
    expect(code).toBe(3);
    expect(stdout).toContain('Artifacts: 3, 3 of them new');
    expect(stderr).toContain('lacks 1 artifact, first that of 1.122.0: there is none at');
    await mirrorIsWhole();
    expect(await check('--verify-artifacts')).toMatchObject({ code: 1 });

    const json = await runCli(mirror(template, '--to', '1.123.0', '--json'));
    expect(json).toMatchObject({ code: 3, stderr });
    expect(JSON.parse(json.stdout)).toEqual({
      schemaVersion: '1',
      folder: join(folder, 'mirror'),
      generatedAt: '2026-09-06T18:08:42.053Z',
      releases: 3598,
      artifacts: 3,
      fetched: 0,
      complete: false,
      missing: [
        {
          version: '1.122.0',
          kind: 'missing-artifact',
          message: expect.stringContaining('there is none at http://127.0.0.1:'),
        },
      ],
    });
  });

  it('leaves the last good mirror where the index cannot be trusted', async () => {
    await runCli(mirror(await serve(), '--to', '1.122.0'));
    await writeFile(join(folder, 'broken.json'), realIndexText.slice(0, -5));
    const argv = ['index', 'mirror', '--out', join(folder, 'mirror'), '--index', join(folder, 'broken.json')];
    expect((await runCli(argv)).code).toBe(4);
    await mirrorIsWhole();
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
    await expect.poll(async () => (await artifacts()).length, { timeout: 15_000 }).toBe(5);
    child.kill('SIGKILL');
    await once(child, 'exit');

    await mirrorIsWhole();
    expect(await readFile(join(folder, 'mirror', 'release-safety-index.json'), 'utf8')).toBe(realIndexText);
    expect(await check('--offline', '--json')).toMatchObject({ code: 0 });

    const again = await runCli(mirror(await serve(), '--to', '1.123.0'));
    expect(again.code).toBe(0);
    await mirrorIsWhole();
  });

  it.each([
    ['no --out', ['index', 'mirror'], 2, 'required option'],
    [
      '--out below a file',
      ['index', 'mirror', '--out', 'package.json/mirror', '--index', realIndexFile],
      3,
      'cannot write the mirror',
    ],
    [
      '--to older than --from',
      ['index', 'mirror', '--out', 'never', '--index', realIndexFile, '--from', '1.2.0', '--to', '1.1.0'],
      2,
      'older',
    ],
    [
      'an index larger than --max-bytes in a mirror folder',
      ['index', 'mirror', '--out', 'never', '--index', 'fixtures', '--max-bytes', '1KiB'],
      3,
      'release-safety-index.json of the mirror fixtures is larger than 1024 bytes',
    ],
    [
      'an index that is not there',
      ['index', 'mirror', '--out', 'never', '--index', 'nowhere.json'],
      3,
      'no such file',
    ],
  ])('%s: exit code', async (_, argv, code, message) => {
    const outcome = await runCli(argv);
    expect(outcome.code).toBe(code);
    expect(outcome.stderr).toContain(message);
    expect(await readdir('.')).not.toContain('never');
  });
});
