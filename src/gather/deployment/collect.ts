import type { Env } from '../../core/common/env.js';
import { LightspanError } from '../../core/lightspan-error.js';
import { nameOfInput } from '../../core/text/name-of-input.js';
import { runsLightdash } from '../../instance/facts/lightdash-containers.js';
import { factKeysOf, seenValue } from '../../instance/facts/needs.js';
import type { DeploymentSources } from '../../question/facts.js';
import { readInputText } from '../files/read-file.js';
import { usualTimeoutMs } from '../limits.js';
import type { ClusterPlace } from './kubernetes/cluster.js';
import { readObjects } from './kubernetes/kubernetes-object.js';
import { type DeploymentFacts, manifestFacts, notSeen, seenFact, type Unseen } from './manifest-facts.js';

/** The environment of the collection. */
interface DeploymentWorld {
  readonly stdin: AsyncIterable<Uint8Array>;
  readonly env: Env;
  /** Milliseconds for each request to a cluster. */
  readonly timeoutMs?: number | undefined;
  readonly now: () => Date;
  /** Called before a cluster is read. */
  readonly onCluster?: (cluster: ClusterPlace) => void;
}

/**
 * All facts of a deployment, in the form of a facts file, and where they were seen, for people. Facts that were not
 * requested are included as such.
 *
 * @throws {LightspanError} `usage`; `invalid-manifest`; if a file cannot be read, or a cluster cannot be reached
 */
export async function collectDeployment(
  wanted: DeploymentSources,
  world: DeploymentWorld,
): Promise<{ readonly facts: DeploymentFacts; readonly sources: readonly string[] }> {
  const { manifests = [], values = [], compose = [], kubernetes = false } = wanted;
  const files = [...manifests, ...compose, ...values];
  if ([manifests.length > 0, kubernetes, compose.length > 0].filter(Boolean).length > 1) {
    throw new LightspanError('usage', 'the deployment is given twice', {
      hint: 'Pass one of --kubernetes, --manifests and --compose.',
    });
  }
  if (compose.length > 0 && values.length > 0) {
    throw new LightspanError('usage', '--values is for a chart, but --compose uses none');
  }
  if (files.filter((source) => source === '-').length > 1) {
    throw new LightspanError('usage', 'standard input is named twice', { hint: 'It can be read only once.' });
  }
  const seenAt = world.now().toISOString();
  const readTexts = async (sources: readonly string[], what: string) => {
    const texts = [];
    for (const source of sources) {
      const text = await readInputText({ source, stdin: world.stdin, what });
      texts.push({ name: nameOfInput(source), text });
    }
    return texts;
  };
  let facts: DeploymentFacts = allFacts(notSeen('not-asked'));
  if (manifests.length > 0) {
    const texts = await readTexts(manifests, 'manifests');
    const objects = texts.flatMap(({ name, text }) => readObjects(text, name));
    const { release, namespace = null } = wanted;
    const sources = manifests.map(nameOfInput);
    facts = { ...facts, ...manifestFacts({ objects, sources, release, namespace, seenAt }) };
  }
  if (kubernetes) facts = { ...facts, ...(await ofCluster(wanted, world)) };
  if (compose.length > 0) facts = { ...facts, ...(await ofCompose(compose, wanted, world)) };
  if (values.length > 0) {
    const { chartValuesOf } = await import('./chart-values.js');
    const ofChart = chartValuesOf(await readTexts(values, 'values'));
    const none = notSeen('failed', 'no value of the chart of Lightdash is in the files');
    facts = { ...facts, chartValues: ofChart ? seenFact(ofChart, seenAt) : none };
  }
  const context = seenValue(facts.deployment)?.context;
  const cluster = kubernetes ? [context == null ? 'the cluster' : `the cluster of ${context}`] : [];
  const client = seenValue(facts.helm)?.client;
  const helm = client === undefined ? [] : [`Helm ${client} here`];
  return { facts, sources: [...cluster, ...helm, ...files.map(nameOfInput)] };
}

async function ofCluster(
  { release, namespace, context, secretKeys = false }: DeploymentSources,
  { env, timeoutMs = usualTimeoutMs, now, onCluster }: DeploymentWorld,
): Promise<DeploymentFacts> {
  const { findCluster, readCluster, readSecretKeys, secretsUnseen, withHelmClient } = await import(
    './kubernetes/cluster.js'
  );
  const request = { env, timeoutMs, context: context ?? null, namespace: namespace ?? null };
  const kubectl = await findCluster(request);
  onCluster?.(kubectl);
  const { objects, unseen } = await readCluster(kubectl);
  const manifests = {
    objects,
    notReturned: unseen,
    sources: [kubectl.context ?? 'kubectl without a context'],
    context: kubectl.context,
    namespace: kubectl.namespace,
    release,
    seenAt: now().toISOString(),
  };
  const facts = manifestFacts(manifests);
  if (!secretKeys) return withHelmClient(kubectl, facts);
  const secrets = await readSecretKeys(kubectl, secretsUnseen(facts));
  return withHelmClient(kubectl, manifestFacts({ ...manifests, objects: [...objects, ...secrets] }));
}

async function ofCompose(
  sources: readonly string[],
  { composeEnvFile }: DeploymentSources,
  { stdin, env, now }: DeploymentWorld,
): Promise<DeploymentFacts> {
  const { envFilesIn } = await import('../files/variables.js');
  const { composeWorkloads, hasExternalDatabase, readComposeProject } = await import('./compose/compose.js');
  const { project, files } = await readComposeProject({ sources, envFiles: composeEnvFile, stdin, env });
  const envFiles = composeEnvFile ?? (files.length > 0 ? envFilesIn(env) : undefined);
  const seenAt = now().toISOString();
  const workloads = composeWorkloads(project);
  const deployment = {
    ...{ kind: 'compose' as const, origin: 'compose' as const, sources: sources.map(nameOfInput) },
    ...{ namespace: null, hooksSeen: null, unseenKinds: [] },
  };
  return {
    ...allFacts(notSeen('absent', 'compose files were read')),
    deployment: seenFact(deployment, seenAt),
    compose: seenFact(
      {
        files: [...files],
        project: project.name,
        ...(envFiles === undefined ? {} : { envFiles: [...envFiles] }),
        externalDatabase: hasExternalDatabase(project),
      },
      seenAt,
    ),
    workloads: workloads.some(runsLightdash)
      ? seenFact(workloads, seenAt)
      : notSeen('absent', `none of ${workloads.length} services runs Lightdash`),
  };
}

function allFacts(fact: Unseen): DeploymentFacts {
  return Object.fromEntries(factKeysOf('deployment').map((key) => [key, fact]));
}
