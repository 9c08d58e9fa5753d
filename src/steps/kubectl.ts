import { compact } from '../core/text/compact.js';
import { orFail, shellPlaceholder, shellWord } from '../core/text/quoted-words.js';
import type { Deployment } from '../instance/deployment.js';

/** Another cluster may have objects of the same names. */
export function contextCommands({ context }: Deployment): string[] {
  if (context === undefined) return [sameCluster];
  const message =
    `kubectl does not use the context ${context}, where the facts come from: run kubectl config use-context ` +
    `${shellWord(context)}, or set KUBE_CONTEXT to its name here`;
  return [
    `known=${shellWord(context)}`,
    orFail(`[ "$(kubectl config current-context)" = "\${KUBE_CONTEXT:-$known}" ]`, message),
    sameCluster,
  ];
}

/** Else helm would upgrade one cluster, and kubectl would stop another. */
const sameCluster = orFail(
  `[ -z "\${HELM_KUBEAPISERVER:-}\${HELM_KUBECONTEXT:-}" ] ||\n  [ ` +
    `"\${HELM_KUBEAPISERVER:-}:\${HELM_KUBECONTEXT:-}" = ":$(kubectl config current-context)" ]`,
  'helm may use a different cluster from kubectl: unset HELM_KUBECONTEXT and HELM_KUBEAPISERVER',
);

/** The commands that stop the workloads, and wait until none of their pods is left. */
export function scaleDownCommands(helm: Deployment): string[] {
  return [
    ...helm.autoscalers.flatMap((autoscaler) => removeAutoscaler(autoscaler, helm)),
    helm.deployments.length === 0
      ? bySelector('scale deployment', helm, '--replicas=0')
      : byName('scale deployment', helm.deployments, helm, '--replicas=0'),
    waitUntilGone(helm),
  ];
}

type Autoscaler = Deployment['autoscalers'][number];

/** It is first saved to a separate file; if it was removed before, there is nothing to save. */
function removeAutoscaler({ name }: Autoscaler, helm: Deployment): string[] {
  const saved = `${shellWord(`autoscaler-${name}-`)}$(date -u +%Y%m%dT%H%M%SZ).yaml`;
  const of = (command: string) =>
    byName(`${command} horizontalpodautoscaler`, [name], helm, '--ignore-not-found');
  return [`autoscaler=${saved}`, `${of('get')} --output yaml > "$autoscaler"`, of('delete')];
}

/** The commands that start what an autoscaler has left at 0: the backend, and everything known to have one. */
export function scaleUpCommands(helm: Deployment): string[] {
  const { backend, autoscalers } = helm;
  const names = new Set(
    compact<string>(
      backend,
      autoscalers.map(({ targetName }) => targetName),
    ),
  );
  const ofBackend = (command: string, more: string) =>
    bySelector(command, helm, more, ',app.kubernetes.io/component=backend');
  return [
    ...(backend === undefined ? unlessAny('.items[*]', ofBackend) : []),
    ...[...names].flatMap((name) => unlessAny('', (command, more) => byName(command, [name], helm, more))),
  ];
}

function unlessAny(path: string, on: (command: string, more: string) => string): string[] {
  const count = on('get deployment', `--output 'jsonpath={${path}.spec.replicas}'`);
  const start = on('scale deployment', '--replicas=1').replaceAll(/^/gm, '  ');
  return [`replicas=$(${count})`, `if [ "$replicas" = 0 ]; then\n${start}\nfi`];
}

/**
 * The commands that wait until the new pods are ready: one for each Deployment, because kubectl follows one at a time.
 */
export function rolloutCommands(helm: Deployment): string[] {
  if (helm.deployments.length === 0) return [bySelector('rollout status deployment', helm)];
  return helm.deployments.map((name) => byName('rollout status deployment', [name], helm));
}

export function namespaceOf({ namespace }: Deployment): string {
  return `--namespace ${namespace === undefined ? shellPlaceholder('NAMESPACE') : shellWord(namespace)}`;
}

export function autoscalerNote({ name, targetName, minReplicas, maxReplicas }: Autoscaler): string {
  return (
    `The autoscaler ${name} (${minReplicas} to ${maxReplicas} pods of deployment/${targetName}) may bring old ` +
    'pods back, so this removes it until the upgrade. If it belongs to the chart, Helm creates it again; ' +
    'otherwise apply the file it is saved to. If KEDA created it, pause it in KEDA.'
  );
}

export function startAgainNote(helm: Deployment): string {
  const names = helm.autoscalers.map(({ name }) => name);
  const check =
    names.length === 0 ? '' : ` Check that it is back: ${byName('get horizontalpodautoscaler', names, helm)}`;
  return `A Deployment left at 0 starts with one pod; its autoscaler adds more.${check}`;
}

// Pods of ended jobs and tests stay, and nothing deletes them.
const untilGone = "--field-selector 'status.phase!=Succeeded,status.phase!=Failed' --timeout=10m";

/** The names of pods are not known, so the commands read the selector of each Deployment. */
function waitUntilGone(helm: Deployment): string {
  const { deployments } = helm;
  if (deployments.length === 0) return bySelector('wait --for=delete pod', helm, untilGone);
  const namespace = namespaceOf(helm);
  const template = '{{range $k, $v := .spec.selector.matchLabels}}{{$k}}={{$v}},{{end}}';
  return [
    `for workload in ${deployments.map(shellWord).join(' ')}; do`,
    `  labels=$(kubectl get deployment "$workload" ${namespace} \\`,
    `    --output 'go-template=${template}')`,
    `  kubectl wait --for=delete pod ${namespace} \\`,
    `    --selector "\${labels%,}" \\`,
    `    ${untilGone}`,
    'done',
  ].join('\n');
}

function byName(command: string, names: readonly string[], helm: Deployment, more = ''): string {
  return joined([`kubectl ${command} ${names.map(shellWord).join(' ')} ${namespaceOf(helm)}`, more]);
}

function bySelector(command: string, helm: Deployment, more = '', labels = ''): string {
  const { release } = helm;
  const of = 'app.kubernetes.io/name=lightdash,app.kubernetes.io/instance=';
  const selector =
    release === undefined ? `"${of}\${RELEASE:?}${labels}"` : shellWord(`${of}${release}${labels}`);
  return joined([`kubectl ${command} ${namespaceOf(helm)}`, `--selector ${selector}`, more]);
}

function joined(parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join(' \\\n  ');
}
