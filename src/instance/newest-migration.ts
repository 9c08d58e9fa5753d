import type { ObservedFacts } from '../facts/facts-schema.js';
import type { Version } from '../release-safety/version.js';
import { appliedNames } from './pending.js';
import { listsMigrations, migrationsOf, type ReleaseLine } from './release-line.js';

/**
 * The newest migration in the running release, by the rows of the ledger and by artifacts; undefined if they leave it
 * open. Rows that were seen at an earlier release say nothing of a later one. So they must contain the newest core
 * migrations up to the running release, and every release after those must list its migrations.
 *
 * @param from the running release
 */
export function newestMigrationOf(
  { before }: Pick<ReleaseLine, 'before'>,
  { ledger }: ObservedFacts,
  from: Version,
): string | undefined {
  if (ledger?.status !== 'seen' || before.at(-1)?.version !== from) return undefined;
  const begin = before.findLastIndex((release) =>
    migrationsOf(release).some(({ edition }) => edition === 'core'),
  );
  const known = begin === -1 ? [] : before.slice(begin);
  const follows = known.every(
    ({ artifact }, i) => i === 0 || artifact?.previousVersion === known[i - 1]?.version,
  );
  if (known.length === 0 || !follows || !known.every(listsMigrations)) return undefined;

  const applied = appliedNames(ledger.value);
  const migrations = known.flatMap(migrationsOf);
  if (migrations.some(({ name, edition }) => edition === 'core' && !applied.has(name))) return undefined;
  return [...applied, ...migrations.map(({ name }) => name)].reduce((a, b) => (b > a ? b : a));
}
