import * as z from 'zod/mini';
import { dateTimeSchema } from '../release-safety/field-schemas.js';

/**
 * What manifests, values, compose files or a cluster tell of a deployment, fact by fact. Of environment variables the
 * names alone stand here, never what they are set to; of commands what they start, never their words; of secrets the
 * names of their keys.
 */

const count = z.int().check(z.nonnegative());
const text = z.string();
const orNull = <T extends z.core.$ZodType>(schema: T) => z.nullable(schema);

/** Where the facts of a deployment come from, and how far that lets anyone see. */
export const deploymentFactSchema = z.strictObject({
  kind: z.enum(['kubernetes', 'compose']),
  /** `rendered`: what a chart or a folder says it would apply. `cluster`: what a cluster has. `compose`: its files. */
  origin: z.enum(['rendered', 'cluster', 'compose']),
  /** Files, as they were named, or the context of kubectl. */
  sources: z.array(text),
  /** Of kubectl, where a cluster was asked; null where it had none. Left out where files tell what a cluster has. */
  context: z.optional(orNull(text)),
  namespace: orNull(text),
  /**
   * Whether the hooks of the chart are among the objects: `helm get manifest` leaves them out, so that a job that is
   * not listed may still be there. Null where there is no telling.
   */
  hooksSeen: orNull(z.boolean()),
  /** Kinds of objects that were asked for and were not given: none of them is listed, and that proves nothing. */
  unseenKinds: z.array(text),
});

/** The Helm release, by the labels and annotations of what it owns. */
export const helmReleaseFactSchema = z.strictObject({
  release: orNull(text),
  namespace: orNull(text),
  /** The chart of the workloads of Lightdash, such as `lightdash`. */
  chart: orNull(text),
  chartVersion: orNull(text),
});

/** An image as a workload names it. */
const imageSchema = z.strictObject({
  /** As written. */
  reference: text,
  registry: orNull(text),
  repository: orNull(text),
  tag: orNull(text),
  digest: orNull(text),
  /** `Always`, `IfNotPresent`, `Never`; of compose `always`, `missing`, …; null where it is not said. */
  pullPolicy: orNull(text),
});

/** A variable that a container is given, by name. */
const variableSchema = z.strictObject({
  name: text,
  origin: z.enum(['literal', 'secret', 'config-map', 'field', 'env-file']),
  /** The Secret, ConfigMap or file that it comes from. */
  object: orNull(text),
  /** Whether it is set to nothing; null where what it is set to was not seen. */
  empty: orNull(z.boolean()),
});

/** All keys of an object, or of a file, that a container is given as variables. */
const variablesFromSchema = z.strictObject({
  origin: z.enum(['secret', 'config-map', 'env-file']),
  object: text,
  prefix: text,
  /** Null where the object was not seen: then nobody knows which variables it sets. */
  keys: orNull(z.array(text)),
  /** Those of `keys` that are set to nothing; left out where that was not seen. */
  emptyKeys: z.optional(z.array(text)),
});

/** A probe, with the times in seconds after the defaults of Kubernetes were put in. */
const probeSchema = z.strictObject({
  kind: z.enum(['http', 'exec', 'tcp', 'grpc']),
  /** Of an http probe. */
  path: orNull(text),
  initialDelaySeconds: count,
  periodSeconds: count,
  timeoutSeconds: count,
  failureThreshold: count,
});

/** What a container starts, as far as its command and arguments tell it. */
export const containerStarts = [
  /** Nothing replaces the entrypoint of the image, which migrates before it serves. */
  'entrypoint',
  /** The server, without the entrypoint and so without migrating. */
  'server',
  /** A migration, such as `migrate-production`, `migrate up` or `knex migrate:latest`. */
  'migration',
  /** A worker of jobs, which never migrates. */
  'worker',
  /** Something that cannot be told. */
  'other',
] as const;

const containerSchema = z.strictObject({
  name: text,
  /** Whether it runs before the others and ends. */
  init: z.boolean(),
  image: imageSchema,
  /** Whether `command` (of compose `entrypoint`) replaces the entrypoint of the image. */
  entrypointReplaced: z.boolean(),
  starts: z.enum(containerStarts),
  variables: z.array(variableSchema),
  variablesFrom: z.array(variablesFromSchema),
  startupProbe: orNull(probeSchema),
  livenessProbe: orNull(probeSchema),
  readinessProbe: orNull(probeSchema),
  memoryLimitBytes: orNull(count),
});

/** A hook of Helm, by its annotations. */
const hookSchema = z.strictObject({
  events: z.array(text),
  deletePolicies: z.array(text),
});

export const workloadKinds = ['Deployment', 'StatefulSet', 'DaemonSet', 'Job', 'CronJob', 'service'] as const;

/**
 * What a workload is to Lightdash, by its images, its labels and what it starts. `database`: a PostgreSQL that is
 * deployed beside it. `other`: none of these.
 */
export const workloadRoles = ['backend', 'worker', 'migration', 'database', 'other'] as const;

/** What runs containers: of Kubernetes a controller, of compose a service. */
export const workloadFactSchema = z.strictObject({
  kind: z.enum(workloadKinds),
  name: text,
  namespace: orNull(text),
  role: z.enum(workloadRoles),
  /** The label `app.kubernetes.io/component`. */
  component: orNull(text),
  /** Null where it is not said: of a Deployment that is one, unless an autoscaler sets it. */
  replicas: orNull(count),
  /** `RollingUpdate` or `Recreate`; null where it is not said (a Deployment then rolls) or there is no such thing. */
  strategy: orNull(text),
  hook: orNull(hookSchema),
  containers: z.array(containerSchema),
  terminationGraceSeconds: orNull(count),
  /** Of a Job. */
  backoffLimit: orNull(count),
  activeDeadlineSeconds: orNull(count),
  /** Of a CronJob. */
  schedule: orNull(text),
  /** Of a service of compose: `no`, `always`, `on-failure`, `unless-stopped`. */
  restart: orNull(text),
  /** Of a CronJob in a cluster: when it last ended well. */
  lastSuccessAt: orNull(dateTimeSchema),
  suspended: orNull(z.boolean()),
  /** Of a cluster: replicas that are ready, and Jobs that ended; null elsewhere. */
  ready: orNull(count),
  succeeded: orNull(count),
  failed: orNull(count),
  /** Of a service of compose: ports it publishes on the host, as written. */
  publishedPorts: z.array(text),
});

/** A pod that a cluster has. */
export const podFactSchema = z.strictObject({
  name: text,
  namespace: orNull(text),
  /** The workload that owns it, by name; null where it is not told. */
  workload: orNull(text),
  /** `Pending`, `Running`, `Succeeded`, `Failed`, `Unknown`. */
  phase: text,
  /** Whether it is being deleted. */
  ending: z.boolean(),
  containers: z.array(
    z.strictObject({
      name: text,
      init: z.boolean(),
      image: imageSchema,
      ready: z.boolean(),
      restarts: count,
      /** Why it waits, or ended: `CrashLoopBackOff`, `ImagePullBackOff`, `OOMKilled`, …; null where nothing is said. */
      reason: orNull(text),
      /** Why it ended the last time. */
      lastReason: orNull(text),
      lastExitCode: orNull(z.int()),
    }),
  ),
});

/** A PodDisruptionBudget. */
export const disruptionBudgetFactSchema = z.strictObject({
  name: text,
  /** The workloads whose pods it selects. */
  workloads: z.array(text),
  /** As written: a number or a percentage. */
  minAvailable: orNull(text),
  maxUnavailable: orNull(text),
  /** Of a cluster; null elsewhere. */
  disruptionsAllowed: orNull(count),
});

/** A HorizontalPodAutoscaler. */
export const autoscalerFactSchema = z.strictObject({
  name: text,
  targetKind: text,
  targetName: text,
  minReplicas: count,
  maxReplicas: count,
});

/**
 * An object that is a hook of Helm and no workload: a ServiceAccount, ConfigMap, Secret, Role or RoleBinding. Of a cluster
 * that is asked, Secrets are not among them: it is not asked for any.
 */
export const hookObjectFactSchema = z.strictObject({
  kind: text,
  name: text,
  namespace: orNull(text),
  hook: hookSchema,
  /** Of a cluster; null elsewhere. */
  createdAt: orNull(dateTimeSchema),
});

/** A VolumeSnapshot. */
export const snapshotFactSchema = z.strictObject({
  name: text,
  claim: orNull(text),
  createdAt: orNull(dateTimeSchema),
  readyToUse: orNull(z.boolean()),
});

/** What values files of the chart say; null where they do not say it, and the chart's default holds. */
export const chartValuesFactSchema = z.strictObject({
  files: z.array(text),
  /** Under which keys the values of Lightdash stand; some where it is a dependency of another chart. */
  path: z.array(text),
  imageRegistry: orNull(text),
  imageRepository: orNull(text),
  imageTag: orNull(text),
  imagePullPolicy: orNull(text),
  /** `image.command` is set: then the backend keeps its command with the migration job on. */
  imageCommandSet: orNull(z.boolean()),
  replicaCount: orNull(count),
  autoscalingEnabled: orNull(z.boolean()),
  autoscalingMinReplicas: orNull(count),
  upgradeMode: orNull(text),
  /** `lightdashBackend.strategy.type`. */
  backendStrategy: orNull(text),
  /** Components that are switched on beside the backend, by their keys in the values. */
  workersEnabled: z.array(text),
  migrationJobEnabled: orNull(z.boolean()),
  migrationJobInheritsGlobalEnv: orNull(z.boolean()),
  migrationJobExistingSecret: orNull(text),
  migrationJobVariables: z.array(text),
  scaleDownWorkloadsEnabled: orNull(z.boolean()),
  existingSecret: orNull(text),
  /** Names of the variables that the values set for all workloads. */
  variables: z.array(text),
  postgresqlEnabled: orNull(z.boolean()),
  postgresqlImage: orNull(text),
  readinessPath: orNull(text),
  startupProbe: orNull(
    z.strictObject({
      initialDelaySeconds: orNull(count),
      periodSeconds: orNull(count),
      timeoutSeconds: orNull(count),
      failureThreshold: orNull(count),
    }),
  ),
  disruptionBudgetEnabled: orNull(z.boolean()),
  disruptionBudgetMinAvailable: orNull(text),
  disruptionBudgetMaxUnavailable: orNull(text),
});

/** Of compose: the project, and the files as they were named. */
export const composeFactSchema = z.strictObject({
  files: z.array(text),
  project: orNull(text),
  /** Who filled in variables and joined the files. */
  readBy: z.enum(['docker-compose', 'lightspan']),
});

export type DeploymentFact = z.infer<typeof deploymentFactSchema>;
export type HelmReleaseFact = z.infer<typeof helmReleaseFactSchema>;
export type WorkloadFact = z.infer<typeof workloadFactSchema>;
export type ContainerFact = WorkloadFact['containers'][number];
export type ImageFact = ContainerFact['image'];
export type PodFact = z.infer<typeof podFactSchema>;
export type ChartValuesFact = z.infer<typeof chartValuesFactSchema>;
export type ComposeFact = z.infer<typeof composeFactSchema>;
