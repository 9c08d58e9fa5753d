import * as z from 'zod/mini';
import { publishersName } from '../../core/lightdash-name.js';
import type { ContainerFact, WorkloadFact } from '../../instance/facts/deployment-facts.js';
import { imageFact, isDatabaseImage } from '../../instance/image-reference.js';
import {
  containerFact,
  isOfLightdash,
  podTemplateSchema,
  type SeenKeys,
  settingsOf,
} from './container-facts.js';
import { keptDatabase, keptObjects } from './kept-data.js';
import {
  hookOf,
  isOfKind,
  isoTime,
  type KubernetesObject,
  labelOf,
  mayShareNamespace,
  parsePart,
  stringMap,
  wholeNumber,
} from './kubernetes/kubernetes-object.js';
import { mountsOfContainer } from './mounts.js';
import { claimsOfPod, kindOfStore, volumesOfPod } from './object-stores.js';

type StoreKind = NonNullable<WorkloadFact['store']>['kind'];

/** A workload, its object, and the labels of its pods. */
export interface SeenWorkload {
  readonly fact: WorkloadFact;
  readonly object: KubernetesObject;
  readonly podLabels: Readonly<Record<string, unknown>>;
}

const kinds = ['Deployment', 'StatefulSet', 'DaemonSet', 'Job', 'CronJob'] as const;

const numberOrPercentage = z.nullish(
  z.union([wholeNumber, z.string().check(z.regex(/^\d{1,9}%?$/))], {
    error: 'expected a number or a percentage',
  }),
);
const strategy = z.nullish(
  z.object({
    type: z.nullish(z.string()),
    rollingUpdate: z.nullish(z.object({ maxSurge: numberOrPercentage, maxUnavailable: numberOrPercentage })),
  }),
);

const controllerSchema = z.object({
  spec: z.object({
    template: podTemplateSchema,
    replicas: z.nullish(wholeNumber),
    strategy,
    updateStrategy: strategy,
    volumeClaimTemplates: z.optional(z.unknown()),
    backoffLimit: z.nullish(wholeNumber),
    activeDeadlineSeconds: z.nullish(wholeNumber),
    suspend: z.nullish(z.boolean()),
    paused: z.nullish(z.boolean()),
    progressDeadlineSeconds: z.nullish(wholeNumber),
  }),
  status: z.nullish(
    z.object({
      readyReplicas: z.nullish(wholeNumber),
      numberReady: z.nullish(wholeNumber),
      succeeded: z.nullish(wholeNumber),
      failed: z.nullish(wholeNumber),
    }),
  ),
});

const cronJobSchema = z.object({
  spec: z.object({ schedule: z.string(), suspend: z.nullish(z.boolean()), jobTemplate: stringMap }),
  status: z.nullish(z.object({ lastSuccessfulTime: z.nullish(isoTime) })),
});

/**
 * @returns undefined for an object of another kind
 * @throws {LightspanError} `invalid-manifest`
 */
export function workloadOf(
  object: KubernetesObject,
  keys: SeenKeys,
  beside: readonly KubernetesObject[] = [],
): SeenWorkload | undefined {
  const kind = kinds.find((candidate) => isOfKind(object, candidate));
  if (kind === undefined) return undefined;
  const { name, namespace, labels, value, where, live } = object;
  const cron = kind === 'CronJob' ? parsePart(cronJobSchema, value, where) : undefined;
  const { spec, status } =
    cron === undefined
      ? parsePart(controllerSchema, value, where)
      : parsePart(controllerSchema, cron.spec.jobTemplate, `${where}: spec.jobTemplate`);
  const ofChart =
    /^lightdash-\d/.test(labelOf(labels, 'helm.sh/chart') ?? '') ||
    labelOf(labels, 'app.kubernetes.io/name') === publishersName;
  const pod = spec.template.spec;
  const all = [...(pod.initContainers ?? []), ...pod.containers];
  const containers = all.map((container) =>
    containerFact(container, {
      ...{ keys, ofChart, where, workload: `${kind} ${name}` },
      init: !pod.containers.includes(container),
      beside: all.filter((neighbour) => neighbour !== container),
      ofNode: pod.hostNetwork === true,
    }),
  );
  const stores = containers.flatMap(({ image }) => kindOfStore(image.repository) ?? []);
  const volumes = [...volumesOfPod(pod.volumes, spec.volumeClaimTemplates)];
  const component = labelOf(labels, 'app.kubernetes.io/component') ?? null;
  const role = roleOf({ kind, name, component, ofChart }, containers);
  const data = dataOf(spec, role, stores[0], keys);
  const isJob = kind === 'Job';
  return {
    object,
    podLabels: spec.template.metadata?.labels ?? {},
    fact: {
      kind,
      name,
      namespace,
      role,
      component,
      replicas: spec.replicas ?? null,
      strategy: spec.strategy?.type ?? spec.updateStrategy?.type ?? null,
      ...(kind === 'Deployment' ? rolloutOf(spec, namespace, beside) : {}),
      hook: hookOf(object),
      containers,
      ...(isJob && !live && scalesWithKubectl(all)
        ? { mayScale: isBound(pod.serviceAccountName ?? 'default', namespace, beside) }
        : {}),
      ...(stores[0] === undefined ? {} : { store: { kind: stores[0], volumes } }),
      ...(data === undefined ? {} : { data }),
      backoffLimit: spec.backoffLimit ?? null,
      activeDeadlineSeconds: spec.activeDeadlineSeconds ?? null,
      schedule: cron?.spec.schedule ?? null,
      lastSuccessAt: cron?.status?.lastSuccessfulTime ?? null,
      suspended: (cron === undefined ? (spec.suspend ?? spec.paused) : cron.spec.suspend) ?? null,
      ready: live && !isJob && !cron ? (status?.readyReplicas ?? status?.numberReady ?? 0) : null,
      succeeded: live && isJob ? (status?.succeeded ?? 0) : null,
      failed: live && isJob ? (status?.failed ?? 0) : null,
    },
  };
}

/** How Kubernetes replaces the pods of a Deployment, and what keeps new ones from starting beside old ones. */
function rolloutOf(
  { strategy, progressDeadlineSeconds, template }: z.infer<typeof controllerSchema>['spec'],
  namespace: string | null,
  beside: readonly KubernetesObject[],
): Pick<WorkloadFact, 'rollout' | 'claimsOfOneNode'> {
  const named = claimsOfPod(template.spec.volumes);
  const claims = beside.filter(
    (object) =>
      object.kind === 'PersistentVolumeClaim' &&
      object.group === '' &&
      mayShareNamespace(object, { namespace }) &&
      named.includes(object.name),
  );
  const ofOneNode = claims.filter(({ value, where }) => {
    const { accessModes } = parsePart(claimSchema, value, where).spec;
    return (
      accessModes != null &&
      accessModes.length > 0 &&
      accessModes.every((mode) => /^ReadWriteOnce/.test(mode))
    );
  });
  return {
    rollout: {
      maxSurge: String(strategy?.rollingUpdate?.maxSurge ?? '25%'),
      maxUnavailable: String(strategy?.rollingUpdate?.maxUnavailable ?? '25%'),
      progressDeadlineSeconds: progressDeadlineSeconds ?? 600,
    },
    ...(ofOneNode.length > 0 ? { claimsOfOneNode: ofOneNode.map(({ name }) => name) } : {}),
  };
}

const claimSchema = z.object({ spec: z.object({ accessModes: z.nullish(z.array(z.string())) }) });

/** As the publisher's chart stops its Deployments before it migrates. */
function scalesWithKubectl(containers: z.infer<typeof podTemplateSchema>['spec']['containers']): boolean {
  return containers.some(({ image, command, args }) => {
    const words = [imageFact(image, null).repository ?? '', ...(command ?? []), ...(args ?? [])].join(' ');
    return /kubectl/.test(words) && /(?:^|\s)scale(?:\s|$)/.test(words);
  });
}

const bindingSchema = z.object({
  subjects: z.nullish(
    z.array(z.object({ kind: z.string(), name: z.string(), namespace: z.nullish(z.string()) })),
  ),
});

function isBound(account: string, namespace: string | null, beside: readonly KubernetesObject[]): boolean {
  const bindings = beside.filter(({ kind }) => kind === 'RoleBinding' || kind === 'ClusterRoleBinding');
  return bindings.some(({ value, where }) =>
    parsePart(bindingSchema, value, where).subjects?.some(
      (subject) =>
        subject.kind === 'ServiceAccount' &&
        subject.name === account &&
        mayShareNamespace({ namespace: subject.namespace ?? null }, { namespace }),
    ),
  );
}

/** Of the container that is the database or the store. */
function dataOf(
  { template, volumeClaimTemplates }: z.infer<typeof controllerSchema>['spec'],
  role: WorkloadFact['role'],
  store: StoreKind | undefined,
  keys: SeenKeys,
): WorkloadFact['data'] {
  if (role !== 'database' && store === undefined) return undefined;
  const { containers, volumes } = template.spec;
  const dataContainer = containers.find(({ image }) => {
    const { repository } = imageFact(image, null);
    return store === undefined ? isDatabaseImage({ repository }) : kindOfStore(repository) === store;
  });
  if (dataContainer === undefined) return undefined;
  const { mounts, isPart } = mountsOfContainer(dataContainer.volumeMounts, volumes, volumeClaimTemplates);
  const { setting, mayHaveOthers } = settingsOf(dataContainer, keys);
  const container = {
    image: imageFact(dataContainer.image, null),
    words: [...(dataContainer.command ?? []), ...(dataContainer.args ?? [])],
    variable: (name: string) => setting(name) || (setting(name) === null ? null : undefined),
    mounts: { mounts, isPart: isPart || mayHaveOthers },
  };
  return store === undefined ? keptDatabase(container) : keptObjects(store, container);
}

/** A CronJob that migrates is a migration too; one that backs up the database is not. */
export function roleOf(
  {
    kind,
    name,
    component,
    ofChart,
  }: Pick<WorkloadFact, 'kind' | 'name' | 'component'> & { readonly ofChart: boolean },
  containers: readonly Pick<ContainerFact, 'name' | 'image' | 'starts' | 'init'>[],
): WorkloadFact['role'] {
  const containersOfLightdash = containers.filter((container) => isOfLightdash(container, ofChart));
  const ends = kind === 'Job' || kind === 'CronJob';
  if (containersOfLightdash.length === 0) {
    return !ends && containers.some(({ init, image }) => !init && isDatabaseImage(image))
      ? 'database'
      : 'other';
  }
  const starts = (what: ContainerFact['starts']) =>
    containersOfLightdash.some((container) => container.starts === what);
  if (ends) return starts('migration') || starts('entrypoint') ? 'migration' : 'other';
  if (component === 'backend') return 'backend';
  const named = component ?? name;
  return /worker|scheduler/.test(named) || (starts('worker') && !starts('server')) ? 'worker' : 'backend';
}
