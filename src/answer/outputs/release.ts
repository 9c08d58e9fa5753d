import type { KnownIssue } from '../../known-issues/records.js';
import type {
  ApiSurface,
  ConfigChange,
  MigrationFile,
  ReleaseArtifact,
} from '../../release-safety/artifact.js';
import { strategyContradictsVerdict } from '../../release-safety/reconcile.js';
import { strategyFor } from '../../release-safety/span.js';
import { compact } from '../../shared/compact.js';
import { describeCondition } from '../../words/known-issue-records.js';
import { countOf } from '../../words/phrase.js';
import { printable } from '../../words/printable.js';
import { advisoriesMeaning, describeAdvisory, describeBreak, effectsOf } from '../../words/release.js';
import type { Palette } from '../palette.js';

/** One release according to its artifact, for a person. A missing section is shown as not reported. */
export function renderReleaseText(
  artifact: ReleaseArtifact,
  {
    source,
    knownIssues,
    palette,
  }: {
    readonly source: string;
    /** Those about the release, whatever their conditions. */
    readonly knownIssues: readonly KnownIssue[];
    readonly palette: Palette;
  },
): string {
  const { version, previousVersion, releaseDate, upgrade, migrations, api, config } = artifact;
  const { declaredBreaks, declaredAdvisories, compatibility } = artifact;
  const { rollingUpdateSafe: verdict, recommendedStrategy } = compatibility;
  const paint = palette[verdict === true ? 'good' : verdict === false ? 'bad' : 'warn'];
  const lines = compact(
    palette.bold(`Release ${version}`),
    `Previous version: ${previousVersion ?? 'none'}`,
    `Released: ${releaseDate ?? notReported}`,
    `Rolling update: ${paint(String(verdict))} (strategy ${strategyFor(verdict)})`,
    strategyContradictsVerdict(artifact) &&
      palette.bad(
        `  - the artifact nevertheless recommends ${printable(recommendedStrategy ?? '')}; the verdict counts`,
      ),
    `Minimum previous version: ${upgrade.minPreviousVersion ?? 'none'}`,
    `Required stops: ${upgrade.requiredStops.join(', ') || 'none'}`,
    '',
    migrations === undefined ? `Migrations: ${notReported}` : describeMigrations(migrations, palette),
    describeSurface('REST API', api?.rest),
    describeSurface('MCP tools', api?.mcp),
    config === undefined
      ? `Environment variables: ${notReported}`
      : [
          `Environment variables: ${breakingOf(config)}, ${countOf(config.changes.length, 'change')}`,
          items(config.changes.map(describeChange)),
        ],
    listed('Declared breaks', declaredBreaks?.map(describeBreak)),
    // Older artifacts have no such section, so it is not shown as not reported.
    declaredAdvisories !== undefined &&
      listed(`Declared advisories (${advisoriesMeaning})`, declaredAdvisories.map(describeAdvisory)),
    `Known issues: ${knownIssues.length === 0 ? 'none' : palette.bad(String(knownIssues.length))}`,
    knownIssues.map(({ id, summary, conditions, remedy }) => [
      `  - ${palette.bold(id)}: ${printable(summary)}`,
      conditions.length > 0 && `    If: ${printable(conditions.map(describeCondition).join(', '))}`,
      `    To do: ${printable(remedy)}`,
    ]),
    '',
    `Source: ${printable(source)}`,
  );
  return lines.map((line) => `${line}\n`).join('');
}

const notReported = 'not reported';

function items(texts: readonly string[]): string[] {
  return texts.map((text) => `  - ${printable(text)}`);
}

function listed(name: string, texts: readonly string[] | undefined): string[] {
  return [`${name}: ${texts === undefined ? notReported : texts.length || 'none'}`, ...items(texts ?? [])];
}

function describeMigrations(
  { present, count, coreCount, eeCount, files }: NonNullable<ReleaseArtifact['migrations']>,
  palette: Palette,
): string[] {
  if (count === 0) return [`Migrations: ${present === 'unknown' ? 'unknown' : 'none'}`];
  return [
    `Migrations: ${count} (${coreCount} core, ${eeCount} enterprise)`,
    ...files.map((file) => describeMigration(file, palette)),
  ];
}

function describeMigration(file: MigrationFile, palette: Palette): string {
  const { name, edition, tables } = file;
  const does = effectsOf(file, true).join(', ');
  const may = effectsOf(file, 'unknown').join(', ');
  const words = compact(does !== '' && palette.bad(does), may !== '' && palette.warn(`may: ${may}`));
  const on = printable(tables.join(', ')) || 'no table named';
  return `  - ${printable(name)} (${edition}) on ${on}: ${words.join('; ') || 'light'}`;
}

function breakingOf({ checked, breaking }: Pick<ApiSurface, 'checked' | 'breaking'>): string {
  return `${checked ? '' : 'not checked, '}breaking ${breaking}`;
}

function describeSurface(name: string, surface: ApiSurface | undefined): string[] {
  if (surface === undefined) return [`${name}: ${notReported}`];
  const { breakingCount, changes, advisoryCount, advisories } = surface;
  return [
    `${name}: ${breakingOf(surface)}, ${countOf(breakingCount, 'breaking change')}, ${countOf(advisoryCount, 'advisory', 'advisories')}`,
    ...items([...changes, ...advisories.map((advisory) => `advisory: ${advisory}`)]),
  ];
}

function describeChange(change: ConfigChange): string {
  switch (change.type) {
    case 'removed':
      return `${change.name} removed${formerDefault(change.previousDefault)}`;
    case 'renamed':
      return `${change.previousName} renamed to ${change.name}${change.defaultValue === undefined ? '' : ` (default ${show(change.defaultValue)})`}`;
    case 'defaultChanged':
      return `${change.name} has another default: ${show(change.defaultValue)}${formerDefault(change.previousDefault)}`;
    case 'unrecognised':
      return `a change of a kind newer than this lightspan: ${JSON.stringify(change.change)}`;
  }
}

function formerDefault(value: Parameters<typeof show>[0]): string {
  return value === undefined ? '' : ` (its default was ${show(value)})`;
}

function show(value: string | number | boolean | null | undefined): string {
  return value === undefined || value === null ? 'none' : JSON.stringify(value);
}
