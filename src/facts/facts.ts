import type { FactName, FactValue } from './fact-names.js';
import type { FactsFile } from './facts-schema.js';

/** What is known of one instance. An unknown fact is undefined, never a guess. */
export interface Facts {
  readonly valueOf: (name: FactName) => FactValue | undefined;
}

export const noFacts: Facts = { valueOf: () => undefined };

export function factsOf(known: ReadonlyMap<FactName, FactValue>): Facts {
  return { valueOf: (name) => known.get(name) };
}

/** The first facts take precedence; the others fill the gaps. */
export function joinFacts(first: Facts, others: Facts): Facts {
  return { valueOf: (name) => first.valueOf(name) ?? others.valueOf(name) };
}

/** Whether it contains more than what a person states. */
export function isObserved({ facts }: FactsFile): boolean {
  return Object.values(facts).some((fact) => fact !== undefined && fact.source !== 'stated');
}
