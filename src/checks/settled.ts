import { withoutExtension } from '../instance/facts/known-facts.js';
import type { RehearsalFact } from '../instance/rehearsed.js';
import type { EvidenceOf, OfCopy } from './check.js';
import type { backfillsCheck } from './database/backfills.js';
import type { dependentObjects } from './database/dependent-objects.js';
import type { migrationRights } from './database/migration-rights.js';
import type { migrationTime } from './database/migration-time.js';
import type { replicaIdentity } from './database/replica-identity.js';
import type { tableAbsent } from './database/table-absent.js';

/** The evidence of every check of which a rehearsal may settle a finding. */
type Evidence = EvidenceOf<
  | typeof backfillsCheck
  | typeof dependentObjects
  | typeof migrationRights
  | typeof migrationTime
  | typeof replicaIdentity
  | typeof tableAbsent
>;

/** The kinds of findings with the trait `settledOnCopy`. One that is not listed here is never settled. */
const kindsOnCopy = [
  'table-absent',
  'table-maybe-absent',
  'column-in-use',
  'table-in-use',
  'any-table-in-use',
  'trigger-runs',
  'row-not-identified',
  'row-maybe-not-identified',
  'table-not-owned',
  'table-maybe-not-owned',
  'has-no-limit',
  'backfill-may-not-end',
] as const satisfies readonly Evidence['kind'][];

type EvidenceOnCopy = Extract<Evidence, { readonly kind: (typeof kindsOnCopy)[number] }>;

/**
 * Whether a rehearsal that went through settles a finding: it applied the migration that the finding is about, on a
 * copy that had what the finding is about. A rehearsal that has not shown that changes nothing.
 *
 * @param role the one that migrates, where it is known
 */
export function isSettledOnCopy(
  evidence: { readonly kind: string },
  wanted: readonly OfCopy[],
  kept: RehearsalFact,
  role: string | undefined,
): boolean {
  if (!isOnCopy(evidence)) return false;
  const name = migrationOf(evidence);
  const applied = kept.hops.flatMap(({ migrations }) =>
    migrations.map((migration) => withoutExtension(migration.name)),
  );
  if (name === null || !applied.includes(withoutExtension(name))) return false;
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

function isOnCopy(evidence: { readonly kind: string }): evidence is EvidenceOnCopy {
  return kindsOnCopy.some((kind) => kind === evidence.kind);
}

/** The file of the migration that the finding is about; null if it is that of a table that every migrator writes. */
function migrationOf(evidence: EvidenceOnCopy): string | null {
  switch (evidence.kind) {
    case 'has-no-limit':
    case 'backfill-may-not-end':
      return evidence.forecast.migration;
    default:
      return evidence.migration;
  }
}

/** The objects that a finding names because they depend on a table. */
function dependentsOf(evidence: EvidenceOnCopy): readonly string[] {
  switch (evidence.kind) {
    case 'column-in-use':
    case 'table-in-use':
      return [evidence.object];
    case 'any-table-in-use':
      return evidence.objects;
    case 'trigger-runs':
      return [evidence.trigger];
    case 'row-not-identified':
    case 'row-maybe-not-identified':
      return [evidence.publication];
    default:
      return [];
  }
}
