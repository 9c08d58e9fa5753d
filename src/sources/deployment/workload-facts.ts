import * as z from 'zod/mini';
import type { ContainerFact, WorkloadFact } from '../../facts/deployment-facts.js';
import { isDatabaseImage } from '../image-reference.js';
import { containerFact, isOfLightdash, type SeenKeys } from './container-facts.js';
import {
  hookOf,
  type KubernetesObject,
  moment,
  parsePart,
  podTemplateSchema,
  whole,
  wordOf,
  words,
} from './kubernetes-object.js';

/** A workload, and what selects its pods. */
export interface SeenWorkload {
  readonly fact: WorkloadFact;
  readonly object: KubernetesObject;
  readonly podLabels: Readonly<Record<string, unknown>>;
}

const groups: Partial<Record<string, readonly string[]>> = {
  Deployment: ['apps', 'extensions'],
  DaemonSet: ['apps', 'extensions'],
  StatefulSet: ['apps'],
  Job: ['batch'],
  CronJob: ['batch'],
};

export function isWorkload({ kind, group }: KubernetesObject): boolean {
  return Object.hasOwn(groups, kind) && groups[kind]?.includes(group) === true;
}

const strategy = z.nullish(z.object({ type: z.nullish(z.string()) }));

const controllerSchema = z.object({
  spec: z.object({
    template: podTemplateSchema,
    replicas: z.nullish(whole),
    strategy,
    updateStrategy: strategy,
    backoffLimit: z.nullish(whole),
    activeDeadlineSeconds: z.nullish(whole),
    suspend: z.nullish(z.boolean()),
    paused: z.nullish(z.boolean()),
  }),
  status: z.nullish(
    z.object({
      readyReplicas: z.nullish(whole),
      numberReady: z.nullish(whole),
      succeeded: z.nullish(whole),
      failed: z.nullish(whole),
    }),
  ),
});

const cronJobSchema = z.object({
  spec: z.object({ schedule: z.string(), suspend: z.nullish(z.boolean()), jobTemplate: words }),
  status: z.nullish(z.object({ lastSuccessfulTime: z.nullish(moment) })),
});

/**
 * @throws {LightspanError} `invalid-manifest`
 */
export function workloadOf(object: KubernetesObject, keys: SeenKeys): SeenWorkload {
  const { kind, name, namespace, labels, value, where, live } = object;
  const cron = kind === 'CronJob' ? parsePart(cronJobSchema, value, where) : undefined;
  const { spec, status } =
    cron === undefined
      ? parsePart(controllerSchema, value, where)
      : parsePart(controllerSchema, cron.spec.jobTemplate, `${where}: spec.jobTemplate`);
  const ofChart = isOfChart(object);
  const place = { keys, ofChart, where, workload: `${kind} ${name}` };
  const containers = [
    ...(spec.template.spec.initContainers ?? []).map((one) => containerFact(one, { init: true, ...place })),
    ...spec.template.spec.containers.map((one) => containerFact(one, { init: false, ...place })),
  ];
  const component = wordOf(labels, 'app.kubernetes.io/component') ?? null;
  const isJob = kind === 'Job';
  return {
    object,
    podLabels: spec.template.metadata?.labels ?? {},
    fact: {
      kind: kind as WorkloadFact['kind'],
      name,
      namespace,
      role: roleOf({ kind, name, component, ofChart }, containers),
      component,
      replicas: spec.replicas ?? null,
      strategy: spec.strategy?.type ?? spec.updateStrategy?.type ?? null,
      hook: hookOf(object),
      containers,
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

/**
 * The role of a workload in Lightdash. A CronJob that migrates is a migration too; one that backs up the database is
 * not.
 */
export function roleOf(
  { kind, name, component, ofChart }: RoleHints,
  containers: readonly Pick<ContainerFact, 'name' | 'image' | 'starts' | 'init'>[],
): WorkloadFact['role'] {
  const own = containers.filter((one) => isOfLightdash(one, ofChart));
  const ends = kind === 'Job' || kind === 'CronJob';
  if (own.length === 0) {
    return !ends && containers.some(({ init, image }) => !init && isDatabaseImage(image))
      ? 'database'
      : 'other';
  }
  const starts = (what: ContainerFact['starts']) => own.some((one) => one.starts === what);
  if (ends) return starts('migration') || starts('entrypoint') ? 'migration' : 'other';
  if (component === 'backend') return 'backend';
  const named = component ?? name;
  return /worker|scheduler/.test(named) || (starts('worker') && !starts('server')) ? 'worker' : 'backend';
}

interface RoleHints extends Pick<WorkloadFact, 'name' | 'component'> {
  readonly kind: string;
  readonly ofChart: boolean;
}

/** Whether it was made by the publisher's chart. */
function isOfChart({ labels }: KubernetesObject): boolean {
  return (
    /^lightdash-\d/.test(wordOf(labels, 'helm.sh/chart') ?? '') ||
    wordOf(labels, 'app.kubernetes.io/name') === 'lightdash'
  );
}
