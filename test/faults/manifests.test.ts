import { parseAllDocuments } from 'yaml';
import { asList, asYaml, backendPod, canary, chartObjects, inCluster } from '../support/manifests.js';
import { type Anything, itReadsAsItStands, type Reading } from './deployed.js';
import { documentFault } from './documents.js';
import { breakFault, byteFault } from './mutations.js';

/** Manifests of a deployment that nothing keeps from an upgrade: what of them is damaged is refused, or read as it stands. */

const env = ['S3_ENDPOINT', 'S3_BUCKET', 'S3_REGION'].map((name) => ({ name, value: canary }));
const objects = chartObjects({ chart: '2.16.361', app: '2.0.0', env });
/** That StatefulSets were asked for, and the bundled database is none of them. */
const queue = {
  apiVersion: 'apps/v1',
  kind: 'StatefulSet',
  metadata: { name: 'nats' },
  spec: { replicas: 1, template: { spec: { containers: [{ name: 'nats', image: 'nats:2.11.4' }] } } },
};
const rendered = asYaml(objects);
const inputs = [
  { name: 'helm template', text: rendered, fault: byteFault, numRuns: 1500 },
  { name: 'helm template, with line breaks', text: rendered, fault: breakFault, numRuns: 500 },
  {
    name: 'kubectl get',
    text: asList(inCluster([...objects, queue, backendPod({ tag: '2.0.0' })])),
    fault: documentFault,
    numRuns: 1500,
  },
];

const nameOfAll = (list: Anything) => (list ?? []).map(({ name }: Anything) => name);

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

function readFacts(facts: Anything): unknown {
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

const reading: Reading = {
  optionsOf: (file) => ['--manifests', file],
  naively: readNaively,
  ofFacts: readFacts,
  secret: canary,
};
for (const { name, text, ...limits } of inputs)
  itReadsAsItStands(`manifests of ${name}`, text, limits, reading);
