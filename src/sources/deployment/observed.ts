import type { ObservedFacts, unseenStatuses } from '../../facts/facts-schema.js';

/** The facts of a deployment, by their keys in a facts file. */
export const deploymentFactKeys = [
  'deployment',
  'helm',
  'workloads',
  'pods',
  'disruptionBudgets',
  'autoscalers',
  'hookObjects',
  'snapshots',
  'chartValues',
  'compose',
] as const satisfies readonly (keyof ObservedFacts)[];

export type DeploymentFactKey = (typeof deploymentFactKeys)[number];
export type DeploymentFacts = { readonly [Key in DeploymentFactKey]?: ObservedFacts[Key] };

/** A fact that was seen at a moment, ISO 8601. */
export function seen<T>(value: T, seenAt: string) {
  return { status: 'seen' as const, value, seenAt, source: 'deployment' as const };
}

/** A fact that was not seen, and why. */
export function unseen(status: (typeof unseenStatuses)[number], detail?: string) {
  return { status, source: 'deployment' as const, ...(detail === undefined ? {} : { detail }) };
}
