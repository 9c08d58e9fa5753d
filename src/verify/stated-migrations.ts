import type { ObservedFacts } from '../facts/facts-schema.js';
import { withoutExtension } from '../facts/read-facts.js';

const prefix = 'migration.';

/**
 * The facts with a ledger that also holds what a person states to have run, by name: a migration that has gone to the other
 * edition, or is gone, never will.
 */
export function withStatedMigrations(facts: ObservedFacts): ObservedFacts {
  const { ledger, stated } = facts;
  if (ledger?.status !== 'seen' || stated?.status !== 'seen') return facts;
  const names = new Set(ledger.value.map(({ name }) => withoutExtension(name)));
  const added = Object.entries(stated.value)
    .filter(([name, value]) => name.startsWith(prefix) && value === 'applied')
    .map(([name]) => name.slice(prefix.length))
    .filter((name) => !names.has(name))
    .map((name) => ({ name, batch: 0, migratedAt: null }));
  return { ...facts, ledger: { ...ledger, value: [...ledger.value, ...added] } };
}
