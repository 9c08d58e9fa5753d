import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { outcomeOf } from './support/cli.js';
import { healthy } from './support/instance-server.js';
import { nodeUnderTest } from './support/node-under-test.js';
import { realIndexFile } from './support/real-index.js';
import { listen, serve } from './support/server.js';
import { temporaryFolder } from './support/temporary-folder.js';

/**
 * The jobs that watch, run as their schedulers run them: shell, curl and lightspan are real, the webhook is a server on
 * loopback. The containers of the CronJob run in their order, one after the other, in folders in place of its volumes.
 */

let posted: string[] = [];
let status = 200;
const webhook = createServer((request, response) => {
  const parts: Buffer[] = [];
  request.on('data', (part) => parts.push(part));
  request.on('end', () => {
    if (status === 200) posted.push(Buffer.concat(parts).toString());
    response.writeHead(status).end();
  });
});
let address = '';
beforeAll(async () => {
  address = `http://127.0.0.1:${await listen(webhook)}/services/T/B/x`;
});
afterAll(() => {
  webhook.closeAllConnections();
  webhook.close();
});

let folder = '';
let env: Record<string, string> = {};
beforeEach(() => {
  folder = temporaryFolder();
  posted = [];
  status = 200;
  mkdirSync(join(folder, 'bin'));
  const program = join(folder, 'bin', 'lightspan');
  writeFileSync(program, `#!/bin/sh\nexec '${nodeUnderTest}' '${resolve('bin/lightspan.cjs')}' "$@"\n`);
  chmodSync(program, 0o755);
  writeFileSync(join(folder, 'bin', 'npm'), '#!/bin/sh\n');
  chmodSync(join(folder, 'bin', 'npm'), 0o755);
  env = {
    PATH: `${join(folder, 'bin')}:${dirname(nodeUnderTest)}:/usr/bin:/bin`,
    LIGHTSPAN_INDEX: resolve(realIndexFile),
    LIGHTSPAN_CACHE_DIR: join(folder, 'cache'),
    SLACK_WEBHOOK: address,
  };
});

const textOf = (file: string) => readFileSync(file, 'utf8');
const documentsOf = (file: string) =>
  parseAllDocuments(textOf(file)).map((document) => document.toJS({ maxAliasCount: 9 }));

function run(program: string, argv: readonly string[]) {
  return outcomeOf(spawn(program, argv, { cwd: folder, env }));
}

interface Container {
  readonly name: string;
  readonly command?: readonly string[];
  readonly args: readonly string[];
}

/** As the kubelet does: each once the one before has ended well. */
async function runPod(instance: string): Promise<number | null> {
  const [, job] = documentsOf('examples/kubernetes/watch-cronjob.yaml');
  const { initContainers, containers } = job.spec.jobTemplate.spec.template.spec;
  rmSync(join(folder, 'work'), { recursive: true, force: true });
  for (const name of ['state', 'work']) mkdirSync(join(folder, name), { recursive: true });
  const here = (text: string) =>
    text
      .replaceAll('/state/', `${folder}/state/`)
      .replaceAll('/work/', `${folder}/work/`)
      .replace('http://lightdash:8080', instance);
  for (const { command, args } of [...initContainers, ...containers] as readonly Container[]) {
    // Without a command, an image has its own.
    const [program = '', ...first] = command ?? ['lightspan'];
    const { code, stderr } = await run(program, [...first, ...args.map(here)]);
    if (code !== 0) {
      process.stderr.write(stderr);
      return code;
    }
  }
  return 0;
}

const jobs: Readonly<Record<string, (running: string) => Promise<number | null>>> = {
  'examples/github-actions/watch.yml': async (running) => {
    const [workflow] = documentsOf('examples/github-actions/watch.yml');
    return runScripts(
      workflow.jobs.watch.steps.flatMap(({ run = [] }) => run),
      running,
    );
  },
  'examples/gitlab-ci/watch.gitlab-ci.yml': async (running) => {
    const [pipeline] = documentsOf('examples/gitlab-ci/watch.gitlab-ci.yml');
    return runScripts(pipeline['lightdash-watch'].script, running);
  },
  'examples/kubernetes/watch-cronjob.yaml': async (running) => {
    const { url } = await serve((_, response) => healthy(running)(response));
    return runPod(url);
  },
};

async function runScripts(scripts: readonly string[], running: string): Promise<number | null> {
  writeFileSync(
    join(folder, 'values.yaml'),
    `image:\n  repository: lightdash/lightdash\n  tag: ${running}\n`,
  );
  return (await run('bash', ['-ec', scripts.join('\n')])).code;
}

const textsPosted = () => posted.map((body) => JSON.parse(body).text);

describe.each(Object.entries(jobs))('%s', (_, job) => {
  it('says what is recommended once, and what changes', async () => {
    expect(await job('2.117.0')).toBe(0);
    expect(textsPosted()).toEqual([
      expect.stringMatching(/^Lightdash: 2\.134\.2 is recommended now: rolls from 2\.117\.0\n/),
    ]);
    expect(await job('2.117.0')).toBe(0);
    expect(posted).toHaveLength(1);
    expect(await job('2.134.2')).toBe(0);
    expect(textsPosted().slice(1)).toEqual([expect.stringContaining('2.134.2 runs now, 2.117.0 before')]);
  });

  it('says again what could not be sent', async () => {
    status = 503;
    expect(await job('2.117.0')).not.toBe(0);
    status = 200;
    expect(await job('2.117.0')).toBe(0);
    expect(textsPosted()).toEqual([expect.stringContaining('2.134.2 is recommended now')]);
  });

  it('fails where there is no answer, and keeps what it knows', async () => {
    expect(await job('2.117.0')).toBe(0);
    env = { ...env, LIGHTSPAN_INDEX: join(folder, 'none.json') };
    expect(await job('2.117.0')).toBe(3);
    expect(posted).toHaveLength(1);
    expect(existsSync(join(folder, 'state.json')) || existsSync(join(folder, 'state/state.json'))).toBe(true);
  });
});
