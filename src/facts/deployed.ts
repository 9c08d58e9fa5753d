import type { AppliedBy, ContainerFact, ImageFact, WorkloadFact } from './deployment-facts.js';
import type { ObservedFacts } from './facts-schema.js';
import { isLightdashImage, ownContainers, runsLightdash } from './lightdash-containers.js';
import { mayNotSee } from './may-not-see.js';
import { observedMigrationJob, upgradeJobs } from './migration-jobs.js';
import { seenValue } from './seen-value.js';

/** The name of standard input among the sources of facts. */
export const standardInput = 'standard input';

/** What facts say about how a deployment is upgraded. What they do not say clearly is undefined. */
export interface Deployed {
  readonly kind: 'helm' | 'compose' | undefined;
  /** What applies it in place of a person with helm, if that is known. */
  readonly appliedBy: AppliedBy | undefined;
  /** Of Lightdash; more than one means more than one deployment. */
  readonly namespaces: readonly string[];
  /** The image of all workloads of Lightdash, if they have the same. */
  readonly image: ImageFact | undefined;
  readonly helm: DeployedHelm;
  readonly compose: DeployedCompose;
}

export interface DeployedHelm {
  /** Of kubectl, if a cluster was read with one. */
  readonly context: string | undefined;
  readonly release: string | undefined;
  readonly namespace: string | undefined;
  /** The chart of the workloads of Lightdash; the publisher's is `lightdash`. */
  readonly chart: string | undefined;
  readonly chartVersion: string | undefined;
  /** All of them, in order; empty if one was not a file. */
  readonly valuesFiles: readonly string[];
  /** The keys under which the values of Lightdash are; not empty if it is a dependency of another chart. */
  readonly valuesPath: readonly string[];
  readonly migrationJob: boolean | undefined;
  /** Its name, if it was among what was read. */
  readonly migrationJobName: string | undefined;
  /** All Deployments of Lightdash in a cluster; empty if only part of them may have been read. */
  readonly deployments: readonly string[];
  /** What else runs Lightdash, or will: no step stops it. */
  readonly notStopped: readonly Pick<WorkloadFact, 'kind' | 'name'>[];
  /** The one of them that serves. */
  readonly backend: string | undefined;
  readonly autoscalers: readonly Autoscaler[];
  /** The time in seconds that the backend has to start before it is killed; `none` without a startup probe. */
  readonly startup: number | 'none' | undefined;
}

/** An autoscaler of a Deployment of Lightdash. */
export interface Autoscaler {
  readonly name: string;
  readonly target: string;
  readonly min: number;
  readonly max: number;
}

export interface DeployedCompose {
  readonly files: readonly string[];
  readonly project: string | undefined;
  readonly services: readonly string[];
  readonly database: string | undefined;
}

export function deployedOf(facts: ObservedFacts): Deployed {
  const deployment = seenValue(facts.deployment);
  const workloads = seenValue(facts.workloads) ?? [];
  const ours = workloads.filter(runsLightdash);
  const kind = deployment === undefined ? undefined : deployment.kind === 'compose' ? 'compose' : 'helm';
  const named = [
    deployment?.namespace,
    seenValue(facts.helm)?.namespace,
    ...ours.map(({ namespace }) => namespace),
  ];
  const namespaces = distinct(named.flatMap((namespace) => namespace ?? []));
  return {
    kind,
    appliedBy: appliedBy(facts),
    namespaces,
    image: onlyOne(ours.flatMap(imageOf)),
    helm: helmOf(facts, kind === 'compose' ? [] : ours, namespaces),
    compose: composeOf(facts, kind === 'compose' ? ours : [], workloads),
  };
}

/** Helm labels what it applies, so objects in a cluster without its labels are of something else. */
function appliedBy({ deployment, helm }: ObservedFacts): AppliedBy | undefined {
  const isForeign = helm?.status === 'absent' && seenValue(deployment)?.origin === 'cluster';
  return seenValue(helm)?.appliedBy ?? (isForeign ? 'other' : undefined);
}

function helmOf(
  facts: ObservedFacts,
  ours: readonly WorkloadFact[],
  namespaces: readonly string[],
): DeployedHelm {
  const helm = seenValue(facts.helm);
  const values = seenValue(facts.chartValues);
  const deployments = ours.filter(({ kind }) => kind === 'Deployment');
  const backends = deployments.filter(({ role }) => role === 'backend');
  const [backend, secondBackend] = backends;
  const [job, secondJob] = new Set(upgradeJobs(ours).map(({ workload }) => workload));
  const names = deployments.map(({ name }) => name);
  return {
    context: contextOf(facts),
    release: helm?.release ?? undefined,
    namespace: namespaces.length === 1 ? namespaces[0] : undefined,
    chart: helm?.chart ?? undefined,
    chartVersion: helm?.chartVersion ?? undefined,
    valuesFiles: values?.files.includes(standardInput) ? [] : (values?.files ?? []),
    valuesPath: values?.path ?? [],
    migrationJob: hasMigrationJob(facts),
    migrationJobName: secondJob === undefined ? job?.name : undefined,
    deployments: isWhole(facts) ? names : [],
    notStopped: ours.filter(({ kind, replicas, suspended }) =>
      kind === 'CronJob' ? suspended !== true : kind !== 'Deployment' && kind !== 'Job' && replicas !== 0,
    ),
    backend: secondBackend === undefined ? backend?.name : undefined,
    autoscalers: (seenValue(facts.autoscalers) ?? [])
      .filter(({ targetKind, targetName }) => targetKind === 'Deployment' && names.includes(targetName))
      .map(({ name, targetName, minReplicas, maxReplicas }) => ({
        name,
        target: targetName,
        min: minReplicas,
        max: maxReplicas,
      })),
    startup: secondBackend === undefined && backend !== undefined ? startupOf(backend) : undefined,
  };
}

function contextOf({ deployment }: ObservedFacts): string | undefined {
  return seenValue(deployment)?.context ?? undefined;
}

/** What kubectl printed into a file may be only a part of what runs. */
function isWhole({ deployment }: ObservedFacts): boolean {
  const value = seenValue(deployment);
  return value?.context !== undefined && !mayNotSee(value, 'Deployment');
}

/** For the steps of a plan: an existing job must be waited for; without one, the values decide. */
function hasMigrationJob(facts: ObservedFacts): boolean | undefined {
  const { byObjects, byValues } = observedMigrationJob(facts);
  return byObjects === true ? true : (byValues ?? byObjects);
}

function startupOf({ containers }: WorkloadFact): DeployedHelm['startup'] {
  const container = ofLightdash(containers);
  if (container === undefined) return undefined;
  const probe = container.startupProbe;
  return probe === null ? 'none' : probe.initialDelaySeconds + probe.periodSeconds * probe.failureThreshold;
}

function composeOf(
  facts: ObservedFacts,
  ours: readonly WorkloadFact[],
  workloads: readonly WorkloadFact[],
): DeployedCompose {
  const compose = seenValue(facts.compose);
  const databases = workloads.filter(({ role }) => role === 'database').map(({ name }) => name);
  return {
    files: compose?.files ?? [],
    project: compose?.project ?? undefined,
    services: ours.map(({ name }) => name),
    database: databases.length === 1 ? databases[0] : undefined,
  };
}

function imageOf({ containers }: WorkloadFact): ImageFact[] {
  const image = ofLightdash(containers)?.image;
  return image === undefined ? [] : [image];
}

/** The container that runs Lightdash until it is stopped, if it is clear which one that is. */
function ofLightdash(containers: WorkloadFact['containers']): ContainerFact | undefined {
  const own = ownContainers(containers.filter(({ init }) => !init));
  const named = own.filter(({ image }) => isLightdashImage(image));
  const [only, second] = named.length > 0 ? named : own;
  return second === undefined ? only : undefined;
}

function onlyOne(images: readonly ImageFact[]): ImageFact | undefined {
  return distinct(images.map(({ reference }) => reference)).length === 1 ? images[0] : undefined;
}

function distinct(texts: readonly string[]): string[] {
  return [...new Set(texts)];
}
