import { withoutExtension } from '../instance/facts/known-facts.js';
import type { FactOf } from '../instance/facts/needs.js';
import type { OfCopy } from './check.js';

type RehearsalFact = FactOf<'rehearsal'>;

/**
 * Whether a rehearsal that went through settles a finding: it applied the migration that the finding is about, on a
 * copy that had what the finding is about. A rehearsal that has not shown that changes nothing.
 *
 * @param role the one that migrates, where it is known
 */
export function isSettledOnCopy(
  evidence: object,
  wanted: readonly OfCopy[],
  kept: RehearsalFact,
  role: string | undefined,
): boolean {
  const name = migrationOf(evidence);
  const applied = kept.hops.flatMap(({ migrations }) =>
    migrations.map((migration) => withoutExtension(migration.name)),
  );
  if (name === undefined || !applied.includes(withoutExtension(name))) return false;
  const wasOnCopy: Record<OfCopy, () => boolean> = {
    rows: () => kept.mode === 'full',
    roles: () => kept.rolesKnown && role !== undefined && kept.migratingRole === role,
    dependents: () => {
      const named = dependentsOf(evidence);
      return named.length > 0 && named.every((dependent) => kept.dependents.includes(dependent));
    },
  };
  return wanted.every((of) => wasOnCopy[of]());
}

function migrationOf(evidence: object): string | undefined {
  if ('migration' in evidence && typeof evidence.migration === 'string') return evidence.migration;
  if (!('forecast' in evidence) || typeof evidence.forecast !== 'object' || evidence.forecast === null)
    return undefined;
  return migrationOf(evidence.forecast);
}

/** The objects that a finding names because they depend on a table. */
function dependentsOf(evidence: object): readonly string[] {
  const named: readonly unknown[] = [
    ...('object' in evidence ? [evidence.object] : []),
    ...('objects' in evidence && Array.isArray(evidence.objects) ? evidence.objects : []),
    ...('trigger' in evidence ? [evidence.trigger] : []),
    ...('publication' in evidence ? [evidence.publication] : []),
  ];
  return named.map(String);
}
