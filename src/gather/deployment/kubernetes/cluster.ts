import parse from 'semver/functions/parse.js';
import * as z from 'zod/mini';
import type { Env } from '../../../core/common/env.js';
import { LightspanError } from '../../../core/lightspan-error.js';
import { runsLightdash } from '../../../instance/facts/lightdash-containers.js';
import { type DeploymentFacts, notSeen, type Unseen } from '../manifest-facts.js';
import { type ProgramOutcome, runProgram } from '../run-program.js';
import {
  type Kind,
  type KubernetesObject,
  manifestFault,
  parsePart,
  readDeployedYaml,
  readObjects,
  resources,
} from './kubernetes-object.js';

export interface ClusterPlace {
  /** The context of kubectl; null if it has none, as inside a cluster. */
  readonly context: string | null;
  readonly namespace: string | null;
}

/** The user's own kubectl, and where it looks. */
interface Kubectl extends ClusterPlace {
  readonly env: Env;
  /** Milliseconds for one run of kubectl. */
  readonly timeoutMs: number;
}

const configSchema = z.object({
  'current-context': z.string(),
  contexts: z.nullish(
    z.array(z.object({ name: z.string(), context: z.object({ namespace: z.nullish(z.string()) }) })),
  ),
});

/**
 * The cluster that kubectl would use, which is that of the context if one is named.
 *
 * @throws {LightspanError} as `runKubectl`; `unreadable-source` if there is no such context
 */
export async function findCluster(kubectl: Kubectl): Promise<Kubectl> {
  const outcome = await runKubectl(kubectl, ['config', 'view', '--minify', '-o', 'json']);
  if (outcome.exitCode !== 0) {
    // Inside a cluster there is no context, and none is needed.
    if (kubectl.context === null && /current-context (?:must exist|is not set)/.test(outcome.stderr)) {
      return kubectl;
    }
    throw new LightspanError('unreadable-source', `kubectl has no such context: ${faultOf(outcome)}`, {
      hint: 'kubectl config get-contexts lists them; name one with --context.',
    });
  }
  const name = 'kubectl config view';
  const config = parsePart(configSchema, readDeployedYaml(outcome.stdout, name), name);
  const context = config['current-context'];
  const namespaceOfContext = config.contexts?.find(({ name }) => name === context)?.context.namespace;
  // The current context may change before the next request, for example in another terminal.
  return { ...kubectl, context, namespace: kubectl.namespace ?? (namespaceOfContext || 'default') };
}

/** The objects of a kind, or why they are not seen. */
interface KindAnswer {
  readonly kind: Kind;
  readonly objects: readonly KubernetesObject[];
  readonly unseen: Unseen | undefined;
}

/**
 * The objects of one namespace. What may not be read, and what the server does not know, is reported kind by kind.
 *
 * @throws {LightspanError} as `runKubectl`; `unreadable-source` if the cluster cannot be reached; `invalid-manifest`
 *   if its
 * answer is not a list of objects
 */
export async function readCluster(kubectl: Kubectl) {
  const seconds = Math.max(1, Math.floor(kubectl.timeoutMs / 1000));
  const options = ['--output=json', `--request-timeout=${seconds}s`];
  const ask = async (kind: Kind): Promise<KindAnswer> => {
    const outcome = await runKubectl(kubectl, ['get', resources[kind], ...options]);
    if (outcome.exitCode !== 0) return { kind, objects: [], unseen: whyNot(outcome, resources[kind]) };
    const name = `kubectl get ${resources[kind]}`;
    const objects = readObjects(outcome.stdout, name);
    const mismatch = objects.find((object) => object.kind !== kind);
    if (mismatch !== undefined)
      throw manifestFault(`${name} answered with ${mismatch.kind} ${mismatch.name}`);
    return { kind, objects, unseen: undefined };
  };
  const [first, ...others] = Object.keys(resources) as [Kind, ...Kind[]];
  // The first kind is requested alone, so that a login is prompted for once, and an unreachable server is waited for
  // once.
  const reply = await ask(first);
  if (reply.unseen?.status === 'failed') {
    throw new LightspanError('unreadable-source', `kubectl cannot read the cluster: ${reply.unseen.detail}`, {
      hint: 'Check --context, and that kubectl get pods works here.',
    });
  }
  const answers = [reply, ...(await Promise.all(others.map(ask)))];
  return {
    objects: answers.flatMap(({ objects }) => objects),
    unseen: new Map(
      answers.flatMap(({ kind, unseen }) => (unseen === undefined ? [] : [[kind, unseen] as const])),
    ),
  };
}

function whyNot(outcome: ProgramOutcome, resource: string): Unseen {
  const detail = faultOf(outcome);
  if (/\(Forbidden\)/.test(outcome.stderr)) return notSeen('not-permitted', detail);
  return /doesn't have a resource type|could not find the requested resource/.test(outcome.stderr)
    ? notSeen('absent', `the cluster does not know ${resource}`)
    : notSeen('failed', detail);
}

/**
 * What kubectl prints of a Secret: a line for each key, and whether its value is empty. kubectl does not print the
 * values.
 */
const keysTemplate = '{{range $key, $value := .data}}{{$key}}{{if not $value}} empty{{end}}{{"\\n"}}{{end}}';

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
  names: readonly string[],
): Promise<readonly KubernetesObject[]> {
  const read: KubernetesObject[] = [];
  for (const name of names) {
    const args = [`--output=go-template=${keysTemplate}`, `secrets/${name}`] as const;
    const { exitCode, stdout } = await runKubectl(kubectl, ['get', ...args]);
    if (exitCode !== 0) continue;
    const lines = stdout.split('\n').filter((line) => line !== '');
    if (!lines.every((line) => /^[-._A-Za-z0-9]{1,253}(?: empty)?$/.test(line))) {
      throw manifestFault(`kubectl get secrets ${name} printed something that is not a key`);
    }
    const data = Object.fromEntries(
      lines.map((line) => [line.replace(' empty', ''), line.endsWith(' empty') ? '' : 'set']),
    );
    const metadata = { name, namespace: kubectl.namespace, uid: '' };
    const secret = JSON.stringify({ apiVersion: 'v1', kind: 'Secret', metadata, data });
    read.push(...readObjects(secret, 'kubectl get secrets'));
  }
  return read;
}

/** Whether helm applied a Deployment on the server, by the newest of the fields that it manages. */
const managersOfAll =
  '{range .items[*]}{.metadata.name}{range .metadata.managedFields[*]}{" "}{.manager},{.operation},{.time}{end}{"\\n"}{end}';

/**
 * The facts with the helm of this machine, where it is what applies the release. If that is a Helm 4, with how each
 * Deployment was applied: only a release that it installed itself does it apply on the server. Where there is no helm
 * here, somebody else's applies, and nothing is known of it.
 *
 * @throws {LightspanError} as `runKubectl`
 */
export async function withHelmClient(kubectl: Kubectl, facts: DeploymentFacts): Promise<DeploymentFacts> {
  const { helm, workloads } = facts;
  if (helm?.status !== 'seen' || helm.value.appliedBy !== undefined) return facts;
  const { env, timeoutMs } = kubectl;
  const version = await runProgram('helm', ['version', '--short'], { env, timeoutMs }).catch(() => undefined);
  const read = parse(version?.stdout.trim());
  if (read === null) return facts;
  const client = `${read.major}.${read.minor}.${read.patch}`;
  const withClient = { ...facts, helm: { ...helm, value: { ...helm.value, client } } };
  if (read.major < 4 || workloads?.status !== 'seen') return withClient;
  const { exitCode, stdout } = await runKubectl(kubectl, [
    ...(['get', resources.Deployment, `--output=jsonpath=${managersOfAll}`] as const),
  ]);
  if (exitCode !== 0) return withClient;
  const onServer = new Set(stdout.split('\n').flatMap((line) => nameIfAppliedOnServer(line) ?? []));
  const value = workloads.value.map((workload) =>
    workload.kind === 'Deployment' ? { ...workload, appliedOnServer: onServer.has(workload.name) } : workload,
  );
  return { ...withClient, workloads: { ...workloads, value } };
}

/**
 * The name of a Deployment that helm applied on the server, from one line of `managersOfAll`. The manager has the name
 * of the file of helm; what helm patched itself is an update.
 */
function nameIfAppliedOnServer(line: string): string | undefined {
  const [name, ...managers] = line.split(' ');
  const [newest] = managers
    .map((manager) => manager.split(','))
    .filter(([manager = '']) => /^helm(?:$|[^a-z])/.test(manager))
    .toSorted(([, , a = ''], [, , b = '']) => (a < b ? 1 : -1));
  return newest?.[1] === 'Apply' ? name : undefined;
}

/**
 * Runs it with the only verbs that are used: no command that changes a cluster begins with them.
 *
 * @throws {LightspanError} as `runProgram`
 */
export function runKubectl(
  { env, context, namespace, timeoutMs }: Kubectl,
  args: readonly ['get' | 'config', ...string[]],
): Promise<ProgramOutcome> {
  const inNamespace = namespace === null || args[0] !== 'get' ? [] : [`--namespace=${namespace}`];
  const inContext = context === null ? [] : [`--context=${context}`];
  return runProgram('kubectl', [...args, ...inNamespace, ...inContext], {
    // kubectl's own settings may add options, and its messages are parsed in English.
    env: { ...env, KUBERC: 'off', KUBECTL_KUBERC: 'false', LC_ALL: 'C' },
    timeoutMs,
    hint:
      'Install kubectl, name one namespace with --namespace, or pass --manifests with what kubectl get -o ' +
      'yaml prints elsewhere.',
  });
}

/** kubectl's own error message on one line, without the output of a program that it runs to log in. */
function faultOf({ exitCode, stderr }: ProgramOutcome): string {
  const lines = stderr
    .split('\n')
    .filter((line) => /^(?:error:|Error from server|Unable to connect|The connection)/i.test(line));
  const reason = (lines.at(-1) ?? `it ended with ${exitCode}`).replace(/\/\/[^/\s@]*@/g, '//');
  return [...reason].slice(0, 300).join('').trim();
}
