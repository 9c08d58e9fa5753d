import { execFileSync } from 'node:child_process';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { factKeysOf } from '../../src/instance/facts/needs.js';
import { runCli } from '../support/cli.js';
import { serverFact } from '../support/facts.js';
import { chartObjects } from '../support/manifests.js';
import { type Situation, upgradeTo, writeSituation } from '../support/preflight.js';
import { realIndexFile } from '../support/real-index.js';
import { gitEnv } from '../support/repository.js';
import { temporaryFolder } from '../support/temporary-folder.js';

/** The commands that an answer prints for what comes next: pasted into a shell, each is a request that is taken. */

const here = process.cwd();
const realIndex = resolve(realIndexFile);
let folder = '';
beforeEach(() => {
  folder = temporaryFolder();
  copyFileSync(realIndex, join(folder, 'index.json'));
});
afterEach(() => process.chdir(here));

const values = (tag: string) => `image:\n  repository: lightdash/lightdash\n  tag: "${tag}"\n`;
const composeFile = `services:
  bi:
    image: lightdash/lightdash:\${TAG}
  db:
    image: pgvector/pgvector:pg15
    volumes: [data:/var/lib/postgresql/data]
volumes: {data: {}}
`;

const rendered = chartObjects({ chart: '2.16.284', app: '2.0.0', mode: 'RollingUpdate' })
  .map((object) => stringify(object))
  .join('---\n');

const index = ['--index', 'index.json'];

async function facts(
  without: readonly string[] = [],
  more: Parameters<typeof upgradeTo>[1] = {},
): Promise<Situation> {
  const situation = upgradeTo(
    [{ name: '20260901000000_new', tables: ['projects'], does: ['rewrites'] }],
    more,
  );
  const left = Object.entries(situation.facts ?? {}).filter(([name]) => !without.includes(name));
  const all = { ...situation, facts: Object.fromEntries(left) };
  await writeSituation(folder, all);
  return all;
}

interface Case {
  readonly argv: readonly string[];
  readonly files?: Readonly<Record<string, string>>;
  readonly situation?: () => Promise<unknown>;
  readonly stdin?: string;
  /** What the answer says of them. */
  readonly says: readonly (string | RegExp)[];
}

const ofFacts = ['--from', '2.0.0', '--to', '2.1.0', '--index', '.'];

const cases: Readonly<Record<string, Case>> = {
  'a preflight without the values of the chart': {
    situation: () => facts(),
    files: { 'manifests.yaml': rendered },
    argv: [
      ...['upgrade-preflight', ...ofFacts, '--manifests', 'manifests.yaml', '--only', 'chart-version'],
      ...['--facts-out', 'seen.json'],
    ],
    says: [/NOT KNOWN: provide the values of the chart \(--values <file>\)\n/, '--values values.yaml'],
  },
  'a preflight without a deployment, whose release stands in values of the chart': {
    situation: () => facts(['deployment', 'workloads', 'helm', 'chartValues']),
    files: { 'values.yaml': values('2.0.0') },
    argv: [
      ...['upgrade-preflight', '--from-file', 'values.yaml', '--to', '2.1.0', '--index', '.'],
      ...['--facts', 'facts.json', '--disk-free', '40GiB'],
    ],
    says: [/the deployment \(--kubernetes\)/, '--kubernetes'],
  },
  'a preflight that only a person can complete': {
    situation: () => facts(),
    argv: ['upgrade-preflight', ...ofFacts, '--facts', 'facts.json'],
    says: [
      /NOT KNOWN: state the free space on the database disk/,
      `--disk-free "\${DISK_FREE:?such as 40GiB}"`,
    ],
  },
  ...Object.fromEntries(
    (['argo-cd', 'flux', 'other'] as const).map((appliedBy): [string, Case] => [
      `a preflight of what is applied by ${appliedBy}`,
      {
        situation: () =>
          facts([], {
            helm: {
              ...{ release: 'bi', namespace: 'bi', chart: 'lightdash' },
              chartVersion: null,
              appliedBy,
            },
          }),
        argv: ['upgrade-preflight', ...ofFacts, '--facts', 'facts.json', '--only', 'postgres-version'],
        says: ['the steps of the upgrade: lightspan upgrade-plan', /^(?!.*--deploy)/s],
      },
    ]),
  ),
  'a preflight of objects of no chart, whose facts are written': {
    situation: () => facts(factKeysOf('deployment')),
    files: { 'manifests.yaml': rendered.replaceAll(/^ +(?:helm\.sh|app\.kubernetes\.io)\/.*\n/gm, '') },
    argv: [
      ...['upgrade-preflight', ...ofFacts, '--facts', 'facts.json', '--manifests', 'manifests.yaml'],
      ...['--only', 'postgres-version', '--facts-out', 'all.json'],
    ],
    says: [
      /^Next: the steps of the upgrade: lightspan upgrade-plan --from 2.0.0 --to 2.1.0 --index \. --facts all\.json$/m,
    ],
  },
  'a preflight of a chart, whose facts are written': {
    situation: () => facts(factKeysOf('deployment')),
    files: { 'manifests.yaml': rendered },
    argv: [
      ...['upgrade-preflight', ...ofFacts, '--facts', 'facts.json', '--manifests', 'manifests.yaml'],
      ...['--only', 'postgres-version', '--facts-out', 'all.json'],
    ],
    says: [' --facts all.json --deploy helm'],
  },
  'a preflight that something stops': {
    situation: () => facts([], { server: { ...serverFact, inRecovery: true } }),
    argv: ['upgrade-preflight', ...ofFacts, '--facts', 'facts.json'],
    says: [
      'Next: fix what stops it, collect the facts again, then check again: lightspan upgrade-preflight --from',
    ],
  },
  'a plan of a compose project': {
    files: { 'compose.yaml': composeFile, '.env': 'TAG=1.121.0\n' },
    argv: ['upgrade-plan', '--from-file', 'compose.yaml', '--to', '2.134.2', ...index],
    says: [
      '(it prints the line that reads a database inside compose; for another, add --database env): lightspan ',
      /^(?!.*needs downtime \(Recreate\))/s,
      /^(?!.*unsafe-release)/s,
    ],
  },
  'a plan of a compose project whose files the settings name': {
    files: {
      'compose.yaml': composeFile,
      'compose.override.yaml': 'services: {bi: {ports: ["8080:8080"]}}\n',
      '.env': 'TAG=1.121.0\n',
      'lightspan.yaml':
        'pins: [compose.yaml]\ndeploy: compose\ncompose: {files: [compose.yaml, compose.override.yaml]}\n',
    },
    argv: ['upgrade-plan', '--to', '2.134.2', ...index],
    says: [' --compose compose.yaml --compose compose.override.yaml; then '],
  },
  'a plan of a kustomization, for which there are no steps': {
    files: { 'kustomization.yaml': 'images:\n  - name: lightdash/lightdash\n    newTag: 1.121.0\n' },
    argv: ['upgrade-plan', '--from-file', 'kustomization.yaml', '--to', '2.134.2', ...index],
    says: [
      "then move the pin, and have it applied: lightspan upgrade-bump --file 'kustomization.yaml#images.0.newTag' --to 2.134.2",
      '--allow-recreate',
      /^(?!.*--deploy)/s,
    ],
  },
  'a plan whose first release leads no further by rolling': {
    argv: ['upgrade-plan', '--from', '1.214.0', '--to', 'latest-rolling', ...index],
    says: [
      'Next: a hop with downtime goes further: lightspan upgrade-plan --from 1.214.0 --to latest --index',
    ],
  },
  'a plan that known issues keep from being proven': {
    argv: ['upgrade-plan', '--from', '0.2000.0', '--to', '2.134.2', ...index],
    says: [
      'Answer: no: nothing proves the step to 0.3461.0: known issue chart-migrates-in-job-and-pods, and 3 other reasons',
      '--facts-out facts.json; then plan with it: lightspan upgrade-plan',
      '--accept slug-backfill-never-ends',
    ],
  },
  'a check of an index that was piped in': {
    stdin: readFileSync(realIndex, 'utf8'),
    argv: ['upgrade-check', '--from', '1.121.0', '--to', '2.134.2', '--index', '-'],
    says: [`--index "\${FILE:?piped input}"`, 'the steps (or --deploy compose)'],
  },
  'a check of values of the chart': {
    files: { 'values.yaml': values('1.121.0') },
    argv: ['upgrade-check', '--from-file', 'values.yaml', '--to', '2.134.2', ...index],
    says: [/^(?!.*--deploy compose)/s],
  },
};

/** The words of a command line, by the shell that it is pasted into. */
function wordsOf(command: string): readonly string[] {
  const script = `lightspan() { for word in "$@"; do printf '%s\\0' "$word"; done; }\n${command}`;
  const env = { ...process.env, FILE: 'index.json', DISK_FREE: '40GiB', EDITION: 'community' };
  return execFileSync('sh', ['-c', script], { encoding: 'utf8', env }).split('\0').slice(0, -1);
}

/** A request that is taken ends in an answer, or in a source that this machine does not have. */
async function isTaken(command: string): Promise<void> {
  const words = wordsOf(command);
  writeFileSync(join(folder, 'values.yaml'), values('1.121.0'));
  const { code, stderr } = await runCli(words, { env: { ...gitEnv, PATH: folder } });
  expect([command, code === 2 ? stderr : '']).toEqual([command, '']);
}

describe('what comes next of', () => {
  it.each(Object.entries(cases))(
    '%s can be pasted',
    async (_, { argv, files = {}, situation, stdin, says }) => {
      await situation?.();
      process.chdir(folder);
      for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
      const { stdout, stderr } = await runCli(argv, {
        env: gitEnv,
        ...(stdin === undefined ? {} : { stdin }),
      });
      for (const text of says) {
        if (typeof text === 'string') expect(stdout).toContain(text);
        else expect(stdout).toMatch(text);
      }
      const next = stdout.split('\n').find((line) => line.startsWith('Next: ')) ?? '';
      const commands = [...next.matchAll(/: (lightspan (?:'[^']*'|"[^"]*"|[^;'"])+)/g)].map(
        ([, text = '']) => text,
      );
      expect(commands, stderr).not.toEqual([]);
      for (const command of commands) await isTaken(command.replace(/[.]$/, ''));
    },
  );
});
