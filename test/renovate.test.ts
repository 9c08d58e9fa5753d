import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { fetchNode, fetchPackage } from '../scripts/fetch-package.js';
import { runCli } from './support/cli.js';
import { startForge } from './support/forge.js';
import { realIndexFile } from './support/real-index.js';
import { writeReportMirror } from './support/report-mirror.js';
import { serve } from './support/server.js';
import { temporaryFolder } from './support/temporary-folder.js';

/** The newest Renovate when the preset was written; its node is 24. */
const renovateVersion = '44.121.2';

const textOf = (file: string) => readFileSync(file, 'utf8');
const preset = textOf('examples/renovate/lightdash.json');
const values = (tag: string) => `image:\n  repository: lightdash/lightdash\n  tag: ${tag}\n`;

const mirror = temporaryFolder();
let renovate = '';
let node = '';
beforeAll(async () => {
  [renovate, node] = [fetchPackage('renovate', renovateVersion), fetchNode('24')];
  await writeReportMirror(mirror, () => ({}));
}, 600_000);

/** Serves what `index datasource` writes of the versions named, and nothing of others. */
async function serveDatasources(...versions: string[]) {
  const texts = await Promise.all(
    versions.map(async (from) => {
      const argv = ['index', 'datasource', '--from', from, '--allow-recreate', '--index', realIndexFile];
      return [`/${from}.json`, (await runCli(argv)).stdout] as const;
    }),
  );
  const files = new Map<string, string>(texts);
  const { url } = await serve((request, response) => {
    const text = files.get(request.url ?? '');
    response.writeHead(text === undefined ? 404 : 200, { 'content-type': 'application/json' });
    response.end(text);
  });
  return { url, files };
}

/** The preset with the address of the test, and without the age that the fixture index is past. */
const presetFor = (url: string) =>
  withIndex(preset.replace('https://releases.example.com/lightdash', url), mirror);

const withIndex = (text: string, index: string) =>
  text.replace(' --max-age 7d', ` --index ${index} --offline --no-cache`);

interface Settings {
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Whether lightspan is installed where Renovate runs. */
  readonly lightspan?: boolean;
}

/** Renovate as a process, with lightspan beside it; what it logs, as JSON. */
async function runRenovate({ env, cwd = temporaryFolder(), lightspan = true }: Settings) {
  const home = temporaryFolder();
  const bin = join(home, 'bin');
  mkdirSync(bin);
  if (lightspan) {
    const run = `#!/bin/sh\nexec ${process.execPath} ${resolve('bin/lightspan.cjs')} "$@"\n`;
    writeFileSync(join(bin, 'lightspan'), run, { mode: 0o755 });
  }
  const child = spawn(node, [join(renovate, 'dist', 'renovate.js')], {
    cwd,
    env: {
      PATH: `${bin}:${dirname(node)}:/usr/local/bin:/usr/bin:/bin`,
      HOME: home,
      // Its thousands of modules are compiled once for all tests.
      NODE_COMPILE_CACHE: join(renovate, 'compiled'),
      GIT_CONFIG_NOSYSTEM: '1',
      RENOVATE_BASE_DIR: join(home, 'renovate'),
      LOG_LEVEL: 'debug',
      LOG_FORMAT: 'json',
      ...env,
    },
  });
  let log = '';
  child.stdout.on('data', (chunk) => (log += chunk));
  child.stderr.on('data', (chunk) => (log += chunk));
  const code = await new Promise<number | null>((done) => child.on('close', done));
  return { code, log };
}

/** Renovate of a folder, which writes nothing; the versions that it proposes for each tag. */
async function proposedFor(tags: readonly string[], url: string): Promise<Record<string, string[]>> {
  const cwd = temporaryFolder();
  for (const [i, tag] of tags.entries()) {
    mkdirSync(join(cwd, `${i}`));
    writeFileSync(join(cwd, `${i}`, 'values.yaml'), values(tag));
  }
  writeFileSync(join(cwd, 'renovate.json'), presetFor(url));
  const { code, log } = await runRenovate({ cwd, env: { RENOVATE_PLATFORM: 'local' } });
  expect(code, log).toBe(0);
  const line = log.split('\n').find((text) => text.includes('"msg":"packageFiles with updates"'));
  const found = z.parse(logged, JSON.parse(line ?? '{}')).config['helm-values'];
  expect(found, log).toHaveLength(tags.length);
  return Object.fromEntries(
    found.map(({ packageFile, deps }) => [
      tags[Number(dirname(packageFile))] ?? '',
      deps.flatMap(({ updates = [] }) => updates.flatMap(({ newVersion }) => newVersion ?? [])),
    ]),
  );
}

const logged = z.object({
  config: z.object({
    'helm-values': z.array(
      z.object({
        packageFile: z.string(),
        deps: z.array(
          z.object({ updates: z.optional(z.array(z.object({ newVersion: z.optional(z.string()) }))) }),
        ),
      }),
    ),
  }),
});

describe('Renovate in a folder', { timeout: 180_000 }, () => {
  it('proposes for each pin what is proven from it, and nothing else', async () => {
    const { url, files } = await serveDatasources('1.121.0', '1.122.0', '1.156.0', '1.121.99');
    files.set('/1.123.0.json', '{"schemaVersion":"1"}');
    // The newest has not soaked.
    const young = JSON.parse(files.get('/1.122.0.json') ?? '');
    const [soaked, newest] = young.releases.slice(-2);
    newest.releaseTimestamp = new Date(Date.now() - 24 * 3600 * 1000).toISOString();
    files.set('/1.122.0.json', JSON.stringify(young));
    const hostile = '"1.121.0$(touch pwned)"';
    const tags = [
      ...['1.121.0', '1.122.0', '1.156.0', '1.121.99', '1.123.0', '1.100.0'],
      ...['latest', '"{{ .Values.tag }}"', hostile, '"../1.121.0"', `1.121.0@sha256:${'0'.repeat(64)}`],
    ];
    expect(await proposedFor(tags, url)).toEqual({
      ...Object.fromEntries(tags.map((tag) => [tag, []])),
      '1.121.0': ['1.156.0'],
      '1.122.0': [soaked.version],
      '1.156.0': ['2.134.2'],
    });
  });

  it('proposes nothing without a network', async () => {
    expect(await proposedFor(['1.121.0'], 'http://127.0.0.1:9')).toEqual({ '1.121.0': [] });
  });
});

describe('Renovate with a forge', { timeout: 300_000 }, () => {
  interface World {
    readonly changed?: (preset: string) => string;
    readonly lightspan?: boolean;
    readonly index?: string;
    readonly tag?: string;
  }

  async function renovated(world: World = {}) {
    const { changed = (text) => text, lightspan = true, index = mirror, tag = '1.121.0' } = world;
    const { url, files } = await serveDatasources(tag);
    const forge = await startForge({
      'values.yaml': values(tag),
      'renovate.json': changed(presetFor(url).replace(mirror, index)),
    });
    const config = join(temporaryFolder(), 'config.cjs');
    writeFileSync(config, withIndex(textOf('examples/renovate/config.js'), index));
    const run = () =>
      runRenovate({
        lightspan,
        env: {
          RENOVATE_PLATFORM: 'gitea',
          RENOVATE_ENDPOINT: `${forge.url}/`,
          RENOVATE_TOKEN: 'x',
          RENOVATE_REPOSITORIES: 'acme/infra',
          RENOVATE_ONBOARDING: 'false',
          RENOVATE_REQUIRE_CONFIG: 'optional',
          RENOVATE_CONFIG_FILE: config,
        },
      });
    const { log } = await run();
    return { forge, log, run, files };
  }

  it('opens one request with the report, and arms no merge', async () => {
    const { forge, log, run } = await renovated();
    expect(forge.requests, log).toMatchObject([{ title: expect.stringContaining('1.156.0') }]);
    expect(String(forge.requests[0]?.body)).toContain('`values.yaml.upgrade.md`');
    const [branch = ''] = forge.branches().filter((name) => name !== 'main');
    expect(forge.fileOn(branch, 'values.yaml')).toBe(values('1.156.0'));
    expect(forge.fileOn(branch, 'values.yaml.upgrade.md')).toContain('1.121.0');
    expect({ comments: forge.comments, merges: forge.merges }).toEqual({ comments: [], merges: [] });
    await run();
    expect(forge.requests).toHaveLength(1);
  });

  it('holds what rolls nowhere, with label and reasons, until a step rolls', async () => {
    const { forge, log, run, files } = await renovated({ tag: '1.156.0' });
    expect(forge.requests, log).toMatchObject([
      {
        title: expect.stringMatching(/^HOLD: .*2\.134\.2/),
        labels: [{ name: 'upgrade-hold' }],
        state: 'open',
      },
    ]);
    expect(String(forge.requests[0]?.body)).toContain('**Held**: 2.134.2 is not proven');
    expect(forge.comments.join('\n')).toContain(
      'Answer: with downtime only: allowed in one step, not proven to roll',
    );
    expect(forge.statuses).toContainEqual(
      expect.objectContaining({ context: 'renovate/artifacts', state: 'failure' }),
    );
    // As it will be once 1.157.0 is found to be safe.
    const {
      sourceDirectory,
      releases: [now],
      ...other
    } = JSON.parse(files.get('/1.156.0.json') ?? '');
    expect(sourceDirectory).toBe('upgrade-hold');
    files.set('/1.156.0.json', JSON.stringify({ ...other, releases: [now, { ...now, version: '1.157.0' }] }));
    await run();
    expect(forge.requests.map(({ title, labels, state }) => ({ title, labels, state }))).toEqual([
      { title: expect.any(String), labels: expect.any(Array), state: 'closed' },
      { title: expect.stringMatching(/^(?!HOLD).*1\.157\.0/), labels: [], state: 'open' },
    ]);
    expect(forge.merges).toEqual([]);
  });

  it.each<[string, string, World]>([
    [
      'a step is not proven, and says why',
      'Answer: with downtime only: allowed in one step, not proven to roll',
      { changed: (text) => text.replaceAll("--to '{{{newVersion}}}'", "--to '1.157.0'") },
    ],
    [
      'the step goes back',
      '1.100.0 is older than 1.121.0',
      { changed: (text) => text.replaceAll("--to '{{{newVersion}}}'", "--to '1.100.0'") },
    ],
    ['there is no index', 'there is no such file', { index: 'no/such/index.json' }],
    ['lightspan is not installed', 'ENOENT', { lightspan: false }],
    [
      'another command is in its place',
      'has not been added to the allowed list',
      { changed: (text) => text.replace('lightspan upgrade-report', 'lightspan upgrade-plan') },
    ],
  ])('is red, and merges nothing, where %s', async (_, message, world) => {
    const automerge = (text: string) => text.replace('"automerge": false', '"automerge": true');
    const { changed = (text) => text } = world;
    const { forge, log } = await renovated({ ...world, changed: (text) => automerge(changed(text)) });
    expect(forge.comments.join('\n'), log).toContain(message);
    expect(forge.statuses).toContainEqual(
      expect.objectContaining({ context: 'renovate/artifacts', state: 'failure' }),
    );
    expect(forge.merges).toEqual([]);
  });
});
