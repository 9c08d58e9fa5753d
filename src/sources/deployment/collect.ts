import { LightspanError } from '../../errors.js';
import { standardInput } from '../../facts/deployment.js';
import { runsLightdash } from '../../facts/lightdash-containers.js';
import { factKeysOf } from '../../facts/needs.js';
import { readInputText } from '../read-file.js';
import type { ValuesText } from './chart-values.js';
import type { ClusterPlace, Kubectl } from './cluster.js';
import { type KubernetesObject, readObjects } from './kubernetes-object.js';
import { type DeploymentFacts, type Manifests, manifestFacts, seen, unseen } from './manifest-facts.js';

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

export interface SeenDeployment {
  readonly facts: DeploymentFacts;
  /** Where it was seen, for people. */
  readonly sources: readonly string[];
}

/**
 * All facts of a deployment, in the form of a facts file. Facts that were not requested are included as such.
 *
 * @throws {LightspanError} `usage`; `invalid-manifest`; if a file cannot be read, or a cluster cannot be reached
 */
export async function collectDeployment(
  wanted: DeploymentWanted,
  world: DeploymentWorld,
): Promise<SeenDeployment> {
  requireOneDeployment(wanted);
  const { manifests = [], values = [], compose = [], kubernetes = false } = wanted;
  const parts = [
    ...(manifests.length > 0 ? [await ofManifests(manifests, wanted, world)] : []),
    ...(kubernetes ? [await ofCluster(wanted, world)] : []),
    ...(compose.length > 0 ? [await ofCompose(compose, wanted, world)] : []),
    ...(values.length > 0 ? [await ofValues(values, world)] : []),
  ];
  return {
    facts: Object.assign({}, nothingAsked(), ...parts.map(({ facts }) => facts)),
    sources: parts.flatMap(({ sources }) => sources),
  };
}

/** @throws {LightspanError} `usage` */
function requireOneDeployment({
  manifests = [],
  values = [],
  compose = [],
  kubernetes = false,
}: DeploymentWanted): void {
  const ways = [manifests.length > 0, kubernetes, compose.length > 0].filter((given) => given);
  if (ways.length > 1) {
    throw new LightspanError('usage', 'the deployment is given in two ways', {
      hint: 'Give one of --kubernetes, --manifests with what was printed, and --compose.',
    });
  }
  if (compose.length > 0 && values.length > 0) {
    throw new LightspanError('usage', '--values is for a chart, and --compose uses no chart');
  }
  if ([...manifests, ...values, ...compose].filter((source) => source === '-').length > 1) {
    throw new LightspanError('usage', 'standard input is named twice', { hint: 'It can be read only once.' });
  }
}

async function ofManifests(
  files: readonly string[],
  { release, namespace }: DeploymentWanted,
  { stdin, now }: DeploymentWorld,
): Promise<SeenDeployment> {
  const objects: KubernetesObject[] = [];
  for (const source of files) {
    const text = await readInputText({ source, stdin, what: 'manifests' });
    objects.push(...readObjects(text, sourceName(source)));
  }
  const sources = files.map(sourceName);
  const seenAt = now().toISOString();
  const lookedAt = namespace ?? null;
  return { facts: manifestFacts({ objects, sources, lookedAt, release, namespace, seenAt }), sources };
}

async function ofCluster(
  { release, namespace, context, secretKeys = false }: DeploymentWanted,
  { env, timeoutMs = 30_000, now, onCluster }: DeploymentWorld,
): Promise<SeenDeployment> {
  const { findCluster, readCluster } = await import('./cluster.js');
  const place = await findCluster({ env, context, timeoutMs }, namespace);
  // The current context may change before the next request, for example in another terminal.
  const kubectl = { env, context: place.context ?? undefined, timeoutMs };
  onCluster?.(place);
  const { objects, unseen: asked } = await readCluster(kubectl, place);
  const sources = [place.context ?? 'kubectl without a context'];
  const seenAt = now().toISOString();
  const about = { sources, context: place.context, lookedAt: place.namespace };
  const manifests = { objects, asked, ...about, release, namespace, seenAt };
  const facts = manifestFacts(manifests);
  return {
    facts: secretKeys ? await withSecretKeys(facts, manifests, { kubectl, place }) : facts,
    sources: [place.context === null ? 'the cluster' : `the cluster of ${place.context}`],
  };
}

/** The facts with the keys of the Secrets that variables come from. */
async function withSecretKeys(
  facts: DeploymentFacts,
  manifests: Manifests,
  { kubectl, place }: { readonly kubectl: Kubectl; readonly place: ClusterPlace },
): Promise<DeploymentFacts> {
  const { readSecretKeys, secretsUnseen } = await import('./cluster.js');
  const secrets = await readSecretKeys(kubectl, place.namespace, secretsUnseen(facts));
  return manifestFacts({ ...manifests, objects: [...manifests.objects, ...secrets] });
}

async function ofCompose(
  given: readonly string[],
  { composeEnvFile: envFiles }: DeploymentWanted,
  { stdin, env, now }: DeploymentWorld,
): Promise<SeenDeployment> {
  const { composeWorkloads, readComposeProject } = await import('./compose.js');
  const { project, files } = await readComposeProject({ sources: given, envFiles, stdin, env });
  const sources = given.map(sourceName);
  const seenAt = now().toISOString();
  const workloads = composeWorkloads(project);
  const none = unseen('absent', 'compose files were read');
  return {
    facts: {
      ...{ helm: none, pods: none, disruptionBudgets: none, autoscalers: none },
      ...{ hookObjects: none, snapshots: none, chartValues: none },
      deployment: seen(
        {
          ...{ kind: 'compose' as const, origin: 'compose' as const, sources, namespace: null },
          ...{ hooksSeen: null, unseenKinds: [] },
        },
        seenAt,
      ),
      compose: seen({ files: [...files], project: project.name }, seenAt),
      workloads: workloads.some(runsLightdash)
        ? seen(workloads, seenAt)
        : unseen('absent', `none of ${workloads.length} services runs Lightdash`),
    },
    sources,
  };
}

async function ofValues(files: readonly string[], { stdin, now }: DeploymentWorld): Promise<SeenDeployment> {
  const { chartValuesOf } = await import('./chart-values.js');
  const texts: ValuesText[] = [];
  for (const source of files) {
    const text = await readInputText({ source, stdin, what: 'values' });
    texts.push({ name: sourceName(source), text });
  }
  const values = chartValuesOf(texts);
  const chartValues =
    values === undefined
      ? unseen('failed', 'no value of the chart of Lightdash is in the files')
      : seen(values, now().toISOString());
  return { facts: { chartValues }, sources: files.map(sourceName) };
}

function sourceName(source: string): string {
  return source === '-' ? standardInput : source;
}

function nothingAsked(): DeploymentFacts {
  return Object.fromEntries(factKeysOf('deployment').map((key) => [key, unseen('not-asked')]));
}
