import { standardInput } from '../core/text/name-of-input.js';
import { folderFoundIn } from './compose-files.js';
import type { AppliedBy, ContainerFact, ImageFact, WorkloadFact } from './facts/deployment-facts.js';
import type { ObservedFacts } from './facts/facts-schema.js';
import {
  isLightdashImage,
  isOtherChart,
  ownContainers,
  releaseTagOf,
  runsLightdash,
  upgradeJobs,
} from './facts/lightdash-containers.js';
import { type FactOf, mayNotSee, seenValue } from './facts/needs.js';
import { migrationJobState } from './workloads.js';

/** An image, of which a file may not say every part. */
export type DeployedImage = Pick<ImageFact, 'registry' | 'repository' | 'tag' | 'digest'>;

/**
 * How Lightdash is deployed, as facts show it, and what they tell of it for the steps of either tool. What they do not
 * show clearly is undefined.
 */
export interface SeenDeployment {
  readonly kind: Deployment['kind'] | undefined;
  /** What applies it in place of a person with helm, if that is known. */
  readonly appliedBy: AppliedBy | undefined;
  /** Of Lightdash; more than one means more than one deployment. */
  readonly namespaces: readonly string[];
  /** Whether there are files of which only the content was handed over. */
  readonly hasUnnamedFiles: boolean;
  /** What else runs Lightdash, or will: no step stops it. */
  readonly notStopped: readonly Pick<WorkloadFact, 'kind' | 'name'>[];
  readonly helm: HelmDeployment;
  readonly compose: ComposeDeployment;
}

/**
 * What the steps of a hop are filled with, by facts, the file that pins Lightdash and the command line. What none of
 * them says clearly is undefined: the commands of a plan then ask for it.
 */
export type Deployment = HelmDeployment | ComposeDeployment;

interface DeploymentOfAnyTool {
  /** The image of all workloads of Lightdash, if they have the same. */
  readonly image: DeployedImage | undefined;
  /** What stands around the version in its tag: `v`, `-custom`; usually nothing. */
  readonly tagPrefix: string;
  readonly tagSuffix: string;
  /** The file for the new tag: values, or a compose file. */
  readonly file: string | undefined;
  /** All values or compose files, in the order in which Helm or compose merges them; empty if they are not known. */
  readonly files: readonly string[];
  /** The bundled database: its workload in the cluster, such as `statefulset/ld-postgresql`, or its compose service. */
  readonly database: string | undefined;
}

export interface HelmDeployment extends DeploymentOfAnyTool {
  readonly kind: 'helm';
  readonly context: string | undefined;
  readonly release: string | undefined;
  readonly namespace: string | undefined;
  readonly chart: string | undefined;
  readonly chartVersion: string | undefined;
  /** The version of a chart that deploys that one. */
  readonly parentVersion?: string | undefined;
  /** The keys under which the values of Lightdash are; not empty if it is a dependency of another chart. */
  readonly valuesPath: readonly string[];
  readonly migrationJob: boolean | undefined;
  readonly migrationJobName: string | undefined;
  /** All Deployments of Lightdash in a cluster; empty if only part of them may have been read. */
  readonly deployments: readonly string[];
  readonly backend: string | undefined;
  readonly autoscalers: FactOf<'autoscalers'>;
  /** The time in seconds that the backend has to start before it is killed; `none` without a startup probe. */
  readonly startup: number | 'none' | undefined;
}

export interface ComposeDeployment extends DeploymentOfAnyTool {
  readonly kind: 'compose';
  /** The files of variables in place of `.env`. */
  readonly envFiles?: readonly string[] | undefined;
  /** The variable that gives the release, as the file of variables has it. */
  readonly variable?: { readonly file: string; readonly name: string; readonly written: string } | undefined;
  /** The folder in which compose finds all of its files by itself; undefined if it must be given them. */
  readonly folder?: string | undefined;
  readonly project: string | undefined;
  readonly services: readonly string[];
  /** The image of each service of which it is known: two services may run images of two publishers. */
  readonly images?: ReadonlyMap<string, DeployedImage> | undefined;
}

/**
 * Whether Helm uses another chart than Lightdash's: one that has Lightdash as a dependency, or that has another name.
 */
export function deploysOtherChart({
  valuesPath,
  chart,
}: Pick<HelmDeployment, 'valuesPath' | 'chart'>): boolean {
  return valuesPath.length > 0 || isOtherChart(chart);
}

export function deploymentOf(facts: ObservedFacts): SeenDeployment {
  const deployment = seenValue(facts.deployment);
  const helm = seenValue(facts.helm);
  const values = seenValue(facts.chartValues);
  const compose = seenValue(facts.compose);
  const all = workloadsOf(facts).filter(runsLightdash);
  const ours = deployment?.kind === 'compose' ? [] : all;
  const named = [deployment?.namespace, helm?.namespace, ...all.map(({ namespace }) => namespace)];
  // Helm labels what it applies, so objects in a cluster without its labels are of something else.
  const isForeign = facts.helm?.status === 'absent' && deployment?.origin === 'cluster';
  const namespaces = [...new Set(named.flatMap((namespace) => namespace ?? []))];
  return {
    kind: deployment && (deployment.kind === 'compose' ? 'compose' : 'helm'),
    appliedBy: helm?.appliedBy ?? (isForeign ? 'other' : undefined),
    namespaces,
    hasUnnamedFiles: compose?.files.length === 0 || values?.files.includes(standardInput) === true,
    notStopped: ours.filter(({ kind, replicas, suspended }) =>
      kind === 'CronJob' ? suspended !== true : kind !== 'Deployment' && kind !== 'Job' && replicas !== 0,
    ),
    helm: { ...helmDeploymentOf(facts, ours), namespace: onlyOf(namespaces) },
    compose: composeDeploymentOf(facts, all),
  };
}

function workloadsOf(facts: ObservedFacts): FactOf<'workloads'> {
  return seenValue(facts.workloads) ?? [];
}

/** @param ours the workloads of Lightdash in a cluster */
function helmDeploymentOf(
  facts: ObservedFacts,
  ours: readonly WorkloadFact[],
): Omit<HelmDeployment, 'namespace'> {
  const deployment = seenValue(facts.deployment);
  const helm = seenValue(facts.helm);
  const values = seenValue(facts.chartValues);
  const deployments = ours.filter(({ kind }) => kind === 'Deployment');
  const names = deployments.map(({ name }) => name);
  const backend = onlyOf(deployments.filter(({ role }) => role === 'backend'));
  const probe = backend && servingContainer(backend.containers)?.startupProbe;
  const database = onlyOf(workloadsOf(facts).filter(({ role }) => role === 'database'));
  // What kubectl printed into a file may be only a part of what runs.
  const isWhole = deployment?.context !== undefined && !mayNotSee(deployment, 'Deployment');
  return {
    kind: 'helm',
    ...ofAnyTool(facts),
    database:
      isWhole && database && database.kind !== 'service'
        ? `${database.kind.toLowerCase()}/${database.name}`
        : undefined,
    context: deployment?.context ?? undefined,
    release: helm?.release ?? undefined,
    chart: helm?.chart ?? undefined,
    chartVersion: helm?.chartVersion ?? undefined,
    valuesPath: values?.path ?? [],
    migrationJob: migratesByJob(facts),
    migrationJobName: onlyOf(new Set(upgradeJobs(ours).map(({ workload }) => workload)))?.name,
    deployments: isWhole ? names : [],
    backend: backend?.name,
    autoscalers: (seenValue(facts.autoscalers) ?? []).filter(
      ({ targetKind, targetName }) => targetKind === 'Deployment' && names.includes(targetName),
    ),
    startup:
      probe === null
        ? 'none'
        : probe && probe.initialDelaySeconds + probe.periodSeconds * probe.failureThreshold,
  };
}

function composeDeploymentOf(facts: ObservedFacts, all: readonly WorkloadFact[]): ComposeDeployment {
  const compose = seenValue(facts.compose);
  const database = onlyOf(workloadsOf(facts).filter(({ role }) => role === 'database'));
  const isInProject = database?.kind === 'service' && compose?.externalDatabase !== true;
  return {
    kind: 'compose',
    ...ofAnyTool(facts),
    database: isInProject ? database.name : undefined,
    envFiles: compose?.envFiles,
    folder: compose?.envFiles === undefined ? folderFoundIn(compose?.files ?? []) : undefined,
    project: compose?.project ?? undefined,
    services: seenValue(facts.deployment)?.kind === 'compose' ? all.map(({ name }) => name) : [],
    images: new Map(
      all.flatMap(({ name, containers }) => {
        const image = servingContainer(containers)?.image;
        return image === undefined ? [] : [[name, image]];
      }),
    ),
  };
}

function ofAnyTool(facts: ObservedFacts): Omit<DeploymentOfAnyTool, 'database'> {
  const values = seenValue(facts.chartValues);
  const compose = seenValue(facts.compose);
  const all = workloadsOf(facts).filter(runsLightdash);
  const images = all.flatMap(({ containers }) => servingContainer(containers)?.image ?? []);
  const image = onlyOf(new Map(images.map((image) => [image.reference, image])).values());
  const tag = image && releaseTagOf(image);
  const files = compose?.files ?? (values?.files.includes(standardInput) ? [] : values?.files) ?? [];
  return {
    image,
    tagPrefix: (tag && /^v/i.exec(image?.tag ?? '')?.[0]) ?? '',
    tagSuffix: tag?.suffix ?? '',
    file: compose === undefined ? files.at(-1) : onlyOf(files),
    files,
  };
}

function migratesByJob(facts: ObservedFacts): boolean | undefined {
  const [deployment, workloads] = [seenValue(facts.deployment), seenValue(facts.workloads)];
  const helm = facts.helm?.status === 'absent' ? null : seenValue(facts.helm);
  if (deployment === undefined || workloads === undefined || helm === undefined) return undefined;
  const [chartValues, stated] = [seenValue(facts.chartValues), seenValue(facts.stated)];
  const state = migrationJobState({ deployment, workloads, helm, chartValues, stated });
  return state === 'not-seen' ? undefined : state === 'on';
}

/** The container that runs Lightdash until it is stopped, if it is clear which one that is. */
function servingContainer(containers: WorkloadFact['containers']): ContainerFact | undefined {
  const containersOfLightdash = ownContainers(containers.filter(({ init }) => !init));
  const named = containersOfLightdash.filter(({ image }) => isLightdashImage(image));
  return onlyOf(named.length > 0 ? named : containersOfLightdash);
}

/** Undefined if there are several to choose from. */
function onlyOf<T>([first, second]: Iterable<T>): T | undefined {
  return second === undefined ? first : undefined;
}
