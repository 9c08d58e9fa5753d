import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openArtifactSource, openArtifacts, withProgress } from '../../src/app/sources/read-artifacts.js';
import { parseVersion } from '../../src/core/version.js';
import type { CommandContext } from '../../src/door/context.js';
import { indexPlaceOf } from '../../src/door/options/evidence-options.js';
import { screenOf } from '../../src/door/terminal.js';
import { publicArtifactUrl } from '../../src/gather/publisher/publisher-urls.js';
import { type Answer, startArtifactServer } from '../support/artifact-server.js';
import { inventedArtifact } from '../support/artifacts.js';
import { contextOf } from '../support/cli.js';
import { leastTime } from '../support/least-time.js';
import { realIndex, realIndexFile } from '../support/real-index.js';
import { closedPort } from '../support/server.js';

async function progressOn(isTTY: boolean, work: () => Promise<unknown> = async () => {}) {
  let written = '';
  const output = {
    isTTY,
    write: (text: string) => {
      written += text;
    },
  };
  const { stderr } = screenOf({ stdout: output, stderr: output }, {});
  const outcome = await withProgress({ stderr, env: {}, monotonicMs: () => 0 }, async (onProgress) => {
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

const contextSaying = (said: string[], env: CommandContext['env'] = {}, isTTY = false) => {
  const output = { isTTY, write: (text: string) => said.push(text) };
  return contextOf({ ...screenOf({ stdout: output, stderr: output }, env), env }).context;
};
const network = { timeoutMs: 5_000, maxBytes: 1_000_000, allowHttp: false, cache: true, offline: false };
const ofIndex = (index?: string) => indexPlaceOf(index === undefined ? {} : { index }, {});

const ofPublisher = publicArtifactUrl.replace('{version}', '1.2.3');
const ofMirror = join('fixtures/mirror', 'artifacts/1.2.3.json');
const named = 'https://a.example/{version}.json';
it.each<[string, string | undefined, string | undefined, string]>([
  ['the publisher', undefined, undefined, ofPublisher],
  ['the mirror of the index', 'fixtures/mirror', undefined, ofMirror],
  ['what is named, beside a mirror', 'fixtures/mirror', named, 'https://a.example/1.2.3.json'],
  ['a mirror, beside an index of a file', realIndexFile, 'fixtures/mirror', ofMirror],
])('takes artifacts from %s', async (_, index, artifactUrl, place) => {
  const source = await openArtifactSource(artifactUrl, ofIndex(index), network, contextSaying([]));
  expect(source.locate('1.2.3')).toBe(place);
});

it('says how far it is with the artifacts that it loads', async () => {
  const said: string[] = [];
  const world = contextSaying(said, {}, true);
  const load = await openArtifacts('fixtures/mirror', ofIndex(realIndexFile), network, world);
  await load([parseVersion('900.0.0')]);
  expect(said.join('')).toMatch(/Artifacts .*1\/1/);
});

it('says once of all that it loads that no copy can be kept', async () => {
  const entries = realIndex().entries.slice(-2);
  const server = await startArtifactServer((version) => {
    const entry = entries.find((one) => one.version === version);
    return entry === undefined ? 404 : JSON.stringify(inventedArtifact(entry));
  });
  const said: string[] = [];
  const load = await openArtifacts(
    server.template,
    ofIndex(realIndexFile),
    network,
    contextSaying(said, { LIGHTSPAN_CACHE_DIR: join(realIndexFile, 'below-a-file') }),
  );
  for (const { version } of entries) {
    expect([...(await load([parseVersion(version)])).values()]).toMatchObject([{ kind: 'artifact' }]);
  }
  expect(said).toEqual([expect.stringContaining('below-a-file')]);
});

const openAt = (template: string, timeoutMs = 5_000, said: string[] = []) =>
  openArtifacts(
    template,
    ofIndex(realIndexFile),
    { ...network, timeoutMs, cache: false },
    contextSaying(said),
  );
const many = Array.from({ length: 100 }, (_, i) => parseVersion(`1.${i}.0`));
const silent: Answer = () => {};

it('does not wait for a network that is not there', async () => {
  const url = `http://127.0.0.1:${await closedPort()}/{version}.json`;
  const load = await openAt(url);
  const outcomes = [...(await load(many)), ...(await load([parseVersion('2.0.0')]))];
  const asked = outcomes.filter(
    ([, outcome]) => !JSON.stringify(outcome).includes('was not requested, after 3'),
  );
  expect(asked.length).toBeLessThan(20);
  expect(outcomes.map(([, { kind }]) => kind)).toEqual(
    Array.from({ length: 101 }, () => 'unavailable-artifact'),
  );
});

it('gives what it loads later what is left of --timeout', async () => {
  const late: Answer = (response) => setTimeout(() => response.writeHead(404).end(), 2_500);
  const server = await startArtifactServer((version) => (version === '1.0.0' ? late : silent));
  const loadTwo = async () => {
    const load = await openAt(server.template, 3_000);
    for (const version of many.slice(0, 2)) await load([version]);
  };
  expect(await leastTime(loadTwo, 5_000)).toBeLessThan(5_000);
});

it('waits for all that it loads no longer than --timeout, and says for what', async () => {
  const server = await startArtifactServer(() => silent);
  const loadAll = async () => {
    const said: string[] = [];
    const load = await openAt(server.template, 2_500, said);
    expect([...(await load(many.slice(0, 1))).values()]).toMatchObject([{ kind: 'unavailable-artifact' }]);
    const asked = server.requests.length;
    const later = await load(many);
    expect(server.requests.length).toBe(asked);
    expect(later.get('1.0.0')).toEqual({
      kind: 'unavailable-artifact',
      message: expect.stringMatching(/1\.0\.0\S+ was not requested: --timeout ended after 2\.5 s$/),
    });
    expect(said).toEqual([
      `Waiting: ${new URL(server.template).host} has not answered yet. --timeout sets how long to wait.\n`,
    ]);
  };
  expect(await leastTime(loadAll, 4_000)).toBeLessThan(4_000);
});
