import { LightspanError } from '../../errors.js';
import { runsLightdash } from '../../facts/lightdash-containers.js';
import { factKeysOf, seenValue } from '../../facts/needs.js';
import { standardInput } from '../../instance/deployment.js';
import { readInputText } from '../read-file.js';
import type { ClusterPlace } from './cluster.js';
import { readObjects } from './kubernetes-object.js';
import { type DeploymentFacts, manifestFacts, seen, unseen } from './manifest-facts.js';

/** What to read of a deployment. */
export interface DeploymentWanted {
  /** Files, or `-` for standard input. */
  readonly manifests?: readonly string[] | undefined;
  /** Values files of the chart; later ones take precedence. */
  readonly values?: readonly string[] | undefined;
  /** Compose files; or what docker compose printed of them, in a file or, as `-`, on standard input. */
  readonly compose?: readonly string[] | undefined;
  /** Env files for compose, in place of `.env`. */
  readonly composeEnvFile?: readonly string[] | undefined;
  /** Whether to read a cluster. */
  readonly kubernetes?: boolean | undefined;
  /** Whether to read the keys of Secrets of the cluster, too. */
  readonly secretKeys?: boolean | undefined;
  readonly context?: string | undefined;
  readonly namespace?: string | undefined;
  readonly release?: string | undefined;
}

/** The environment of the collection. */
export interface DeploymentWorld {
  readonly stdin: AsyncIterable<Uint8Array>;
  readonly env: Readonly<Record<string, string | undefined>>;
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
  wanted: DeploymentWanted,
  world: DeploymentWorld,
): Promise<{ readonly facts: DeploymentFacts; readonly sources: readonly string[] }> {
  const { manifests = [], values = [], compose = [], kubernetes = false } = wanted;
  const files = [...manifests, ...compose, ...values];
  if ([manifests.length > 0, kubernetes, compose.length > 0].filter(Boolean).length > 1) {
    throw new LightspanError('usage', 'the deployment is given in two ways', {
      hint: 'Give one of --kubernetes, --manifests with what was printed, and --compose.',
    });
  }
  if (compose.length > 0 && values.length > 0) {
    throw new LightspanError('usage', '--values is for a chart, and --compose uses no chart');
  }
  if (files.filter((source) => source === '-').length > 1) {
    throw new LightspanError('usage', 'standard input is named twice', { hint: 'It can be read only once.' });
  }
  const facts: DeploymentFacts = {
    ...allFacts(unseen('not-asked')),
    ...(manifests.length > 0 ? await ofManifests(manifests, wanted, world) : {}),
    ...(kubernetes ? await ofCluster(wanted, world) : {}),
    ...(compose.length > 0 ? await ofCompose(compose, wanted, world) : {}),
    ...(values.length > 0 ? await ofValues(values, world) : {}),
  };
  const context = seenValue(facts.deployment)?.context;
  const cluster = kubernetes ? [context == null ? 'the cluster' : `the cluster of ${context}`] : [];
  return { facts, sources: [...cluster, ...files.map(sourceName)] };
}

async function ofManifests(
  files: readonly string[],
  { release, namespace }: DeploymentWanted,
  { stdin, now }: DeploymentWorld,
): Promise<DeploymentFacts> {
  const texts = await readTexts(files, 'manifests', stdin);
  return manifestFacts({
    objects: texts.flatMap(({ name, text }) => readObjects(text, name)),
    sources: files.map(sourceName),
    namespace: namespace ?? null,
    release,
    seenAt: now().toISOString(),
  });
}

async function ofCluster(
  { release, namespace, context, secretKeys = false }: DeploymentWanted,
  { env, timeoutMs = 30_000, now, onCluster }: DeploymentWorld,
): Promise<DeploymentFacts> {
  const { findCluster, readCluster, readSecretKeys, secretsUnseen } = await import('./cluster.js');
  const asked = { env, timeoutMs, context: context ?? null, namespace: namespace ?? null };
  const kubectl = await findCluster(asked);
  onCluster?.(kubectl);
  const { objects, unseen } = await readCluster(kubectl);
  const manifests = {
    objects,
    asked: unseen,
    sources: [kubectl.context ?? 'kubectl without a context'],
    context: kubectl.context,
    namespace: kubectl.namespace,
    release,
    seenAt: now().toISOString(),
  };
  const facts = manifestFacts(manifests);
  if (!secretKeys) return facts;
  const secrets = await readSecretKeys(kubectl, secretsUnseen(facts));
  return manifestFacts({ ...manifests, objects: [...objects, ...secrets] });
}

async function ofCompose(
  sources: readonly string[],
  { composeEnvFile: envFiles }: DeploymentWanted,
  { stdin, env, now }: DeploymentWorld,
): Promise<DeploymentFacts> {
  const { composeWorkloads } = await import('./compose.js');
  const { readComposeProject } = await import('./compose-config.js');
  const { project, files } = await readComposeProject({ sources, envFiles, stdin, env });
  const seenAt = now().toISOString();
  const workloads = composeWorkloads(project);
  const deployment = {
    ...{ kind: 'compose' as const, origin: 'compose' as const, sources: sources.map(sourceName) },
    ...{ namespace: null, hooksSeen: null, unseenKinds: [] },
  };
  return {
    ...allFacts(unseen('absent', 'compose files were read')),
    deployment: seen(deployment, seenAt),
    compose: seen({ files: [...files], project: project.name }, seenAt),
    workloads: workloads.some(runsLightdash)
      ? seen(workloads, seenAt)
      : unseen('absent', `none of ${workloads.length} services runs Lightdash`),
  };
}

async function ofValues(files: readonly string[], { stdin, now }: DeploymentWorld): Promise<DeploymentFacts> {
  const { chartValuesOf } = await import('./chart-values.js');
  const values = chartValuesOf(await readTexts(files, 'values', stdin));
  const chartValues =
    values === undefined
      ? unseen('failed', 'no value of the chart of Lightdash is in the files')
      : seen(values, now().toISOString());
  return { chartValues };
}

async function readTexts(sources: readonly string[], what: string, stdin: DeploymentWorld['stdin']) {
  const texts = [];
  for (const source of sources) {
    texts.push({ name: sourceName(source), text: await readInputText({ source, stdin, what }) });
  }
  return texts;
}

function sourceName(source: string): string {
  return source === '-' ? standardInput : source;
}

function allFacts(fact: ReturnType<typeof unseen>): DeploymentFacts {
  return Object.fromEntries(factKeysOf('deployment').map((key) => [key, fact]));
}
