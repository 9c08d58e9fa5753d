import type { FactDifference } from '../facts/differences.js';
import type { Finding, FindingStatus } from '../preflight/finding.js';

/** A difference, and the migrations run since that may be why: those that name its table. */
export type ChangeEvidence =
  | (FactDifference & { readonly by: readonly string[] })
  | { readonly kind: 'nothing-differs' };

/** Of a migration that has run since, the tables that its artifact names. */
export type TablesOfMigration = ReadonlyMap<string, readonly string[]>;

type Gone = Extract<
  FactDifference['kind'],
  'table-gone' | 'table-emptied' | 'index-gone' | 'constraint-gone'
>;

/** What is gone, and how grave that is where no migration since names its table. */
const statusUnexplained: Readonly<Record<Gone, FindingStatus>> = {
  'table-gone': 'stop',
  'table-emptied': 'warn',
  'index-gone': 'warn',
  'constraint-gone': 'warn',
};

/** What no migration means to leave; all else is told, and is in order. */
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

/** Whether a difference asks for the artifacts of what has run since. */
export function asksWhy({ kind }: FactDifference): boolean {
  return kind in statusUnexplained;
}

/** The migrations that the later facts have run, and the earlier had not. */
export function migrationsRun(differences: readonly FactDifference[]): readonly string[] {
  return differences.flatMap((difference) => (difference.kind === 'migrations-run' ? difference.names : []));
}

/**
 * Judges what differs from before an upgrade. A migration that names a table explains what is gone of it, and may be why
 * the table itself is; one that does not say what it touches explains nothing.
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
