import * as z from 'zod/mini';
import type { KeptIn } from '../../instance/facts/deployment-facts.js';

/** A folder that a container can write to, and what becomes of its content when the container is replaced. */
export interface Mount {
  readonly target: string;
  readonly keptIn: KeptIn;
}

export interface Mounts {
  readonly mounts: readonly Mount[];
  /** Whether there may be others, which were not read. */
  readonly isPart: boolean;
}

const serviceMountSchema = z.object({
  type: z.string(),
  source: z.nullish(z.string()),
  target: z.string(),
  read_only: z.nullish(z.boolean()),
});

/** The parts of a compose service that say where it writes. */
interface MountedService {
  readonly volumes?: unknown;
  readonly tmpfs?: unknown;
  readonly volumes_from?: readonly string[] | null | undefined;
}

interface MountedProject {
  readonly services: Readonly<Record<string, MountedService>>;
  readonly volumes?: unknown;
}

/** The mounts of a service as docker compose prints it, which has every one in its long form. */
export function mountsOfService(service: MountedService, project: MountedProject, from = 0): Mounts {
  const listed = z.safeParse(z.array(serviceMountSchema), service.volumes ?? []);
  const ownMounts = (listed.data ?? []).flatMap(({ type, source, target, read_only }): Mount[] => {
    if (read_only === true || type === 'image') return [];
    return [{ target, keptIn: keptOnHost(type, source, project.volumes) }];
  });
  const inMemory = [service.tmpfs ?? []].flat().map((entry): Mount => {
    return { target: String(entry).replace(/:.*$/s, ''), keptIn: 'memory' };
  });
  const borrowed = (service.volumes_from ?? []).map((entry): Mounts => {
    const [name = ''] = entry.split(':');
    const lender = project.services[name];
    // A service whose volumes come from itself is refused by docker compose; so deep is no project.
    if (lender === undefined || from > 9) return { mounts: [], isPart: true };
    return mountsOfService(lender, project, from + 1);
  });
  return {
    mounts: [...borrowed.flatMap(({ mounts }) => mounts), ...ownMounts, ...inMemory],
    isPart: !listed.success || borrowed.some(({ isPart }) => isPart),
  };
}

function keptOnHost(type: string, source: string | null | undefined, volumes: unknown): KeptIn {
  if (type === 'tmpfs') return 'memory';
  if (type === 'cluster') return 'volume';
  if (type === 'bind') return /^\/(?:dev\/shm|run)(?:\/|$)/.test(source ?? '') ? 'memory' : 'volume';
  if (type !== 'volume') return 'not-told';
  if (!source) return 'container-volume';
  const options = Object(Object(Object(volumes)[source]).driver_opts);
  return options.type === 'tmpfs' || options.type === 'ramfs' ? 'memory' : 'volume';
}

const podMountSchema = z.object({
  name: z.string(),
  mountPath: z.string(),
  readOnly: z.nullish(z.boolean()),
});
const podVolumeSchema = z.looseObject({ name: z.string() });
const claimTemplateSchema = z.object({ metadata: z.object({ name: z.string() }) });

/**
 * The mounts of a container of a pod.
 *
 * @param templates `volumeClaimTemplates` of its StatefulSet
 */
export function mountsOfContainer(volumeMounts: unknown, volumes: unknown, templates: unknown): Mounts {
  const listed = z.safeParse(z.array(podMountSchema), volumeMounts ?? []);
  const defined = z.safeParse(z.array(podVolumeSchema), volumes ?? []);
  const claimed = z.safeParse(z.array(claimTemplateSchema), templates ?? []);
  const claims = new Set((claimed.data ?? []).map(({ metadata }) => metadata.name));
  const keptIn = (name: string): KeptIn => {
    // A claim template takes precedence over a volume of the same name.
    if (claims.has(name)) return 'volume';
    const volume = defined.data?.find((candidate) => candidate.name === name);
    return volume === undefined ? 'not-told' : keptByVolume(volume);
  };
  const writable = (listed.data ?? []).filter(({ readOnly }) => readOnly !== true);
  return {
    mounts: writable.map(({ name, mountPath }) => ({ target: mountPath, keptIn: keptIn(name) })),
    isPart: !listed.success || !defined.success || !claimed.success,
  };
}

/** Kinds of volumes that last as long as the pod, or cannot be written to. */
const ofPod = ['ephemeral', 'gitRepo', 'configMap', 'secret', 'projected', 'downwardAPI', 'image'];

/** Volumes that are elsewhere than in the pod. What else there is, such as `csi`, may be either. */
const lasting = [
  ...['persistentVolumeClaim', 'hostPath', 'nfs', 'iscsi', 'fc', 'rbd', 'cephfs', 'glusterfs', 'cinder'],
  ...['awsElasticBlockStore', 'gcePersistentDisk', 'azureDisk', 'azureFile', 'vsphereVolume'],
];

function keptByVolume(volume: Readonly<Record<string, unknown>>): KeptIn {
  const has = (kinds: readonly string[]) => kinds.some((kind) => volume[kind] != null);
  if (has(lasting)) return 'volume';
  if (volume.emptyDir != null) return Object(volume.emptyDir).medium === 'Memory' ? 'memory' : 'pod-volume';
  if (has(ofPod)) return 'pod-volume';
  // Without a source, a volume is an emptyDir.
  return Object.values(volume).filter((value) => value != null).length > 1 ? 'not-told' : 'pod-volume';
}
