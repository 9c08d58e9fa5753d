import type { WorkloadFact } from '../facts/deployment-facts.js';
import { shellWord } from '../render/shell-word.js';

/** A command of kubectl, to be pasted in `shell`. */
export function kubectl(namespace: string | null, ...words: readonly string[]): string {
  const where = namespace === null ? [] : ['--namespace', namespace];
  return ['kubectl', ...where, ...words].map(shellWord).join(' ');
}

/** Commands that stop the pods of workloads. */
export function scaleToZero(workloads: readonly Scaled[]): readonly string[] {
  return scaleTo(0, workloads);
}

/** A DaemonSet has no replicas to scale. */
export function scaleTo(replicas: number, workloads: readonly Scaled[]): readonly string[] {
  return workloads
    .filter(({ kind }) => kind !== 'DaemonSet')
    .map(({ kind, name, namespace }) =>
      kubectl(namespace, 'scale', `${kind.toLowerCase()}/${name}`, '--replicas', String(replicas)),
    );
}

type Scaled = Pick<WorkloadFact, 'name' | 'namespace'> & { readonly kind: string };
