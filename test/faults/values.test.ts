import { existsSync, readFileSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { parseDocument } from 'yaml';
import { factKeysOf } from '../../src/facts/needs.js';
import { runCli } from '../support/cli.js';
import { asYaml, chartObjects, canary as name } from '../support/manifests.js';
import { upgradeTo, writeSituation } from '../support/preflight.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { itFailsClosed } from './campaign.js';
import { documentFault } from './documents.js';
import { breakFault, hidesLines } from './mutations.js';

/** Values of the chart that nothing keeps from an upgrade: what of them is damaged is refused, or read as it stands. */

/** No damage makes the name of a variable of it, and names are shown. */
const canary = `${name} is no name`;

const folder = temporaryFolder();
const file = join(folder, 'values.yaml');
const manifests = join(folder, 'manifests.yaml');
const factsOut = join(folder, 'out.json');
const ofDatabase = join(folder, 'database.json');
const env = ['S3_ENDPOINT', 'S3_BUCKET', 'S3_REGION'].map((name) => ({ name, value: canary }));
beforeAll(async () => {
  await writeSituation(folder, upgradeTo([]));
  const file = JSON.parse(readFileSync(join(folder, 'facts.json'), 'utf8'));
  for (const key of factKeysOf('deployment')) delete file.facts[key];
  await writeFile(ofDatabase, JSON.stringify(file));
  await writeFile(manifests, asYaml(chartObjects({ chart: '2.16.361', app: '2.0.0', env })));
});

const values = JSON.stringify(
  {
    image: { repository: 'lightdash/lightdash', tag: '2.0.0', pullPolicy: 'IfNotPresent' },
    replicaCount: 2,
    upgrade: { mode: 'RollingUpdate' },
    migrationJob: { enabled: false, extraEnv: [{ name: 'PGSSLMODE', value: canary }] },
    extraEnv: env,
    secrets: { LIGHTDASH_SECRET: canary },
    postgresql: { enabled: false },
    lightdashBackend: {
      readinessProbe: { path: '/api/v1/readyz' },
      startupProbe: { initialDelaySeconds: 5, periodSeconds: 10, timeoutSeconds: 10, failureThreshold: 200 },
    },
    podDisruptionBudget: { enabled: true, maxUnavailable: 1 },
  },
  null,
  2,
);

async function judge(bytes: Buffer) {
  rmSync(factsOut, { force: true });
  await writeFile(file, bytes);
  return await runCli([
    ...['upgrade-preflight', '--from', '2.0.0', '--to', '2.1.0', '--index', folder, '--json'],
    ...['--facts', ofDatabase, '--manifests', manifests, '--values', file],
    ...['--only', 'deployment', '--facts-out', factsOut],
  ]);
}

// biome-ignore lint/suspicious/noExplicitAny: it reads whatever stands there.
type Anything = any;

const namesOf = (list: Anything) =>
  Array.isArray(list) ? list.map(({ name }) => name) : Object.keys(list ?? {});
const text = (value: Anything) => (value === '' || value === undefined ? null : value);
const flag = (value: Anything) => (value === undefined ? null : (value ?? false));

/** What decides, as a person would read it from the file itself. */
function readNaively(bytes: Buffer): unknown {
  const document = parseDocument(bytes.toString('utf8'), { uniqueKeys: true, logLevel: 'silent' });
  if (document.errors.length > 0) return undefined;
  const top: Anything = document.toJS() ?? {};
  const all = typeof top.lightdash === 'object' && top.lightdash !== null ? top.lightdash : top;
  const { image, lightdashBackend: backend, migrationJob: job } = all;
  return {
    imageTag: text(image?.tag),
    upgradeMode: text(all.upgrade?.mode),
    migrationJobEnabled: flag(job?.enabled),
    migrationJobVariables: namesOf(job?.extraEnv),
    variables: [
      ...new Set([...namesOf(all.extraEnv), ...namesOf(all.configMap), ...namesOf(all.secrets)]),
    ].sort(),
    postgresqlEnabled: flag(all.postgresql?.enabled),
    readinessPath: text(backend?.readinessProbe?.path) ?? text(all.readinessProbe?.path),
    failureThreshold: text(backend?.startupProbe?.failureThreshold),
  };
}

/** The same of the facts that were made of it. */
function readFacts(): unknown {
  const { facts }: Anything = JSON.parse(readFileSync(factsOut, 'utf8'));
  const { value } = facts.chartValues;
  return {
    imageTag: value.imageTag,
    upgradeMode: value.upgradeMode,
    migrationJobEnabled: value.migrationJobEnabled,
    migrationJobVariables: value.migrationJobVariables,
    variables: value.variables.toSorted(),
    postgresqlEnabled: value.postgresqlEnabled,
    readinessPath: value.readinessPath,
    failureThreshold: value.startupProbe?.failureThreshold ?? null,
  };
}

/** Whether the facts that were judged are those that the file tells. */
function readAsItStands(bytes: Buffer): boolean {
  if (!existsSync(factsOut)) return false;
  try {
    expect(readFacts()).toEqual(readNaively(bytes));
    return true;
  } catch {
    return false;
  }
}

it('before any fault they are a go, of what was asked', async () => {
  const bytes = Buffer.from(values);
  const { code, stdout } = await judge(bytes);
  expect(code, stdout).toBe(0);
  expect(readAsItStands(bytes)).toBe(true);
});

const cases = fc.record({ fault: fc.oneof({ weight: 3, arbitrary: documentFault }, breakFault) });

itFailsClosed(
  'values of the chart',
  { cases, numRuns: 2000, exitCodes: [0, 1, 2, 3, 4] },
  async ({ fault }) => {
    const damaged = fault.apply(Buffer.from(values));
    const outcome = await judge(damaged);
    const facts = existsSync(factsOut) ? readFileSync(factsOut, 'utf8') : '';
    expect(`${outcome.stdout}${outcome.stderr}${facts}`, damaged.toString()).not.toContain(canary);
    return { damaged, outcome, safeInTruth: !hidesLines(damaged) && readAsItStands(damaged) };
  },
);
