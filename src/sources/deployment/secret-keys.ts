import { runsLightdash } from '../../facts/lightdash-containers.js';
import type { Kubectl } from './kubectl.js';
import { runKubectl } from './kubectl.js';
import type { KubernetesObject } from './kubernetes-object.js';
import { manifestFault } from './manifest-fault.js';
import type { DeploymentFacts } from './observed.js';

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
    if (key === undefined)
      throw manifestFault(`kubectl get secrets ${name} printed something that is not a key`);
    return [key, empty === undefined ? 'set' : ''] as const;
  });
  return {
    ...{ group: '', kind: 'Secret', name, namespace, labels: {}, annotations: {} },
    ...{ createdAt: null, live: true, ending: false, owner: undefined },
    value: { data: Object.fromEntries(data) },
    where: `Secret ${name}`,
  };
}
