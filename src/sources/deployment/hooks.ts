import type { WorkloadFact } from '../../facts/deployment-facts.js';
import { type KubernetesObject, wordOf } from './kubernetes-object.js';

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
