import type { ObservedFacts } from '../facts/facts-schema.js';
import { withoutExtension } from '../facts/read-facts.js';

const prefix = 'migration.';

/**
 * Adds the migrations that a person states to have run to the ledger. A migration that moved to the other edition, or
 * was removed, never will run.
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
