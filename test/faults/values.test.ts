import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeAll } from 'vitest';
import { parseDocument } from 'yaml';
import { asYaml, chartObjects, canary as name } from '../support/manifests.js';
import { type Anything, folder, itReadsAsItStands } from './deployed.js';
import { documentFault } from './documents.js';
import { breakFault } from './mutations.js';

/** Values of the chart that nothing keeps from an upgrade: what of them is damaged is refused, or read as it stands. */

/** No damage makes the name of a variable of it, and names are shown. */
const canary = `${name} is no name`;

const manifests = join(folder, 'manifests.yaml');
const env = ['S3_ENDPOINT', 'S3_BUCKET', 'S3_REGION'].map((name) => ({ name, value: canary }));
beforeAll(() => writeFile(manifests, asYaml(chartObjects({ chart: '2.16.361', app: '2.0.0', env }))));

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

const namesOf = (list: Anything) =>
  Array.isArray(list) ? list.map(({ name }) => name) : Object.keys(list ?? {});
const text = (value: Anything) => (value === '' || value === undefined ? null : value);
/** Whether a switch is on: one that was removed, alone or with its map, is as `removed` says. */
const flag = (map: Anything, removed: boolean) =>
  map === null || map?.enabled === null ? removed : (map?.enabled ?? null);

function readNaively(bytes: Buffer): unknown {
  const document = parseDocument(bytes.toString('utf8'), { uniqueKeys: true, logLevel: 'silent' });
  if (document.errors.length > 0) return undefined;
  const top: Anything = document.toJS() ?? {};
  const all = typeof top.lightdash === 'object' && top.lightdash !== null ? top.lightdash : top;
  const { image, lightdashBackend: backend, migrationJob: job } = all;
  return {
    imageTag: text(image?.tag),
    upgradeMode: text(all.upgrade?.mode),
    migrationJobEnabled: flag(job, false),
    migrationJobVariables: namesOf(job?.extraEnv),
    variables: [
      ...new Set([...namesOf(all.extraEnv), ...namesOf(all.configMap), ...namesOf(all.secrets)]),
    ].sort(),
    postgresqlEnabled: flag(all.postgresql, true),
    readinessPath: text(backend?.readinessProbe?.path) ?? text(all.readinessProbe?.path),
    failureThreshold: text(backend?.startupProbe?.failureThreshold),
  };
}

function readFacts({ chartValues: { value } }: Anything): unknown {
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

const fault = fc.oneof({ weight: 3, arbitrary: documentFault }, breakFault);
itReadsAsItStands(
  'values of the chart',
  values,
  { fault, numRuns: 2000 },
  {
    optionsOf: (file) => ['--manifests', manifests, '--values', file],
    naively: readNaively,
    ofFacts: readFacts,
    secret: canary,
  },
);
