import type { FactName, FactValue } from './fact-names.js';

/** What is known of one instance. A fact that is not known is undefined, never a guess. */
export interface Facts {
  readonly valueOf: (name: FactName) => FactValue | undefined;
}

/** Nothing is known. */
export const noFacts: Facts = { valueOf: () => undefined };

export function factsOf(known: ReadonlyMap<FactName, FactValue>): Facts {
  return { valueOf: (name) => known.get(name) };
}

/** The first facts count where they know; the others beside them. */
export function joinFacts(first: Facts, others: Facts): Facts {
  return { valueOf: (name) => first.valueOf(name) ?? others.valueOf(name) };
}
