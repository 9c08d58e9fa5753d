import type { ObservedFacts } from '../facts/facts-schema.js';
import type { Version } from '../release-safety/version.js';
import { appliedNames } from './pending.js';
import { migrationsOf, type ReleaseLine, tellsMigrations } from './release-line.js';

/**
 * The newest migration that the release which runs holds, by the rows of the ledger and by artifacts; undefined where
 * they leave it open. Rows that were seen at an earlier release tell of no later one: they must hold the newest core
 * migrations up to the release that runs, and no release behind those may leave open what it brings.
 *
 * @param from the release that runs
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
  if (known.length === 0 || !follows || !known.every(tellsMigrations)) return undefined;

  const applied = appliedNames(ledger.value);
  const migrations = known.flatMap(migrationsOf);
  if (migrations.some(({ name, edition }) => edition === 'core' && !applied.has(name))) return undefined;
  return [...applied, ...migrations.map(({ name }) => name)].reduce((a, b) => (b > a ? b : a));
}
