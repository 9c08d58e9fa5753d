import * as z from 'zod/mini';
import { isRecord } from '../../../core/json/is-record.js';
import { findDuplicateKey } from '../../../core/json/json-scan.js';
import { formatPath } from '../../../core/json/schema-problem.js';
import { dateTime } from '../../../core/kinds.js';
import { LightspanError } from '../../../core/lightspan-error.js';
import type { WorkloadFact } from '../../../instance/facts/deployment-facts.js';
import { dataOfObjects } from '../../files/data-of-objects.js';
import { readYaml, type YamlOptions } from '../../files/yaml.js';

/** A Kubernetes object: the parts that all kinds have in common. */
export interface KubernetesObject {
  /** For example `apps`; empty for the core group. */
  readonly group: string;
  readonly kind: string;
  readonly name: string;
  readonly namespace: string | null;
  readonly labels: Readonly<Record<string, unknown>>;
  readonly annotations: Readonly<Record<string, unknown>>;
  readonly createdAt: string | null;
  /** Whether it exists in a cluster. */
  readonly live: boolean;
  readonly ending: boolean;
  readonly owner: { readonly kind: string; readonly name: string } | undefined;
  readonly value: Readonly<Record<string, unknown>>;
  /** Its name in messages. */
  readonly where: string;
}

/** The kinds that are read, with their groups. Not Secrets: their values would come with their names. */
export const resources = {
  Deployment: 'deployments.apps',
  StatefulSet: 'statefulsets.apps',
  DaemonSet: 'daemonsets.apps',
  Job: 'jobs.batch',
  CronJob: 'cronjobs.batch',
  Pod: 'pods',
  ConfigMap: 'configmaps',
  ServiceAccount: 'serviceaccounts',
  Role: 'roles.rbac.authorization.k8s.io',
  RoleBinding: 'rolebindings.rbac.authorization.k8s.io',
  PodDisruptionBudget: 'poddisruptionbudgets.policy',
  HorizontalPodAutoscaler: 'horizontalpodautoscalers.autoscaling',
  VolumeSnapshot: 'volumesnapshots.snapshot.storage.k8s.io',
} as const;

export type Kind = keyof typeof resources;

/** Other groups have kinds of the same names. */
export function isOfKind({ kind, group }: KubernetesObject, wanted: Kind): boolean {
  return kind === wanted && resources[wanted].replace(/^\w+\.?/, '') === group;
}

// The parts of Kubernetes objects that facts need. Another form is refused, further fields are ignored.

export const wholeNumber = z
  .int({ error: 'expected a whole number' })
  .check(z.nonnegative({ error: 'expected a whole number from 0' }));
/** A point in time, ISO 8601. */
export const isoTime = z.string().check(z.regex(dateTime, { error: 'expected a time' }));
export const stringMap = z.record(z.string(), z.unknown());

const headSchema = z.object({
  apiVersion: z
    .string()
    .check(z.regex(/^[\w.-]{1,253}(?:\/\w{1,63})?$/, { error: 'expected a version of an API' })),
  kind: z.string().check(z.regex(/^\w{1,63}$/, { error: 'expected a kind of object' })),
  metadata: z.object({
    name: z.string().check(z.regex(/^[^\s\p{Cc}]{1,253}$/u, { error: 'expected the name of an object' })),
    namespace: z.nullish(z.string()),
    labels: z.nullish(stringMap),
    annotations: z.nullish(stringMap),
    uid: z.nullish(z.string()),
    creationTimestamp: z.nullish(isoTime),
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
  return documents.flatMap(({ value, line }) => objectsOf(value, `${name}, from line ${line}`));
}

/** An object, or the items of a list. */
function objectsOf(value: unknown, where: string): KubernetesObject[] {
  if (!isRecord(value) || (!('kind' in value) && !('apiVersion' in value))) {
    throw manifestFault(
      `${where}: it is not a Kubernetes object: it has neither kind nor apiVersion`,
      'Give what kubectl get -o yaml, helm get manifest or helm template prints; values are given with ' +
        '--values, compose files with --compose.',
    );
  }
  if (typeof value.kind === 'string' && value.kind.endsWith('List') && 'items' in value) {
    if (!Array.isArray(value.items)) throw manifestFault(`${where}: items: expected a list`);
    return value.items.flatMap((item: unknown, i) => objectsOf(item, `${where}, items[${i}]`));
  }
  const { apiVersion, kind, metadata } = parsePart(headSchema, value, where);
  return [
    {
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
    },
  ];
}

/**
 * The documents of a text as kubectl and Helm print it: YAML or JSON, between lines of `---`, each with the line at
 * which it begins. Documents with nothing but comments are skipped.
 */
export function readDocuments(text: string, name: string) {
  // A line that begins with `---` begins a document anywhere, even within a multi-line text (YAML 1.2, 9.1.2).
  const parts = text.replace(/^\uFEFF/, '').split(/^(?=---(?:\s|$))/m);
  let next = 1;
  return parts.flatMap((part) => {
    const line = next;
    next += part.split('\n').length - 1;
    const value = readJson(part, name) ?? readDeployedYaml(part, name, { line, lastCounts: dataOfObjects });
    return value === null ? [] : [{ value, line }];
  });
}

/** What a cluster prints of its objects is some megabytes, which takes seconds as YAML. Undefined if it is not JSON. */
function readJson(text: string, name: string): unknown {
  const json = text.replace(/^---\s/, '').trim();
  if (!json.startsWith('{')) return undefined;
  let twice: string | undefined;
  try {
    const value = JSON.parse(json);
    twice = findDuplicateKey(json);
    if (twice === undefined) return value;
  } catch {
    return undefined;
  }
  throw manifestFault(
    `${name}: ${isPlainKey.test(twice) ? `the key ${twice}` : 'a key'} appears twice in one object`,
  );
}

/** Five times a namespace of a busy cluster, as YAML. */
const maxLength = 16 * 1024 * 1024;

/**
 * One document as Helm and kubectl read it. The error quotes nothing, because a broken part may be a secret.
 *
 * @param options `line`: the line at which the document begins
 * @throws {LightspanError} `invalid-manifest`
 */
export function readDeployedYaml(
  text: string,
  name: string,
  { line = 1, ...options }: Pick<YamlOptions, 'whyOneDocument' | 'lastCounts'> & { line?: number } = {},
): unknown {
  const reading = readYaml(text, { maxLength, isDeployed: true, ...options });
  if (reading.ok) return reading.value;
  const [fault] = reading.faults;
  const message = (isPlainKey.test(fault?.key ?? '') ? fault?.message.replace(/"/g, '') : fault?.message)
    ?.replace(/".*"/s, '...')
    .replace(/[&*!]\S+/g, '...')
    .replace(/\s*\n[\s\S]*$/, '');
  throw manifestFault(
    `${name} is not valid YAML or JSON in line ${line - 1 + (fault?.line ?? 1)}: ${message}`,
    text.includes('{{') ? 'It looks like a template; pass the output of helm template.' : undefined,
  );
}

/** The name of a field or a variable. */
const isPlainKey = /^[A-Za-z][\w.-]{0,62}$/;

/** The error for manifests or values that cannot be read completely. */
export function manifestFault(message: string, hint?: string): LightspanError {
  return new LightspanError('invalid-manifest', message, hint === undefined ? {} : { hint });
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

/** What is expected where a schema has no message of its own. */
const forms: Readonly<Record<string, string>> = {
  string: 'text',
  boolean: 'true or false',
  array: 'a list',
  object: 'a map',
  record: 'a map',
};

/** Whether two objects may be in the same namespace: an object that is to be applied need not name it. */
export function mayShareNamespace(
  first: Pick<KubernetesObject, 'namespace'>,
  second: Pick<KubernetesObject, 'namespace'>,
): boolean {
  return first.namespace === null || second.namespace === null || first.namespace === second.namespace;
}

/** A label or an annotation; undefined if not set. */
export function labelOf(map: Readonly<Record<string, unknown>>, key: string): string | undefined {
  const value = Object.hasOwn(map, key) ? map[key] : undefined;
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** A Helm hook, by its annotations; null for other objects. */
export function hookOf({ annotations }: Pick<KubernetesObject, 'annotations'>): WorkloadFact['hook'] {
  const listed = (key: string, usual = '') =>
    (labelOf(annotations, key) ?? usual).split(',').flatMap((word) => word.trim() || []);
  if (labelOf(annotations, 'helm.sh/hook') === undefined) return null;
  return {
    events: listed('helm.sh/hook'),
    // Helm's default.
    deletePolicies: listed('helm.sh/hook-delete-policy', 'before-hook-creation'),
  };
}
