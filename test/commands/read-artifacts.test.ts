import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openArtifacts, withProgress } from '../../src/commands/read-artifacts.js';
import { parseVersion } from '../../src/release-safety/version.js';
import { startArtifactServer } from '../support/artifact-server.js';
import { inventedArtifact } from '../support/artifacts.js';
import { realIndex, realIndexFile } from '../support/real-index.js';

async function progressOn(isTTY: boolean, work: () => Promise<unknown> = async () => {}) {
  let written = '';
  const stderr = {
    isTTY,
    write: (text: string) => {
      written += text;
    },
  };
  const outcome = await withProgress('Artifacts', { stderr, env: {} }, async (onProgress) => {
    onProgress(1, 2);
    onProgress(2, 2);
    await work();
    return 'done';
  }).catch(() => 'failed');
  return { outcome, written };
}

it('says on a terminal how far it is, on one line, and takes the line away', async () => {
  const { outcome, written } = await progressOn(true);
  expect(outcome).toBe('done');
  expect(written).toContain('1/2');
  expect(written).toContain('2/2');
  expect(written).not.toContain('\n');
  expect(written.endsWith('\r\u001b[K')).toBe(true);
});

it('takes the line away where the work fails', async () => {
  const { outcome, written } = await progressOn(true, () => Promise.reject(new Error('broken')));
  expect(outcome).toBe('failed');
  expect(written.endsWith('\r\u001b[K')).toBe(true);
});

it('says nothing where stderr is no terminal', async () => {
  expect(await progressOn(false)).toEqual({ outcome: 'done', written: '' });
});

it('says once of all that it loads that no copy can be kept', async () => {
  const entries = realIndex().entries.slice(-2);
  const server = await startArtifactServer((version) => {
    const entry = entries.find((one) => one.version === version);
    return entry === undefined ? 404 : JSON.stringify(inventedArtifact(entry));
  });
  const said: string[] = [];
  const load = await openArtifacts(
    { index: realIndexFile, artifactUrl: server.template, timeout: 5_000, maxBytes: 1_000_000, cache: true },
    {
      stdout: { write: () => true },
      stderr: { write: (text: string) => said.push(text) },
      stdin: (async function* () {})(),
      env: { LIGHTSPAN_CACHE_DIR: join(realIndexFile, 'below-a-file') },
      now: () => new Date(),
      monotonicMs: () => 0,
      sleep: async () => {},
      randomUuid: () => '',
      lastWords: () => {},
    },
  );
  for (const { version } of entries) {
    expect([...(await load([parseVersion(version)])).values()]).toMatchObject([{ kind: 'artifact' }]);
  }
  expect(said).toEqual([expect.stringContaining('below-a-file')]);
  await server.close();
});
