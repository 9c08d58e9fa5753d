import * as z from 'zod/mini';
import type { WorkloadFact } from '../../facts/deployment-facts.js';
import { dateTime } from '../../release-safety/kinds.js';
import { isRecord } from '../../shared/is-record.js';
import { formatPath } from '../../shared/schema-problem.js';
import { manifestFault, readDocuments } from './manifest-text.js';

/** The parts of Kubernetes objects that facts need. Another form is refused, further fields are ignored. */

export const whole = z
  .int({ error: 'expected a whole number' })
  .check(z.nonnegative({ error: 'expected a whole number from 0' }));
/** A point in time, ISO 8601. */
export const moment = z.string().check(z.regex(dateTime, { error: 'expected a time' }));
export const words = z.record(z.string(), z.unknown());

const probeSchema = z.object({
  httpGet: z.nullish(z.object({ path: z.nullish(z.string()) })),
  exec: z.nullish(words),
  tcpSocket: z.nullish(words),
  grpc: z.nullish(words),
  initialDelaySeconds: z.nullish(whole),
  periodSeconds: z.nullish(whole),
  failureThreshold: z.nullish(whole),
});

const keyRef = z.nullish(z.object({ name: z.string(), key: z.string(), optional: z.nullish(z.boolean()) }));
const objectRef = z.nullish(z.object({ name: z.string() }));

const variableSchema = z.object({
  name: z.string().check(z.regex(/^[^\p{Cc}=]{1,500}$/u, { error: 'expected the name of a variable' })),
  value: z.nullish(z.string()),
  valueFrom: z.nullish(
    z.object({
      secretKeyRef: keyRef,
      configMapKeyRef: keyRef,
      fieldRef: z.nullish(words),
      resourceFieldRef: z.nullish(words),
      fileKeyRef: z.nullish(words),
    }),
  ),
});

export const containerSchema = z.object({
  name: z.string(),
  image: z.string().check(z.regex(/^[^\s\p{Cc}]{1,1000}$/u, { error: 'expected an image' })),
  imagePullPolicy: z.nullish(z.string()),
  command: z.nullish(z.array(z.string())),
  args: z.nullish(z.array(z.string())),
  env: z.nullish(z.array(variableSchema)),
  envFrom: z.nullish(
    z.array(z.object({ prefix: z.nullish(z.string()), secretRef: objectRef, configMapRef: objectRef })),
  ),
  startupProbe: z.nullish(probeSchema),
  livenessProbe: z.nullish(probeSchema),
  readinessProbe: z.nullish(probeSchema),
  resources: z.nullish(z.object({ limits: z.nullish(words) })),
  restartPolicy: z.nullish(z.string()),
});

export const podSpecSchema = z.object({
  containers: z.array(containerSchema).check(z.minLength(1, { error: 'expected a container' })),
  initContainers: z.nullish(z.array(containerSchema)),
});

export const podTemplateSchema = z.object({
  metadata: z.nullish(z.object({ labels: z.nullish(words) })),
  spec: podSpecSchema,
});

export type Container = z.infer<typeof containerSchema>;
export type Probe = z.infer<typeof probeSchema>;

/** The images of all containers of an object, for kinds that are not read otherwise, such as a Workflow of Argo. */
export function imagesIn(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(imagesIn);
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([key, part]) => {
    const containers = ofContainers.has(key) ? [part].flat().filter(isRecord) : [];
    const images = containers.flatMap(({ image }) => (typeof image === 'string' ? [image] : []));
    return [...images, ...imagesIn(part)];
  });
}

/** The keys under which containers are, in pods and in the kinds of Argo and Tekton that make pods. */
const ofContainers: ReadonlySet<string> = new Set([
  ...['containers', 'initContainers', 'ephemeralContainers'],
  ...['container', 'script', 'sidecars', 'steps'],
]);

/** A Kubernetes object: the parts that all kinds have in common. */
export interface KubernetesObject {
  /** For example `apps`; empty for the core group. */
  readonly group: string;
  readonly kind: string;
  readonly name: string;
  readonly namespace: string | null;
  readonly labels: Readonly<Record<string, unknown>>;
  readonly annotations: Readonly<Record<string, unknown>>;
  /** Set by the server; null if the object is only to be applied. */
  readonly createdAt: string | null;
  /** Whether it exists in a cluster. */
  readonly live: boolean;
  readonly ending: boolean;
  /** Its owner and controller. */
  readonly owner: { readonly kind: string; readonly name: string } | undefined;
  readonly value: Readonly<Record<string, unknown>>;
  /** Its name in messages. */
  readonly where: string;
}

const headSchema = z.object({
  apiVersion: z
    .string()
    .check(z.regex(/^[\w.-]{1,253}(?:\/\w{1,63})?$/, { error: 'expected a version of an API' })),
  kind: z.string().check(z.regex(/^\w{1,63}$/, { error: 'expected a kind of object' })),
  metadata: z.object({
    name: z.string().check(z.regex(/^[^\s\p{Cc}]{1,253}$/u, { error: 'expected the name of an object' })),
    namespace: z.nullish(z.string()),
    labels: z.nullish(words),
    annotations: z.nullish(words),
    uid: z.nullish(z.string()),
    creationTimestamp: z.nullish(moment),
    deletionTimestamp: z.nullish(z.string()),
    ownerReferences: z.nullish(
      z.array(z.object({ kind: z.string(), name: z.string(), controller: z.nullish(z.boolean()) })),
    ),
  }),
});

/**
 * The objects of a text: its documents, and the items of lists in it.
 *
 * @throws {LightspanError} `invalid-manifest`
 */
export function readObjects(text: string, name: string): readonly KubernetesObject[] {
  const documents = readDocuments(text, name);
  if (documents.length === 0) {
    throw manifestFault(
      `${name}: there is nothing in it`,
      'The command that should have printed it may have failed: check its messages.',
    );
  }
  return documents.flatMap(({ value, line }) => flatten(value, `${name}, from line ${line}`));
}

function flatten(value: Readonly<Record<string, unknown>>, where: string): KubernetesObject[] {
  const { kind, items, apiVersion } = value;
  if (typeof kind !== 'string' || !/List$/.test(kind) || !('items' in value)) return [objectOf(value, where)];
  if (items === null) return [];
  if (!Array.isArray(items)) throw manifestFault(`${where}: items: expected a list`);
  return items.flatMap((item: unknown, i) => {
    if (!isRecord(item)) throw manifestFault(`${where}: items[${i}]: expected a Kubernetes object`);
    // A list from an API names the kind of its items only once.
    const named = kind === 'List' || 'kind' in item ? item : { apiVersion, kind: kind.slice(0, -4), ...item };
    return flatten(named, `${where}, items[${i}]`);
  });
}

function objectOf(value: Readonly<Record<string, unknown>>, where: string): KubernetesObject {
  if (!('kind' in value) && !('apiVersion' in value)) {
    throw manifestFault(
      `${where}: it is not a Kubernetes object: it has neither kind nor apiVersion`,
      'Give what kubectl get -o yaml, helm get manifest or helm template prints; values are given with --values, compose files with --compose.',
    );
  }
  const { apiVersion, kind, metadata } = parsePart(headSchema, value, where);
  return {
    group: apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : '',
    kind,
    name: metadata.name,
    namespace: metadata.namespace ?? null,
    labels: metadata.labels ?? {},
    annotations: metadata.annotations ?? {},
    createdAt: metadata.creationTimestamp ?? null,
    live: metadata.uid != null,
    ending: metadata.deletionTimestamp != null,
    owner: metadata.ownerReferences?.find(({ controller }) => controller === true),
    value,
    where: `${where}: ${kind} ${metadata.name}`,
  };
}

/**
 * A part of an object by its schema. A value of another form is not shown: it may be a secret.
 *
 * @throws {LightspanError} `invalid-manifest`
 */
export function parsePart<T extends z.core.$ZodType>(schema: T, value: unknown, where: string): z.output<T> {
  const read = z.safeParse(schema, value, {
    error: ({ expected }) => `expected ${forms[String(expected)] ?? 'another form'}`,
  });
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  const path = issue?.path.map((key) => (typeof key === 'number' ? key : String(key))) ?? [];
  throw manifestFault(`${where}: ${path.length === 0 ? '' : `${formatPath(path)}: `}${issue?.message}`);
}

/** What a schema that says nothing itself expects. */
const forms: Readonly<Record<string, string>> = {
  string: 'text',
  boolean: 'true or false',
  array: 'a list',
  object: 'a map',
  record: 'a map',
};

/** Refuses an object that occurs twice: either of the two may be the right one. */
export function refuseTwice(objects: readonly KubernetesObject[]): void {
  const seen = new Map<string, KubernetesObject>();
  for (const one of objects) {
    const id = [one.group, one.kind, one.namespace ?? '', one.name].join('\n');
    const before = seen.get(id);
    if (before !== undefined) {
      throw manifestFault(
        `${one.where} appears twice; the first is in ${before.where}`,
        'Give each object once: as the cluster has it, or as it will be applied.',
      );
    }
    seen.set(id, one);
  }
}

/** A label or an annotation; undefined if not set. */
export function wordOf(words: Readonly<Record<string, unknown>>, key: string): string | undefined {
  const value = Object.hasOwn(words, key) ? words[key] : undefined;
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** A Helm hook, by its annotations; null for other objects. */
export function hookOf({ annotations }: Pick<KubernetesObject, 'annotations'>): WorkloadFact['hook'] {
  const events = wordOf(annotations, 'helm.sh/hook');
  if (events === undefined) return null;
  const policies = wordOf(annotations, 'helm.sh/hook-delete-policy');
  return {
    events: split(events),
    // Helm's default.
    deletePolicies: policies === undefined ? ['before-hook-creation'] : split(policies),
  };
}

function split(text: string): string[] {
  return text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');
}
