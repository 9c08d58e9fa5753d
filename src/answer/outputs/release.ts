import type { KnownIssue } from '../../known-issues/records.js';
import type { ApiSurface, ConfigChange, ReleaseArtifact } from '../../release-safety/artifact.js';
import { strategyContradictsVerdict } from '../../release-safety/reconcile.js';
import { strategyFor } from '../../release-safety/span.js';
import { compact } from '../../shared/compact.js';
import { describeCondition } from '../../words/known-issue-records.js';
import { countOf } from '../../words/phrase.js';
import {
  advisoriesMeaning,
  describeAdvisory,
  describeBreak,
  describeMigration,
  describeNetChange,
} from '../../words/release.js';
import type { Fact } from '../answer.js';

const notReported = 'not reported';

/**
 * One release according to its artifact, for a person. A missing section is shown as not reported.
 *
 * @param knownIssues those about the release, whatever their conditions
 */
export function factsOfRelease(
  artifact: ReleaseArtifact,
  { source, knownIssues }: { readonly source: string; readonly knownIssues: readonly KnownIssue[] },
): Fact[] {
  const { version, previousVersion, releaseDate, upgrade, migrations, api, config } = artifact;
  const { declaredBreaks, declaredAdvisories, compatibility } = artifact;
  const { rollingUpdateSafe: verdict, recommendedStrategy } = compatibility;
  return compact<Fact>(
    { label: 'Release', text: version },
    { label: 'Previous version', text: previousVersion ?? 'none' },
    { label: 'Released', text: releaseDate ?? notReported },
    {
      label: 'Rolling update',
      text: `${verdict} (strategy ${strategyFor(verdict)})`,
      tone: verdict === true ? 'good' : verdict === false ? 'bad' : 'warn',
      items: compact(
        strategyContradictsVerdict(artifact) &&
          `the artifact nevertheless recommends ${recommendedStrategy}; the verdict counts`,
      ),
    },
    { label: 'Minimum previous version', text: upgrade.minPreviousVersion ?? 'none' },
    { label: 'Required stops', text: upgrade.requiredStops.join(', ') || 'none' },
    migrations === undefined ? { label: 'Migrations', text: notReported } : factOfMigrations(migrations),
    factOfSurface('REST API', api?.rest),
    factOfSurface('MCP tools', api?.mcp),
    config === undefined
      ? { label: 'Environment variables', text: notReported }
      : {
          label: 'Environment variables',
          text: `${breakingOf(config)}, ${countOf(config.changes.length, 'change')}`,
          items: config.changes.map(describeChange),
        },
    listed('Declared breaks', declaredBreaks?.map(describeBreak)),
    // Older artifacts have no such section, so it is not shown as not reported.
    declaredAdvisories !== undefined &&
      listed(`Declared advisories (${advisoriesMeaning})`, declaredAdvisories.map(describeAdvisory)),
    listed('Known issues', knownIssues.map(describeKnownIssue)),
    { label: 'Source', text: source },
  );
}

function listed(label: string, items: readonly string[] | undefined): Fact {
  if (items === undefined) return { label, text: notReported };
  return { label, text: String(items.length || 'none'), items };
}

function describeKnownIssue({ id, summary, conditions, remedy }: KnownIssue): string {
  const only = conditions.length === 0 ? '' : ` If: ${conditions.map(describeCondition).join(', ')}.`;
  return `${id}: ${summary}${only} To do: ${remedy}`;
}

function factOfMigrations(migrations: NonNullable<ReleaseArtifact['migrations']>): Fact {
  const { present, count, coreCount, eeCount, files } = migrations;
  const none = present === 'unknown' ? 'unknown' : 'none';
  const text = count === 0 ? none : `${count} (${coreCount} core, ${eeCount} enterprise)`;
  return { label: 'Migrations', text, items: count === 0 ? [] : files.map(describeMigration) };
}

function breakingOf({ checked, breaking }: Pick<ApiSurface, 'checked' | 'breaking'>): string {
  return `${checked ? '' : 'not checked, '}breaking ${breaking}`;
}

function factOfSurface(label: string, surface: ApiSurface | undefined): Fact {
  if (surface === undefined) return { label, text: notReported };
  const { breakingCount, changes, advisoryCount, advisories } = surface;
  return {
    label,
    text: `${breakingOf(surface)}, ${countOf(breakingCount, 'breaking change')}, ${countOf(advisoryCount, 'advisory', 'advisories')}`,
    items: [...changes, ...advisories.map((advisory) => `advisory: ${advisory}`)],
  };
}

function describeChange(change: ConfigChange): string {
  if (change.type === 'unrecognised') {
    return `a change of a kind newer than this lightspan: ${JSON.stringify(change.change)}`;
  }
  const formerNames = [change.type === 'renamed' ? change.previousName : change.name];
  const described = describeNetChange({ ...change, formerNames });
  if (change.type !== 'removed' || change.previousDefault === undefined) return described;
  return `${described} (its default was ${change.previousDefault === null ? 'none' : JSON.stringify(change.previousDefault)})`;
}
