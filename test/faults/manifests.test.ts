import { existsSync, readFileSync, rmSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { factKeysOf } from '../../src/facts/needs.js';
import { runCli } from '../support/cli.js';
import { asList, asYaml, backendPod, canary, chartObjects, inCluster } from '../support/manifests.js';
import { upgradeTo, writeSituation } from '../support/preflight.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { itFailsClosed } from './campaign.js';
import { documentFault } from './documents.js';
import { breakFault, byteFault, hidesLines } from './mutations.js';

/** Manifests of a deployment that nothing keeps from an upgrade: what of them is damaged is refused, or read as it stands. */

const folder = temporaryFolder();
const file = join(folder, 'damaged.yaml');
const factsOut = join(folder, 'out.json');
const ofDatabase = join(folder, 'database.json');
beforeAll(async () => {
  await writeSituation(folder, upgradeTo([]));
  const file = JSON.parse(readFileSync(join(folder, 'facts.json'), 'utf8'));
  for (const key of factKeysOf('deployment')) delete file.facts[key];
  await writeFile(ofDatabase, JSON.stringify(file));
});

const env = ['S3_ENDPOINT', 'S3_BUCKET', 'S3_REGION'].map((name) => ({ name, value: canary }));
const objects = chartObjects({ chart: '2.16.361', app: '2.0.0', env });
/** That StatefulSets were asked for, and the bundled database is none of them. */
const queue = {
  apiVersion: 'apps/v1',
  kind: 'StatefulSet',
  metadata: { name: 'nats' },
  spec: { replicas: 1, template: { spec: { containers: [{ name: 'nats', image: 'nats:2.11.4' }] } } },
};
const inputs = [
  { name: 'helm template', text: asYaml(objects), fault: byteFault },
  {
    name: 'kubectl get',
    text: asList(inCluster([...objects, queue, backendPod({ tag: '2.0.0' })])),
    fault: documentFault,
  },
] as const;

async function judge(bytes: Buffer) {
  rmSync(factsOut, { force: true });
  await writeFile(file, bytes);
  return await runCli([
    ...['upgrade-preflight', '--from', '2.0.0', '--to', '2.1.0', '--index', folder, '--json'],
    ...['--facts', ofDatabase, '--manifests', file, '--only', 'deployment', '--facts-out', factsOut],
  ]);
}

// biome-ignore lint/suspicious/noExplicitAny: it reads whatever stands there.
type Anything = any;

const nameOfAll = (list: Anything) => (list ?? []).map(({ name }: Anything) => name);

/** What decides, as a person would read it from the objects themselves. */
function readNaively(bytes: Buffer): unknown {
  const documents = parseAllDocuments(bytes.toString('utf8'), { uniqueKeys: true, logLevel: 'silent' });
  if (!Array.isArray(documents) || documents.some(({ errors }) => errors.length > 0)) return undefined;
  const read: Anything[] = documents
    .map((document) => document.toJS() as Anything)
    .filter((value) => value !== null)
    .flatMap((value) => (value.kind === 'List' ? value.items : [value]));
  const of = (kind: string, group: RegExp) =>
    read.filter((one) => one.kind === kind && group.test(one.apiVersion));
  return {
    workloads: of('Deployment', /^apps\//).map(({ metadata, spec }) => ({
      name: metadata.name,
      replicas: spec.replicas ?? null,
      strategy: spec.strategy?.type ?? null,
      containers: [...(spec.template.spec.initContainers ?? []), ...spec.template.spec.containers].map(
        (one: Anything) => ({
          name: one.name,
          image: one.image,
          replaced: (one.command ?? []).length > 0,
          variables: [...new Set(nameOfAll(one.env))].sort(),
          from: (one.envFrom ?? []).map((from: Anything) => from.configMapRef?.name ?? from.secretRef?.name),
          readiness: one.readinessProbe?.httpGet ? one.readinessProbe.httpGet.path || '/' : null,
          startup: one.startupProbe ? one.startupProbe.failureThreshold || 3 : null,
        }),
      ),
    })),
    budgets: of('PodDisruptionBudget', /^policy\//).map(({ metadata, spec }) => ({
      name: metadata.name,
      least: spec.minAvailable ?? null,
      most: spec.maxUnavailable ?? null,
    })),
  };
}

/** The same of the facts that were made of them. */
function readFacts(): unknown {
  const { facts }: Anything = JSON.parse(readFileSync(factsOut, 'utf8'));
  const number = (text: string | null) => (text !== null && /^\d+$/.test(text) ? Number(text) : text);
  return {
    workloads: facts.workloads.value
      .filter(({ kind }: Anything) => kind === 'Deployment')
      .map((one: Anything) => ({
        name: one.name,
        replicas: one.replicas,
        strategy: one.strategy,
        containers: one.containers.map((container: Anything) => ({
          name: container.name,
          image: container.image.reference,
          replaced: container.entrypointReplaced,
          variables: nameOfAll(container.variables).sort(),
          from: container.variablesFrom.map(({ object }: Anything) => object),
          readiness: container.readinessProbe?.path ?? null,
          startup: container.startupProbe?.failureThreshold ?? null,
        })),
      })),
    budgets: (facts.disruptionBudgets.value ?? []).map((one: Anything) => ({
      name: one.name,
      least: number(one.minAvailable),
      most: number(one.maxUnavailable),
    })),
  };
}

/** Whether the facts that were judged are those that the text tells. */
function readAsItStands(bytes: Buffer): boolean {
  if (!existsSync(factsOut)) return false;
  try {
    expect(readFacts()).toEqual(readNaively(bytes));
    return true;
  } catch {
    return false;
  }
}

describe('before any fault', () => {
  it.each(inputs)('$name is a go, of what was asked', async ({ text }) => {
    const bytes = Buffer.from(text);
    const { code, stdout } = await judge(bytes);
    expect(code, stdout).toBe(0);
    expect(readAsItStands(bytes)).toBe(true);
  });
});

for (const { name, text, fault: faults, numRuns } of [
  ...inputs.map((one) => ({ ...one, numRuns: 1500 })),
  { ...inputs[0], name: 'helm template, with line breaks', fault: breakFault, numRuns: 500 },
]) {
  itFailsClosed(
    `manifests of ${name}`,
    { cases: fc.record({ fault: faults }), numRuns, exitCodes: [0, 1, 2, 3, 4] },
    async ({ fault }) => {
      const damaged = fault.apply(Buffer.from(text));
      const outcome = await judge(damaged);
      const facts = existsSync(factsOut) ? await readFile(factsOut, 'utf8') : '';
      expect(`${outcome.stdout}${outcome.stderr}${facts}`, damaged.toString()).not.toContain(canary);
      return { damaged, outcome, safeInTruth: !hidesLines(damaged) && readAsItStands(damaged) };
    },
  );
}
