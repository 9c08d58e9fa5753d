import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { scenarios } from './checks/scenarios.js';
import { runCli } from './support/cli.js';
import { serving, startInstance } from './support/instance-server.js';
import { envOf, startLightdash } from './support/lightdash-server.js';
import { startedMerge } from './support/merge-responses.js';
import { upgradeTo, writeSituation } from './support/preflight.js';
import { realIndexFile } from './support/real-index.js';
import { gitEnv, Repository } from './support/repository.js';
import { serve } from './support/server.js';
import { temporaryFolder } from './support/temporary-folder.js';

/**
 * The jobs that people come with, each from an empty start to its end: at most four commands, at most 60 lines
 * to read on a terminal of 80 columns, and after a no, what to do. `npx vitest run test/jobs.test.ts --update` updates what is printed.
 */

const here = process.cwd();
const fixtures = resolve('fixtures');
afterEach(() => process.chdir(here));

const values = (version: string) => `image:\n  repository: lightdash/lightdash\n  tag: ${version}\n`;
const compose = `services:
  lightdash:
    image: lightdash/lightdash:\${LIGHTDASH_VERSION}
  db:
    image: pgvector/pgvector:pg15
    volumes:
      - db-data:/var/lib/postgresql/data
volumes:
  db-data:
`;

function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = temporaryFolder();
  copyFileSync(resolve(here, realIndexFile), join(folder, 'index.json'));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

/** An instance that is asked for its release before anything else. */
async function instanceOf(version: string): Promise<string> {
  const { url } = await serve((_, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ status: 'ok', results: { version } }));
  });
  return url;
}

/** Command lines, each with the exit code that it ends in, run one after the other in a folder. */
type Job = readonly (readonly [line: string, code: number])[];

async function read(folder: string, job: Job, env: Readonly<Record<string, string>> = {}): Promise<string> {
  process.chdir(folder);
  const read: string[] = [];
  for (const [line, code] of job) {
    const world = { columns: 80, env: { ...gitEnv, NO_COLOR: '1', ...env } };
    const outcome = await runCli(line.split(' '), world);
    const said = `${outcome.stderr}${outcome.stdout}`;
    expect(outcome.code, said).toBe(code);
    // No dead end: what is no yes says what to do.
    if (code !== 0) expect(said).toMatch(code === 1 ? /(?:Next|To do): / : /--[a-z]/);
    read.push(`$ lightspan ${line}\n${said}`);
  }
  return read
    .join('')
    .replaceAll(fixtures, '<fixtures>')
    .replaceAll(/^\d+ s: |(?<=after )\d+ s/gm, (time) => time.replace(/\d+/, '1'))
    .replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, 'http://127.0.0.1:8080')
    .replaceAll(/[0-9a-f]{12}(?=\))/g, '<commit>');
}

/** The gate of a change that moves a pin to a release that rolls. */
async function gateOfChange(format: 'github' | 'junit'): Promise<[string, Job]> {
  const repository = new Repository().commit({ 'values.yaml': values('1.121.0') });
  repository.git('switch', '--quiet', '--create', 'change');
  repository.commit({ 'values.yaml': values('1.156.0') });
  const gate = `pin-check --base main --pin values.yaml#image.tag --format ${format} --index ${fixtures}`;
  return [repository.folder, [[gate, 0]]];
}

/** Lines as a terminal of 80 columns shows them: what is longer is broken. */
const linesRead = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .reduce((count, line) => count + Math.max(1, Math.ceil(line.length / 80)), 0);

describe('a job', () => {
  type Started = readonly [folder: string, job: Job, env?: Readonly<Record<string, string>>];
  const jobs: Readonly<Record<string, () => Promise<Started>>> = {
    'compose-with-latest': async () => {
      const url = await instanceOf('1.121.0');
      const text = compose.replace(`\${LIGHTDASH_VERSION}`, 'latest');
      return [
        folderWith({ 'docker-compose.yml': text }),
        [
          ['upgrade-check docker-compose.yml', 2],
          [`init --instance ${url}`, 0],
          ['upgrade-plan --to latest --index index.json --out hops', 0],
        ],
      ];
    },
    'values-without-a-tag': async () => {
      const url = await instanceOf('1.121.0');
      return [
        folderWith({ 'values.yaml': values('""') }),
        [
          ['upgrade-check values.yaml', 2],
          [`init --instance ${url}`, 0],
          ['upgrade-plan --to latest-rolling --index index.json --out hops', 0],
        ],
      ];
    },
    'gate-on-github': () => gateOfChange('github'),
    'gate-on-gitlab': () => gateOfChange('junit'),
    verify: async () => {
      const { url } = await startInstance(serving('1.156.0'));
      return [folderWith({}), [[`upgrade-verify --instance ${url} --version 1.156.0 --interval 1s`, 0]]];
    },
    merge: async () => {
      const folder = folderWith({});
      const text = readFileSync(resolve(here, 'fixtures/merge/orders-and-visits.yaml'), 'utf8');
      writeFileSync(join(folder, 'merge.yaml'), text);
      const server = await startLightdash(startedMerge());
      return [
        folder,
        [
          ['merge validate merge.yaml', 0],
          ['merge submit merge.yaml', 0],
        ],
        envOf(server),
      ];
    },
    'helm-to-the-newest': async () => [
      folderWith({ 'values.yaml': values('1.98.0') }),
      [
        ['init', 0],
        ['upgrade-plan --to latest --out hops --index index.json', 0],
      ],
    ],
    'gate-on-a-pull-request': async () => {
      const repository = new Repository().commit({ 'values.yaml': values('1.121.0') });
      repository.git('switch', '--quiet', '--create', 'change');
      repository.commit({ 'values.yaml': values('1.160.0') });
      return [
        repository.folder,
        [
          [`pin-check --base main --index ${fixtures}`, 1],
          [`upgrade-plan --from 1.121.0 --to 1.160.0 --index ${fixtures}`, 0],
        ],
      ];
    },
    'compose-to-the-newest-proven': async () => [
      folderWith({ 'docker-compose.yml': compose, '.env': 'LIGHTDASH_VERSION=1.121.0\n' }),
      [
        ['init', 0],
        ['upgrade-plan --to latest-rolling --out hops --index index.json', 0],
        ['upgrade-bump --to latest-rolling --index index.json', 0],
      ],
    ],
    'air-gapped-approval': async () => [
      folderWith({}),
      [
        [`index mirror --out mirror --from 2.134.1 --to 2.134.2 --index ${fixtures}`, 0],
        ['upgrade-check --from 2.134.1 --to 2.134.2 --index mirror --offline --verify-artifacts', 0],
        ['upgrade-report --from 2.134.1 --to 2.134.2 --index mirror --offline --out report.html', 0],
      ],
    ],
    'preflight-that-stops': async () => {
      const folder = folderWith({});
      const scenario = scenarios['long-lock-on-projects']?.broken;
      expect(scenario).toBeDefined();
      if (scenario !== undefined) await writeSituation(folder, scenario);
      return [
        folder,
        [['upgrade-preflight --from 2.0.0 --to latest --only database --facts facts.json --index .', 1]],
      ];
    },
    'preflight-that-ends-in-go': async () => {
      const folder = folderWith({});
      await writeSituation(
        folder,
        upgradeTo([{ name: '20260901000000_x', tables: ['projects'], does: ['locks'] }]),
      );
      return [
        folder,
        [
          ['upgrade-preflight --from 2.0.0 --to latest --facts facts.json --disk-free 40GiB --index .', 0],
          ['upgrade-plan --from 2.0.0 --to latest --facts facts.json --index .', 0],
        ],
      ];
    },
  };

  it.each(Object.entries(jobs))('%s takes at most 4 commands and 60 lines', async (name, begin) => {
    const [folder, job, env] = await begin();
    expect(job.length).toBeLessThanOrEqual(4);
    const text = await read(folder, job, env);
    await expect(text).toMatchFileSnapshot(`transcripts/jobs/${name}.txt`);
    expect(linesRead(text)).toBeLessThanOrEqual(60);
  });
});
