import { describe, expect, it } from 'vitest';
import { LightspanError } from '../../../src/core/lightspan-error.js';
import { createHttpClient } from '../../../src/gather/http/client.js';
import { artifactsByUrl, loadArtifact, loadArtifacts } from '../../../src/gather/publisher/artifacts.js';
import { type Answer, type ArtifactServer, startArtifactServer } from '../../support/artifact-server.js';
import { soundArtifactText } from '../../support/artifacts.js';

const client = createHttpClient({ env: {}, userAgent: 'test', sleep: async () => {} });

const sourceAt = (template: string) =>
  artifactsByUrl(template, async (url) => {
    const { body } = await client.request({ url, timeoutMs: 5_000, maxBytes: 1_000_000, allowHttp: false });
    return { bytes: body };
  });

let server: ArtifactServer | undefined;

async function load(versions: readonly string[], answer: (version: string) => Answer, together = 1) {
  server = await startArtifactServer(answer, { together });
  return loadArtifacts(versions, sourceAt(server.template));
}

const versions = (count: number) => Array.from({ length: count }, (_, i) => `1.${i}.0`);

describe('the artifacts of many releases', () => {
  it('come sixteen at a time over one pool of connections', async () => {
    const outcomes = await load(versions(48), soundArtifactText, 16);
    expect([...outcomes.keys()].sort()).toEqual(versions(48).sort());
    expect([...outcomes.values()].every(({ kind }) => kind === 'artifact')).toBe(true);
    expect(server?.peak()).toBe(16);
    expect(server?.connections()).toBeLessThan(48);
  });

  it('each have an outcome where the server fails for some', async () => {
    const answers: Record<string, Answer> = {
      '1.1.0': 404,
      '1.2.0': 410,
      '1.3.0': 500,
      '1.4.0': '<!doctype html><title>Not here</title>',
      '1.5.0': '{"schemaVersion":"2"}',
      '1.6.0': (response) => response.destroy(),
      '1.7.0': (response) => {
        response.writeHead(200, { 'content-length': 1000 }).write('{');
        response.destroy();
      },
      '1.8.0': '',
      '1.9.0': 403,
    };
    const outcomes = await load(versions(11), (version) => answers[version] ?? soundArtifactText(version));
    expect([...outcomes].map(([version, { kind }]) => `${version} ${kind}`).sort()).toMatchSnapshot();
    const where = server?.template.replace('{version}', '1.5.0');
    expect(outcomes.get('1.5.0')).toMatchObject({
      message: expect.stringContaining(`${where}: version: missing; expected a version`),
    });
  });

  it('are given up after three failures of one kind, also by later loads', async () => {
    server = await startArtifactServer(() => 403);
    const source = sourceAt(server.template);
    const first = await loadArtifacts(versions(60), source);
    const asked = server.requests.length;
    // Those under way when the third failed are waited for.
    expect(asked).toBeLessThanOrEqual(3 + 16);
    const later = await loadArtifacts(['2.0.0'], source);
    expect(server.requests.length).toBe(asked);
    const outcomes = new Map([...first, ...later]);
    expect(outcomes.size).toBe(61);
    expect([...outcomes.values()].every(({ kind }) => kind === 'unavailable-artifact')).toBe(true);
    expect(outcomes.get('2.0.0')).toMatchObject({
      message: expect.stringMatching(
        /^http:\S+\/2\.0\.0\/release-safety\.json was not requested, after 3 failures in a row: GET http:\S+: HTTP 403 Forbidden$/,
      ),
    });
  });

  it.each<[string, (request: number) => Answer]>([
    ['of two kinds in turn', (request) => (request % 2 === 0 ? 403 : 400)],
    [
      'with an answer between them',
      (request) => (request % 3 === 0 ? soundArtifactText(`1.${request}.0`) : 403),
    ],
    ['with one that is missing between them', (request) => (request % 3 === 0 ? 404 : 403)],
  ])('are not given up on after failures %s', async (_, answer) => {
    server = await startArtifactServer((version) => answer(Number(version.split('.')[1])));
    const source = sourceAt(server.template);
    for (const version of versions(12)) await loadArtifacts([version], source);
    expect(server.requests.length).toBe(12);
  });
});

describe('one artifact', () => {
  const loadFrom = async (read: () => string) => {
    let kept = 0;
    const found = async () => ({ bytes: Buffer.from(read()), keep: () => (kept += 1) });
    const { kind } = await loadArtifact('1.0.0', { locate: (version) => `at ${version}`, read: found });
    return [kind, kept];
  };

  it.each<[string, string, [string, number]]>([
    ['the one that was asked for', soundArtifactText('1.0.0'), ['artifact', 1]],
    // Whoever asked for it says so; what is kept would be taken for it again.
    ['that of another release', soundArtifactText('1.1.0'), ['artifact', 0]],
    ['half of one', soundArtifactText('1.0.0').slice(0, -1), ['invalid-artifact', 0]],
  ])('is kept where it is good: %s', async (_, text, expected) => {
    expect(await loadFrom(() => text)).toEqual(expected);
  });

  it.each([
    ['untrusted-mirror', 'invalid-artifact'],
    ['unreadable-source', 'unavailable-artifact'],
    ['too-large', 'unavailable-artifact'],
  ] as const)('that its source refuses with %s is an %s', async (code, kind) => {
    const refuse = () => {
      throw new LightspanError(code, 'no');
    };
    expect(await loadFrom(refuse)).toEqual([kind, 0]);
  });

  it.each([new LightspanError('usage', 'no'), new TypeError('a defect')])(
    'ends the run: %s',
    async (error) => {
      const fail = () => {
        throw error;
      };
      await expect(loadFrom(fail)).rejects.toBe(error);
    },
  );
});

describe('--artifact-url', () => {
  it.each([
    'https://example.com/release-safety.json',
    'ftp://example.com/{version}.json',
    'https://{version',
    '{version}',
  ])('%s is refused', (template) => {
    expect(() => sourceAt(template).locate('1.0.0')).toThrow(/not an address/);
  });

  it('names no password in a message', async () => {
    expect(sourceAt('https://user:secret@example.com/{version}.json').locate('1.0.0')).toBe(
      'https://example.com/1.0.0.json',
    );
  });

  it('plain http beyond loopback ends the whole of it', async () => {
    await expect(loadArtifacts(['1.0.0'], sourceAt('http://192.0.2.1/{version}'))).rejects.toMatchObject({
      code: 'usage',
    });
  });
});
