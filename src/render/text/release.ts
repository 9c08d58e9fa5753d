import type { KnownIssue } from '../../known-issues/records.js';
import type {
  ApiSurface,
  ConfigChange,
  MigrationFile,
  ReleaseArtifact,
} from '../../release-safety/artifact.js';
import type { Verdict } from '../../release-safety/field-schemas.js';
import { strategyContradictsVerdict } from '../../release-safety/reconcile.js';
import { strategyFor } from '../../release-safety/span.js';
import type { Palette } from '../palette.js';
import { countOf } from '../phrase.js';
import { printable } from '../printable.js';
import { describeCondition } from '../words/known-issue-records.js';
import { advisoriesMeaning, describeAdvisory, describeBreak, effectsOf } from '../words/release.js';

export interface ReleaseView {
  readonly source: string;
  /** Those about the release, whatever their conditions. */
  readonly knownIssues: readonly KnownIssue[];
  readonly palette: Palette;
}

/** One release according to its artifact, for a person. A missing section is shown as not reported. */
export function renderReleaseText(
  artifact: ReleaseArtifact,
  { source, knownIssues, palette }: ReleaseView,
): string {
  const { version, previousVersion, releaseDate, upgrade, migrations, api, config, declaredBreaks } =
    artifact;
  const { declaredAdvisories } = artifact;
  const lines = [
    palette.bold(`Release ${version}`),
    `Previous version: ${previousVersion ?? 'none'}`,
    `Released: ${releaseDate ?? notReported}`,
    ...describeVerdict(artifact, palette),
    `Minimum previous version: ${upgrade.minPreviousVersion ?? 'none'}`,
    `Required stops: ${upgrade.requiredStops.length === 0 ? 'none' : upgrade.requiredStops.join(', ')}`,
    '',
    ...(migrations === undefined ? [`Migrations: ${notReported}`] : describeMigrations(migrations, palette)),
    ...describeSurface('REST API', api?.rest),
    ...describeSurface('MCP tools', api?.mcp),
    ...(config === undefined ? [`Environment variables: ${notReported}`] : describeConfig(config)),
    ...list('Declared breaks', declaredBreaks?.map(describeBreak)),
    // Older artifacts have no such section, so it is not shown as not reported.
    ...(declaredAdvisories === undefined
      ? []
      : list(`Declared advisories (${advisoriesMeaning})`, declaredAdvisories.map(describeAdvisory))),
    `Known issues: ${knownIssues.length === 0 ? 'none' : palette.bad(String(knownIssues.length))}`,
    ...knownIssues.flatMap((issue) => describeKnownIssue(issue, palette)),
    '',
    `Source: ${printable(source)}`,
  ];
  return lines.map((line) => `${line}\n`).join('');
}

const notReported = 'not reported';

function describeKnownIssue(
  { id, summary, conditions, remedy }: KnownIssue,
  palette: Palette,
): readonly string[] {
  return [
    `  - ${palette.bold(id)}: ${printable(summary)}`,
    ...(conditions.length === 0
      ? []
      : [`    If: ${printable(conditions.map(describeCondition).join(', '))}`]),
    `    To do: ${printable(remedy)}`,
  ];
}

function describeVerdict(artifact: ReleaseArtifact, palette: Palette): string[] {
  const { rollingUpdateSafe, recommendedStrategy } = artifact.compatibility;
  const lines = [
    `Rolling update: ${paintVerdict(rollingUpdateSafe, palette)} (strategy ${strategyFor(rollingUpdateSafe)})`,
  ];
  if (strategyContradictsVerdict(artifact)) {
    lines.push(
      palette.bad(
        `  - the artifact nevertheless recommends ${printable(recommendedStrategy ?? '')}; the verdict counts`,
      ),
    );
  }
  return lines;
}

const verdictColours = { true: 'good', false: 'bad', unknown: 'warn' } as const;

function paintVerdict(verdict: Verdict, palette: Palette): string {
  return palette[verdictColours[`${verdict}`]](String(verdict));
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
  const does = effectsOf(file, true);
  const may = effectsOf(file, 'unknown');
  const words = [
    ...(does.length === 0 ? [] : [palette.bad(does.join(', '))]),
    ...(may.length === 0 ? [] : [palette.warn(`may: ${may.join(', ')}`)]),
  ];
  const on = tables.length === 0 ? 'no table named' : printable(tables.join(', '));
  return `  - ${printable(name)} (${edition}) on ${on}: ${words.length === 0 ? 'light' : words.join('; ')}`;
}

function describeSurface(name: string, surface: ApiSurface | undefined): string[] {
  if (surface === undefined) return [`${name}: ${notReported}`];
  const { checked, breaking, breakingCount, changes, advisoryCount, advisories } = surface;
  const verdict = checked ? `breaking ${breaking}` : `not checked, breaking ${breaking}`;
  return [
    `${name}: ${verdict}, ${countOf(breakingCount, 'breaking change')}, ${countOf(advisoryCount, 'advisory', 'advisories')}`,
    ...changes.map((change) => `  - ${printable(change)}`),
    ...advisories.map((advisory) => `  - advisory: ${printable(advisory)}`),
  ];
}

function describeConfig({ checked, breaking, changes }: NonNullable<ReleaseArtifact['config']>): string[] {
  const verdict = checked ? `breaking ${breaking}` : `not checked, breaking ${breaking}`;
  return [
    `Environment variables: ${verdict}, ${countOf(changes.length, 'change')}`,
    ...changes.map((change) => `  - ${printable(describeChange(change))}`),
  ];
}

function describeChange(change: ConfigChange): string {
  switch (change.type) {
    case 'removed':
      return `${change.name} removed${was(change.previousDefault)}`;
    case 'renamed':
      return `${change.previousName} renamed to ${change.name}${change.defaultValue === undefined ? '' : ` (default ${show(change.defaultValue)})`}`;
    case 'defaultChanged':
      return `${change.name} has another default: ${show(change.defaultValue)}${was(change.previousDefault)}`;
    case 'unrecognised':
      return `a change of a kind newer than this lightspan: ${JSON.stringify(change.change)}`;
  }
}

function was(previousDefault: Parameters<typeof show>[0]): string {
  return previousDefault === undefined ? '' : ` (its default was ${show(previousDefault)})`;
}

function show(value: string | number | boolean | null | undefined): string {
  return value === undefined || value === null ? 'none' : JSON.stringify(value);
}

function list(name: string, items: readonly string[] | undefined): string[] {
  if (items === undefined) return [`${name}: ${notReported}`];
  if (items.length === 0) return [`${name}: none`];
  return [`${name}: ${items.length}`, ...items.map((item) => `  - ${printable(item)}`)];
}
