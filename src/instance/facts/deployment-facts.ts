import * as z from 'zod/mini';
import { dateTimeSchema } from '../../core/field-schemas.js';
import { fact, facts, type SeenIn } from './observed.js';
import type { SwitchName } from './switches.js';

/**
 * The facts of a deployment, from manifests, values, compose files or a cluster. Of environment variables, only the
 * names are recorded, and of the switches among them whether they are `true` or `false`, but no other value; of
 * commands, what they start, never their words; of secrets, the names of their keys.
 */

const count = z.int().check(z.nonnegative());
const text = z.string();
const orNull = <T extends z.core.$ZodType>(schema: T) => z.nullable(schema);

const imageSchema = z.strictObject({
  /** As written; empty for a compose service that is built and gives its image no name. */
  reference: text,
  registry: orNull(text),
  repository: orNull(text),
  tag: orNull(text),
  digest: orNull(text),
  /** `Always`, `IfNotPresent`, `Never`; for compose `always`, `missing`, …; null if not set. */
  pullPolicy: orNull(text),
});

/** The variables that a check reads as switches and whose value was seen: `true` or `false`. */
const switchesSchema = z.strictObject({
  NATS_ENABLED: z.optional(z.boolean()),
  PRE_AGGREGATES_ENABLED: z.optional(z.boolean()),
} satisfies Record<SwitchName, unknown>);

const variableSchema = z.strictObject({
  name: text,
  origin: z.enum(['literal', 'secret', 'config-map', 'field']),
  /** The Secret or ConfigMap that it comes from. */
  object: orNull(text),
  /** Whether its value is empty; null if the value was not seen. */
  empty: orNull(z.boolean()),
  /** Of a switch that was seen to be `true` or `false`; absent for everything else. */
  on: z.optional(z.boolean()),
});

/** All keys of an object or a file that a container receives as variables. */
const variablesFromSchema = z.strictObject({
  origin: z.enum(['secret', 'config-map', 'env-file']),
  object: text,
  prefix: text,
  /** Null if the object was not seen: then it is not known which variables it sets. */
  keys: orNull(z.array(text)),
  /** The keys among `keys` whose value is empty; absent if the values were not seen. */
  emptyKeys: z.optional(z.array(text)),
  /** By the names of the variables, with the prefix. */
  switches: z.optional(switchesSchema),
});

/** A probe, with times in seconds, including the defaults of Kubernetes. */
const probeSchema = z.strictObject({
  kind: z.enum(['http', 'exec', 'tcp', 'grpc']),
  path: orNull(text),
  initialDelaySeconds: count,
  periodSeconds: count,
  failureThreshold: count,
  /** Of a container of Lightdash: what is at the port that it requests; absent if that is not known. */
  atPort: z.optional(z.enum(['lightdash', 'nothing', 'no-tls'])),
});

const containerSchema = z.strictObject({
  name: text,
  init: z.boolean(),
  image: imageSchema,
  entrypointReplaced: z.boolean(),
  /**
   * What it starts, as far as its command and arguments show it. `entrypoint`: that of the image, which migrates before
   * it serves. `server`: the server without it, and so without migrating. `migration`: `migrate-production`, `migrate
   * up`, `knex migrate:latest` or the like. `worker`: a worker of jobs, which never migrates.
   */
  starts: z.enum(['entrypoint', 'server', 'migration', 'worker', 'other']),
  /** Whether what starts Lightdash begins with `yarn workspace`; absent if not. */
  byYarn: z.optional(z.boolean()),
  variables: z.array(variableSchema),
  variablesFrom: z.array(variablesFromSchema),
  startupProbe: orNull(probeSchema),
  livenessProbe: orNull(probeSchema),
  readinessProbe: orNull(probeSchema),
  memoryLimitBytes: orNull(count),
  /** Of Lightdash: where PGHOST and S3_ENDPOINT are, by their names alone. Absent if they were not seen. */
  databaseHost: z.optional(z.enum(['loopback', 'inside', 'outside'])),
  storeHost: z.optional(z.enum(['loopback', 'inside', 'outside'])),
  /** Of Lightdash: how many connections its pool may open, by PGMAXCONNECTIONS. Absent if that was not seen. */
  poolSize: z.optional(count),
  /**
   * Of a compose service whose `S3_ENDPOINT` is a name inside the project: the service that has this name, and how its
   * port and credentials compare. Absent for every other address.
   */
  storeEndpoint: z.optional(
    z.strictObject({
      host: text,
      workload: orNull(text),
      reachesPort: orNull(z.boolean()),
      credentials: orNull(z.enum(['same', 'other-secret', 'of-another-store'])),
    }),
  ),
});

/** A Helm hook, by its annotations. */
const hookSchema = z.strictObject({ events: z.array(text), deletePolicies: z.array(text) });

const workloadKinds = ['Deployment', 'StatefulSet', 'DaemonSet', 'Job', 'CronJob', 'service'] as const;

export const deploymentFacts = {
  /** Where the facts of a deployment come from, and what that source cannot show. */
  deployment: fact({
    kind: z.enum(['kubernetes', 'compose']),
    /** `rendered`: what a chart or a folder would apply. `cluster`: what a cluster has. `compose`: its files. */
    origin: z.enum(['rendered', 'cluster', 'compose']),
    /** The files as they were named, or the context of kubectl. */
    sources: z.array(text),
    /** The context of kubectl if a cluster was read; null if it had none. Absent if files show what a cluster has. */
    context: z.optional(orNull(text)),
    namespace: orNull(text),
    /**
     * Whether the hooks of the chart are among the objects. `helm get manifest` omits them, so a job that is not listed
     * may still exist. Null if it is not known.
     */
    hooksSeen: orNull(z.boolean()),
    /** Kinds of objects that were requested but not returned. None of them is listed, and that proves nothing. */
    unseenKinds: z.array(text),
    /** An object of another kind whose pods have a PostgreSQL, such as `CloneSet db`; absent if there is none. */
    unreadDatabase: z.optional(text),
  }),
  /** The Helm release, by the labels and annotations of its objects. */
  helm: fact({
    release: orNull(text),
    namespace: orNull(text),
    /** The chart of the workloads of Lightdash, such as `lightdash`. */
    chart: orNull(text),
    chartVersion: orNull(text),
    /**
     * Absent unless something other than a person with helm is known to apply it. Only Flux then runs what helm runs.
     */
    appliedBy: z.optional(z.enum(['argo-cd', 'flux', 'other'])),
    /** The version of the helm on this machine, if a cluster was read and a person with helm applies the release. */
    client: z.optional(text),
  }),
  /** Everything in what was read that runs containers: in Kubernetes a controller, in compose a service. */
  workloads: facts({
    kind: z.enum(workloadKinds),
    name: text,
    namespace: orNull(text),
    /** By its images, its labels and what it starts. `database`: a PostgreSQL that is deployed with Lightdash. */
    role: z.enum(['backend', 'worker', 'migration', 'database', 'other']),
    component: orNull(text),
    /** Null if not set: one for a Deployment, unless an autoscaler sets it. */
    replicas: orNull(count),
    /**
     * `RollingUpdate` or `Recreate`; null if not set (a Deployment then rolls) or not applicable. Of a compose service
     * with settings that only Swarm follows: `stop-first`, `start-first` or `global`.
     */
    strategy: orNull(text),
    /** Of a Deployment: how it rolls, with the defaults of Kubernetes. The first two are numbers or percentages. */
    rollout: z.optional(
      z.strictObject({ maxSurge: text, maxUnavailable: text, progressDeadlineSeconds: count }),
    ),
    /** Of a Deployment: helm last applied it on the server, as only Helm 4 does. Looked at if the client is a Helm 4. */
    appliedOnServer: z.optional(z.boolean()),
    /** Of a Deployment: claims of its pods that the pods of one node alone may have, as far as claims were read. */
    claimsOfOneNode: z.optional(z.array(text)),
    hook: orNull(hookSchema),
    containers: z.array(containerSchema),
    /** Of an object store: named volumes, claims, or folders of the host that it has. */
    store: z.optional(z.strictObject({ kind: z.enum(['minio', 'rustfs']), volumes: z.array(text) })),
    /**
     * Of a job that is to be applied and that scales workloads with kubectl: whether what is applied binds a role to its
     * service account.
     */
    mayScale: z.optional(z.boolean()),
    /** Of a database or an object store: where its data is. Absent if that was not looked at. */
    data: z.optional(
      z.strictObject({
        /** Its folder in the container, or the variable that names it where its value was not seen. */
        folder: text,
        /**
         * What becomes of it when the container is replaced. `volume`: it stays, in a named volume, a claim or a folder
         * of the host. `container-volume`: an anonymous volume, which the next container does not get. `pod-volume`: it
         * ends with the pod. `memory`; `container`: in no volume.
         */
        keptIn: z.enum(['volume', 'container-volume', 'pod-volume', 'memory', 'container', 'not-told']),
      }),
    ),
    backoffLimit: orNull(count),
    activeDeadlineSeconds: orNull(count),
    schedule: orNull(text),
    lastSuccessAt: orNull(dateTimeSchema),
    /** Of a Job or a CronJob. Of a Deployment: it is paused. */
    suspended: orNull(z.boolean()),
    /** Replicas that are ready, and Jobs that ended: only in a cluster. */
    ready: orNull(count),
    succeeded: orNull(count),
    failed: orNull(count),
  }),
  /** Pods of a cluster; absent if manifests were read. */
  pods: facts({
    name: text,
    namespace: orNull(text),
    /** The workload that owns it. */
    workload: orNull(text),
    phase: text,
    ending: z.boolean(),
    containers: z.array(
      z.strictObject({
        name: text,
        init: z.boolean(),
        image: imageSchema,
        ready: z.boolean(),
        restarts: count,
        /** Why it waits, or ended: `CrashLoopBackOff`, `ImagePullBackOff`, `OOMKilled`, …; null if not stated. */
        reason: orNull(text),
        lastReason: orNull(text),
        lastExitCode: orNull(z.int()),
      }),
    ),
  }),
  disruptionBudgets: facts({
    name: text,
    /** The workloads whose pods it selects. */
    workloads: z.array(text),
    /** As written: a number or a percentage. */
    minAvailable: orNull(text),
    maxUnavailable: orNull(text),
    disruptionsAllowed: orNull(count),
  }),
  autoscalers: facts({
    name: text,
    targetKind: text,
    targetName: text,
    minReplicas: count,
    maxReplicas: count,
    /** What made it, such as `ScaledObject bi` of KEDA; absent if nothing did. */
    owner: z.optional(text),
  }),
  /** Helm hooks that are not workloads: a ServiceAccount, ConfigMap, Role, RoleBinding or, in manifests, a Secret. */
  hookObjects: facts({ kind: text, name: text, namespace: orNull(text), hook: hookSchema }),
  snapshots: facts({
    name: text,
    claim: orNull(text),
    createdAt: orNull(dateTimeSchema),
    readyToUse: orNull(z.boolean()),
  }),
  /** What values files of the chart set; null if they do not, and the chart's default applies. */
  chartValues: fact({
    files: z.array(text),
    /** The keys under which the values of Lightdash are; not empty if it is a dependency of another chart. */
    path: z.array(text),
    imageTag: orNull(text),
    upgradeMode: orNull(text),
    backendStrategy: orNull(text),
    migrationJobEnabled: orNull(z.boolean()),
    migrationJobInheritsGlobalEnv: orNull(z.boolean()),
    migrationJobExistingSecret: orNull(text),
    /** Of strict `secretRefs`: whether they name a Secret for the migration job; absent if they are not enabled. */
    migrationJobSecretNamed: z.optional(z.boolean()),
    migrationJobVariables: z.array(text),
    existingSecret: orNull(text),
    variables: z.array(text),
    /** Those of both lists that have one value wherever the values set them. */
    switches: z.optional(switchesSchema),
    postgresqlEnabled: orNull(z.boolean()),
    /** Whether the bundled PostgreSQL has a claim for its data; absent if they do not say. */
    postgresqlPersistent: z.optional(z.boolean()),
    readinessPath: orNull(text),
    startupProbe: orNull(
      z.strictObject({
        initialDelaySeconds: orNull(count),
        periodSeconds: orNull(count),
        failureThreshold: orNull(count),
      }),
    ),
  }),
  /**
   * For compose: the project, and the files as they were named; none if the output of docker compose was handed over.
   */
  compose: fact({
    files: z.array(text),
    project: orNull(text),
    /** The files of variables that were named in place of `.env`. */
    envFiles: z.optional(z.array(text)),
    /** Whether the host of the database is no service of the project; absent if that was not looked at. */
    externalDatabase: z.optional(z.boolean()),
  }),
};

type SeenFact<Key extends keyof typeof deploymentFacts> = SeenIn<z.infer<(typeof deploymentFacts)[Key]>>;

export type DeploymentFact = SeenFact<'deployment'>;
export type HelmReleaseFact = SeenFact<'helm'>;
export type AppliedBy = NonNullable<HelmReleaseFact['appliedBy']>;
export type WorkloadFact = SeenFact<'workloads'>[number];
export type ContainerFact = WorkloadFact['containers'][number];
/** What becomes of the data of a workload when its container is replaced. */
export type KeptIn = NonNullable<WorkloadFact['data']>['keptIn'];
export type ImageFact = ContainerFact['image'];
export type PodFact = SeenFact<'pods'>[number];
