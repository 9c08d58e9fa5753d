import * as z from 'zod/mini';
import { LightspanError } from '../../errors.js';
import { runsLightdash } from '../../facts/lightdash-containers.js';
import { type KubernetesObject, parsePart, readObjects } from './kubernetes-object.js';
import type { DeploymentFacts, KindUnseen } from './manifest-facts.js';
import { manifestFault, readDocuments } from './manifest-text.js';
import { type ProgramOutcome, runProgram } from './run-program.js';

/** The requested kinds. Secrets are not among them, because their values would come with their names. */
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

type Kind = keyof typeof resources;

export interface ClusterPlace {
  /** The context of kubectl; null if it has none, as inside a cluster. */
  readonly context: string | null;
  readonly namespace: string | null;
}

export interface SeenCluster {
  readonly objects: readonly KubernetesObject[];
  /** The kinds that were not returned. */
  readonly unseen: ReadonlyMap<string, KindUnseen>;
}

const configSchema = z.object({
  'current-context': z.string(),
  contexts: z.nullish(
    z.array(z.object({ name: z.string(), context: z.object({ namespace: z.nullish(z.string()) }) })),
  ),
});

/**
 * The cluster that kubectl would use.
 *
 * @throws {LightspanError} as `runKubectl`; `unreadable-source` if there is no such context
 */
export async function findCluster(kubectl: Kubectl, namespace: string | undefined): Promise<ClusterPlace> {
  const outcome = await runKubectl(kubectl, ['config', 'view', '--minify', '-o', 'json']);
  if (outcome.exitCode !== 0) {
    // Inside a cluster there is no context, and none is needed.
    if (kubectl.context === undefined && /current-context (?:must exist|is not set)/.test(outcome.stderr)) {
      return { context: null, namespace: namespace ?? null };
    }
    throw new LightspanError('unreadable-source', `kubectl has no such context: ${faultOf(outcome)}`, {
      hint: 'kubectl config get-contexts lists them; name one with --context.',
    });
  }
  const name = 'kubectl config view';
  const [config] = readDocuments(outcome.stdout, name);
  const { 'current-context': context, contexts } = parsePart(configSchema, config?.value, name);
  const own = contexts?.find(({ name }) => name === context)?.context.namespace;
  return { context, namespace: namespace ?? (own || 'default') };
}

/**
 * The objects of one namespace. What may not be read, and what the server does not know, is reported kind by kind.
 *
 * @throws {LightspanError} as `runKubectl`; `network`, `timeout`, `unreadable-source` if the cluster cannot be reached;
 * `invalid-manifest` if its answer is not a list of objects
 */
export async function readCluster(kubectl: Kubectl, { namespace }: ClusterPlace): Promise<SeenCluster> {
  const [first, ...others] = Object.keys(resources) as [Kind, ...Kind[]];
  const ask = async (kind: Kind) => ({ kind, answer: await list(kubectl, kind, namespace) });
  // The first one alone, so that a login is requested once, and an unreachable server is waited for once.
  const answers = [await ask(first), ...(await Promise.all(others.map(ask)))];
  return {
    objects: answers.flatMap(({ answer }) => ('objects' in answer ? answer.objects : [])),
    unseen: new Map(answers.flatMap(({ kind, answer }) => ('objects' in answer ? [] : [[kind, answer]]))),
  };
}

type Answer = { readonly objects: readonly KubernetesObject[] } | KindUnseen;

async function list(kubectl: Kubectl, kind: Kind, namespace: string | null): Promise<Answer> {
  const resource = resources[kind];
  const seconds = Math.max(1, Math.floor(kubectl.timeoutMs / 1000));
  const outcome = await runKubectl(kubectl, [
    'get',
    resource,
    '--output=json',
    `--request-timeout=${seconds}s`,
    ...(namespace === null ? [] : [`--namespace=${namespace}`]),
  ]);
  if (outcome.exitCode !== 0) return whyNot(outcome, kind);
  const name = `kubectl get ${resource}`;
  const objects = readObjects(outcome.stdout, name);
  const other = objects.find((one) => one.kind !== kind);
  if (other !== undefined) throw manifestFault(`${name} answered with ${other.kind} ${other.name}`);
  return { objects };
}

/** @throws {LightspanError} if the fault concerns not this kind, but the whole cluster */
function whyNot(outcome: KubectlOutcome, kind: Kind): KindUnseen {
  const { stderr } = outcome;
  const detail = faultOf(outcome);
  if (/\(Forbidden\)/.test(stderr)) return { status: 'not-permitted', detail };
  if (/doesn't have a resource type|could not find the requested resource/.test(stderr)) {
    return { status: 'absent', detail: `the cluster does not know ${resources[kind]}` };
  }
  const asYouDo = { hint: 'Check --context, and that kubectl get pods works here.' };
  if (/Unauthorized|must be logged in|getting credentials|login/i.test(stderr)) {
    throw new LightspanError('unreadable-source', `kubectl cannot log in to the cluster: ${detail}`, asYouDo);
  }
  if (/^(?:Unable to connect|The connection)/.test(detail)) {
    throw new LightspanError('network', `kubectl cannot reach the cluster: ${detail}`, asYouDo);
  }
  if (/timeout|timed out|deadline exceeded/i.test(detail)) {
    throw new LightspanError('timeout', `kubectl get ${resources[kind]}: ${detail}`);
  }
  return { status: 'failed', detail };
}

/**
 * What kubectl prints of a Secret: a line for each key, and whether its value is empty. kubectl does not print the
 * values.
 */
const template = '{{range $key, $value := .data}}{{$key}}{{if not $value}} empty{{end}}{{"\\n"}}{{end}}';

/** The Secrets that workloads of Lightdash take variables from, and whose keys were not seen. */
export function secretsUnseen({ workloads }: DeploymentFacts): readonly string[] {
  if (workloads?.status !== 'seen') return [];
  const containers = workloads.value.filter(runsLightdash).flatMap((workload) => workload.containers);
  const names = containers.flatMap(({ variables, variablesFrom }) => [
    ...variablesFrom.filter(({ origin, keys }) => origin === 'secret' && keys === null),
    ...variables.filter(({ origin, empty }) => origin === 'secret' && empty === null),
  ]);
  return [...new Set(names.flatMap(({ object }) => object ?? []))];
}

/**
 * Secrets of a cluster with their keys and without their values, one request each. A Secret that may not be read, or
 * does not exist, is left out: its keys stay unknown.
 *
 * @throws {LightspanError} as `runKubectl`; `invalid-manifest` if the output is not a list of keys
 */
export async function readSecretKeys(
  kubectl: Kubectl,
  namespace: string | null,
  names: readonly string[],
): Promise<readonly KubernetesObject[]> {
  const read: KubernetesObject[] = [];
  for (const name of names) {
    const { exitCode, stdout } = await runKubectl(kubectl, [
      'get',
      `--output=go-template=${template}`,
      ...(namespace === null ? [] : [`--namespace=${namespace}`]),
      `secrets/${name}`,
    ]);
    if (exitCode === 0) read.push(secretOf(name, namespace, stdout));
  }
  return read;
}

function secretOf(name: string, namespace: string | null, printed: string): KubernetesObject {
  const lines = printed.split('\n').filter((line) => line !== '');
  const data = lines.map((line) => {
    const [, key, empty] = /^([-._A-Za-z0-9]{1,253})( empty)?$/.exec(line) ?? [];
    if (key === undefined) {
      throw manifestFault(`kubectl get secrets ${name} printed something that is not a key`);
    }
    return [key, empty === undefined ? 'set' : ''] as const;
  });
  return {
    ...{ group: '', kind: 'Secret', name, namespace, labels: {}, annotations: {} },
    ...{ createdAt: null, live: true, ending: false, owner: undefined },
    value: { data: Object.fromEntries(data) },
    where: `Secret ${name}`,
  };
}

/** The user's own kubectl, and its parameters. */
export interface Kubectl {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly context?: string | undefined;
  /** Milliseconds for one run. */
  readonly timeoutMs: number;
}

type KubectlOutcome = Extract<ProgramOutcome, { readonly exitCode: number }>;

/**
 * Runs it with the only verbs that are used: no command that changes a cluster begins with them.
 *
 * @throws {LightspanError} `unreadable-source` if it cannot be run; `timeout`; `too-large`
 */
export async function runKubectl(
  { env, context, timeoutMs }: Kubectl,
  args: readonly ['get' | 'config', ...string[]],
): Promise<KubectlOutcome> {
  const named = context === undefined ? [] : [`--context=${context}`];
  const outcome = await runProgram('kubectl', [...args, ...named], {
    // kubectl's own settings may add options, and its messages are parsed in English.
    env: { ...env, KUBERC: 'off', KUBECTL_KUBERC: 'false', LC_ALL: 'C' },
    timeoutMs,
  });
  if (outcome.exitCode !== undefined) return outcome;
  const { code, why } = outcome;
  throw new LightspanError(code, why, code === 'timeout' ? {} : { hint: hints[code] });
}

const hints = {
  'too-large': 'Name one namespace with --namespace.',
  'unreadable-source': 'Install kubectl, or give --manifests with what kubectl get -o yaml prints elsewhere.',
};

/** kubectl's own error message on one line, without the output of a program that it runs to log in. */
export function faultOf({ exitCode, stderr }: Omit<KubectlOutcome, 'stdout'>): string {
  const lines = stderr
    .split('\n')
    .filter((line) => /^(?:error:|Error from server|Unable to connect|The connection)/i.test(line));
  const said = (lines.at(-1) ?? `it ended with ${exitCode}`).replace(/\/\/[^/\s@]*@/g, '//');
  return [...said].slice(0, 300).join('').trim();
}
