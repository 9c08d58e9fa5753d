import { LightspanError } from '../../errors.js';
import { readInputText } from '../input-text.js';
import type { ClusterPlace } from './cluster.js';
import { type KubernetesObject, readObjects } from './kubernetes-object.js';
import { manifestFacts } from './manifest-facts.js';
import { type DeploymentFacts, deploymentFactKeys, unseen } from './observed.js';

/** What is to be looked at of a deployment. */
export interface DeploymentWanted {
  /** Files, or `-` for standard input. */
  readonly manifests?: readonly string[] | undefined;
  /** Values files of the chart, of which the later win. */
  readonly values?: readonly string[] | undefined;
  /** Whether a cluster is to be asked. */
  readonly kubernetes?: boolean | undefined;
  readonly context?: string | undefined;
  readonly namespace?: string | undefined;
  readonly release?: string | undefined;
}

/** What of the world it is seen through. */
export interface DeploymentWorld {
  readonly stdin: AsyncIterable<Uint8Array>;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Milliseconds for each question to a cluster. */
  readonly timeoutMs?: number | undefined;
  readonly now: () => Date;
  /** Told before a cluster is asked. */
  readonly onCluster?: (cluster: ClusterPlace) => void;
}

export interface SeenDeployment {
  readonly facts: DeploymentFacts;
  /** Where it was seen, for people. */
  readonly sources: readonly string[];
}

/**
 * All that is seen of a deployment, in the form of a facts file: every fact of it, and of those that were not asked for
 * that they were not.
 *
 * @throws {LightspanError} `usage`; `invalid-manifest`; where a file cannot be read, or a cluster cannot be asked
 */
export async function collectDeployment(
  wanted: DeploymentWanted,
  world: DeploymentWorld,
): Promise<SeenDeployment> {
  const { manifests = [], values = [], kubernetes = false } = wanted;
  if (kubernetes && manifests.length > 0) {
    throw new LightspanError('usage', 'the manifests are given in two ways', {
      hint: 'Give --kubernetes to ask the cluster, or --manifests with what was printed.',
    });
  }
  if ([...manifests, ...values].filter((source) => source === '-').length > 1) {
    throw new LightspanError('usage', 'standard input is named twice', { hint: 'It can be read once.' });
  }
  const seenAt = world.now().toISOString();
  const sources: string[] = [];
  let facts: DeploymentFacts = {};
  if (manifests.length > 0) {
    const objects: KubernetesObject[] = [];
    for (const source of manifests) objects.push(...(await readManifests(source, world)));
    const names = manifests.map(nameOf);
    const { release, namespace } = wanted;
    facts = manifestFacts({
      objects,
      sources: names,
      lookedAt: namespace ?? null,
      release,
      namespace,
      seenAt,
    });
    sources.push(...names);
  }
  if (kubernetes) {
    const { findCluster, readCluster } = await import('./cluster.js');
    const { release, namespace, context } = wanted;
    const kubectl = { env: world.env, context, timeoutMs: world.timeoutMs ?? 30_000 };
    const place = await findCluster(kubectl, namespace);
    world.onCluster?.(place);
    const { objects, unseen: asked } = await readCluster(kubectl, place);
    const source = place.context ?? 'kubectl without a context';
    const lookedAt = place.namespace;
    facts = manifestFacts({ objects, asked, sources: [source], lookedAt, release, namespace, seenAt });
    sources.push(place.context === null ? 'the cluster' : `the cluster of ${place.context}`);
  }
  return { facts: { ...nothingAsked(), ...facts }, sources };
}

async function readManifests(
  source: string,
  { stdin }: DeploymentWorld,
): Promise<readonly KubernetesObject[]> {
  const text = await readInputText({ source, stdin, what: 'manifests' });
  return readObjects(text, nameOf(source));
}

function nameOf(source: string): string {
  return source === '-' ? 'standard input' : source;
}

function nothingAsked(): DeploymentFacts {
  return Object.fromEntries(deploymentFactKeys.map((key) => [key, unseen('not-asked')]));
}
