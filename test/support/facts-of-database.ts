import { type CollectOptions, collectFacts } from '../../src/gather/database/collect-facts.js';
import type { FactsFile, ObservedFacts } from '../../src/instance/facts/facts-schema.js';

/** What a database tells, without the measured reads, and without what this machine's environment says. */
export function collect(url: string, more: Partial<CollectOptions> = {}): Promise<FactsFile> {
  return collectFacts({ database: url, env: {}, measure: false, ...more });
}

/** The value of a fact that was seen. */
export function factIn<Name extends keyof ObservedFacts>(file: FactsFile, name: Name) {
  const fact = file.facts[name];
  if (fact?.status !== 'seen') throw new Error(`${name}: ${JSON.stringify(fact)}`);
  return fact.value as Extract<ObservedFacts[Name], { status: 'seen' }>['value'];
}

/** The status of each fact that was not seen. */
export function statusesOf({ facts }: FactsFile): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.entries(facts).flatMap(([name, fact]) => (fact?.status === 'seen' ? [] : [[name, fact?.status]])),
  );
}
