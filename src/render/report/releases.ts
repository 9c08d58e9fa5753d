import { isUnread } from '../../release-safety/reconcile.js';
import type { ReportedRelease, UpgradeReport } from '../../release-safety/report.js';
import type { SpanMigration } from '../../release-safety/span-migrations.js';
import { describeDispute, noneWasPublished } from '../words/disagreements.js';
import { describeBreak, effectsOf } from '../words/release.js';
import { type Column, lineOf } from './section.js';

/**
 * Why a release is not proven, as far as index and artifact show it. A declared break is shown for a proven release,
 * too. If no artifact was read, that is not repeated for each release.
 */
export function describeWhy(
  release: ReportedRelease,
  { artifacts }: Pick<UpgradeReport, 'artifacts'>,
): string[] {
  const breaks = release.declaredBreaks.map((declared) => `declared break: ${describeBreak(declared)}`);
  if (release.standing === 'proven') return breaks;
  const notReported =
    release.standing === 'unsafe' && release.artifact === 'backfilled'
      ? [`what it breaks is not known: ${noneWasPublished}`]
      : [];
  return [
    ...notReported,
    ...breaks,
    ...release.migrations.map(
      (migration) => `migration ${lineOf(migrationColumns, migrationCells(migration))}`,
    ),
    ...release.disagreements.filter((one) => artifacts.read > 0 || !isUnread(one)).map(describeDispute),
  ];
}

/** What is shown of a migration: its cells in a table, and how they are joined in a line. */
export const migrationColumns: readonly Column[] = [
  { title: 'Migration' },
  { title: 'Edition', around: [' (', ')'] },
  { title: 'Tables', around: [' on '] },
  { title: 'What it does', around: [': '] },
];

export function migrationCells(migration: SpanMigration) {
  const { name, edition, tables } = migration;
  const does = [
    ...effectsOf(migration, true),
    ...effectsOf(migration, 'unknown').map((effect) => `may ${effect.slice(0, -1)}`),
  ];
  return [
    name,
    edition,
    tables.length === 0 ? 'no table named' : tables.join(', '),
    does.length === 0 ? 'light' : does.join(', '),
  ] as const;
}
