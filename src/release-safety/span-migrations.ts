import type { MigrationFile, ReleaseArtifact } from './artifact-schema.js';
import type { Verdict, Version } from './field-schemas.js';
import type { SpanMigration, SpanMigrations } from './report-results.js';

export type { SpanMigration, SpanMigrations };

/** Whether nothing is known when artifacts list `found` items in all and the releases `notReported` list nothing. */
export type ReportsNothing = (notReported: readonly Version[], found: number) => boolean;

/** How heavy a migration is for the database: `may-be-heavy` if its artifact does not say. */
export type MigrationWeight = 'heavy' | 'may-be-heavy' | 'light';

/**
 * @param releases every release of the span, oldest first, with its artifact if there is one
 * @param reportsNothing whether nothing is known, given the releases that report nothing and the number of items found
 */
export function collectMigrations(
  releases: readonly { readonly version: Version; readonly artifact: ReleaseArtifact | undefined }[],
  reportsNothing: ReportsNothing,
): SpanMigrations {
  const files: SpanMigration[] = [];
  const notReported: Version[] = [];
  for (const { version, artifact } of releases) {
    const migrations = artifact?.migrations;
    if (migrations === undefined || migrations.present === 'unknown') notReported.push(version);
    for (const file of migrations?.files ?? []) files.push({ version, ...file });
  }
  const coreCount = files.filter(({ edition }) => edition === 'core').length;
  const told = !reportsNothing(notReported, files.length);
  return {
    count: told ? files.length : null,
    coreCount: told ? coreCount : null,
    eeCount: told ? files.length - coreCount : null,
    files: files.sort((a, b) => burdenOf(b) - burdenOf(a)),
    notReported,
  };
}

/** A migration is heavy if it is known to lock, rewrite or scan a table. */
export function weightOf({ heaviness }: MigrationFile): MigrationWeight {
  const effects = [heaviness.rewritesTable, heaviness.scansTable, heaviness.locksTable];
  if (effects.includes(true)) return 'heavy';
  return effects.includes('unknown') ? 'may-be-heavy' : 'light';
}

const weights: Record<MigrationWeight, number> = { light: 0, 'may-be-heavy': 1, heavy: 2 };
const certainty: Record<`${Verdict}`, number> = { false: 0, unknown: 1, true: 2 };

/** The lock of a rewrite lasts longer for a larger table, and a scan reads as much; a lock alone may be short. */
function burdenOf(file: MigrationFile): number {
  const { rewritesTable, scansTable, locksTable } = file.heaviness;
  return [rewritesTable, scansTable, locksTable].reduce(
    (burden, effect) => burden * 3 + certainty[`${effect}`],
    weights[weightOf(file)],
  );
}
