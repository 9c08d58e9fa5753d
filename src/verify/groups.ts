import type { ObservedFacts } from '../facts/facts-schema.js';
import { type CheckGroup, checkGroups } from '../preflight/check.js';

/**
 * The groups of checks that facts were collected for. A group without any fact was not requested. If no group has
 * facts, all are returned, and every check will be reported as not checked.
 */
export function groupsWithFacts(facts: ObservedFacts): readonly CheckGroup[] {
  const sources = new Set<string>(
    Object.values(facts).flatMap((fact) =>
      fact === undefined || fact.status === 'not-asked' ? [] : [fact.source],
    ),
  );
  const told = checkGroups.filter((group) => sources.has(group));
  return told.length === 0 ? checkGroups : told;
}
