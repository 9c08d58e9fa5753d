import type { ObservedFacts } from '../facts/facts-schema.js';
import { type CheckGroup, checkGroups } from '../preflight/check.js';

/**
 * The groups of checks that facts were collected for. Those that no fact tells of were not asked for; where none is told,
 * all are asked, and none will be found to have been looked at.
 */
export function groupsTold(facts: ObservedFacts): readonly CheckGroup[] {
  const sources = new Set<string>(
    Object.values(facts).flatMap((fact) =>
      fact === undefined || fact.status === 'not-asked' ? [] : [fact.source],
    ),
  );
  const told = checkGroups.filter((group) => sources.has(group));
  return told.length === 0 ? checkGroups : told;
}
