import type { FactDifference } from '../facts/differences.js';
import type { Finding, FindingStatus } from '../preflight/finding.js';

/** A difference, and the migrations since then that may be the cause: those that name its table. */
export type ChangeEvidence =
  | (FactDifference & { readonly by: readonly string[] })
  | { readonly kind: 'nothing-differs' };

/** For each migration that has run since, the tables that its artifact names. */
export type TablesOfMigration = ReadonlyMap<string, readonly string[]>;

type Gone = Extract<
  FactDifference['kind'],
  'table-gone' | 'table-emptied' | 'index-gone' | 'constraint-gone'
>;

/** How grave it is if something is gone and no migration since then names its table. */
const statusUnexplained: Readonly<Record<Gone, FindingStatus>> = {
  'table-gone': 'stop',
  'table-emptied': 'warn',
  'index-gone': 'warn',
  'constraint-gone': 'warn',
};

/** The status of what no migration leaves on purpose, or of what was not compared. Every other difference is ok. */
const statusOf: { readonly [Kind in FactDifference['kind']]?: FindingStatus } = {
  'fact-not-compared': 'not-checked',
  'nothing-compared': 'not-checked',
  'another-database': 'stop',
  'another-ledger': 'stop',
  'migrations-gone': 'stop',
  'rows-not-told': 'warn',
  'index-turned-invalid': 'stop',
  'constraint-not-validated': 'warn',
  'extension-gone': 'warn',
  'workload-gone': 'warn',
};

/** Whether the artifacts of the releases since then are needed to explain a difference. */
export function asksWhy({ kind }: FactDifference): boolean {
  return kind in statusUnexplained;
}

/** The migrations that have run by the later facts, but not by the earlier. */
export function migrationsRun(differences: readonly FactDifference[]): readonly string[] {
  return differences.flatMap((difference) => (difference.kind === 'migrations-run' ? difference.names : []));
}

/**
 * Judges the differences from before an upgrade. A migration that names a table explains what is gone from it, and may
 * be why the table itself is gone. A migration that does not say what it touches explains nothing.
 */
export function judgeChanges(
  differences: readonly FactDifference[],
  tables: TablesOfMigration,
): readonly Finding<'before', ChangeEvidence>[] {
  if (differences.length === 0) {
    return [{ check: 'before', status: 'ok', subject: null, evidence: { kind: 'nothing-differs' } }];
  }
  const ran = migrationsRun(differences);
  return differences.map((difference) => {
    const by =
      'table' in difference ? ran.filter((name) => tables.get(name)?.includes(difference.table)) : [];
    return {
      check: 'before',
      status: statusOfChange(difference, by.length > 0),
      subject: subjectOf(difference),
      evidence: { ...difference, by },
    };
  });
}

function statusOfChange(difference: FactDifference, isExplained: boolean): FindingStatus {
  const { kind } = difference;
  if (kind === 'variables-changed') return difference.gone.length === 0 ? 'ok' : 'warn';
  if (isGone(kind) && isExplained) return kind === 'table-gone' ? 'warn' : 'ok';
  if (isGone(kind)) return statusUnexplained[kind];
  return statusOf[kind] ?? 'ok';
}

function isGone(kind: FactDifference['kind']): kind is Gone {
  return kind in statusUnexplained;
}

function subjectOf(difference: FactDifference): string | null {
  if ('index' in difference) return difference.index;
  if ('constraint' in difference) return difference.constraint;
  if ('table' in difference) return difference.table;
  if ('workload' in difference) return difference.workload;
  return null;
}
