import type { ObservedFacts, unseenStatuses } from '../../facts/facts-schema.js';
import type { FactKeyOf } from '../../facts/needs.js';

export type DeploymentFacts = { readonly [Key in FactKeyOf<'deployment'>]?: ObservedFacts[Key] };

/** A fact that was seen at a moment, ISO 8601. */
export function seen<T>(value: T, seenAt: string) {
  return { status: 'seen' as const, value, seenAt, source: 'deployment' as const };
}

/** A fact that was not seen, and why. */
export function unseen(status: (typeof unseenStatuses)[number], detail?: string) {
  return { status, source: 'deployment' as const, ...(detail === undefined ? {} : { detail }) };
}
