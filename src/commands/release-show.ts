import type { Fact } from '../answer/answer.js';
import { renderFacts } from '../answer/formats/text.js';
import { type ResultOf, renderDocument } from '../answer/json/document.js';
import { openArtifactSource } from '../app/sources/read-artifacts.js';
import { readRecords } from '../app/sources/read-index.js';
import type { ApiSurface, ConfigChange, ReleaseArtifact } from '../core/artifact/artifact.js';
import { type ArtifactFault, strategyContradictsVerdict } from '../core/artifact/reconcile.js';
import { LightspanError } from '../core/lightspan-error.js';
import { strategyFor } from '../core/span.js';
import { compact } from '../core/text/compact.js';
import { defineCommand } from '../door/declare.js';
import { endings, exitCodes } from '../door/exit-codes.js';
import { artifacts, issueSources, sourcesOf, sourcesOfAnyAge } from '../door/options/evidence-options.js';
import { colour, json } from '../door/options/options.js';
import { readVersion } from '../door/readers.js';
import { writeResult } from '../door/write-answer.js';
import { loadArtifact } from '../gather/publisher/artifacts.js';
import { timeForRecords } from '../known-issues/built-in.js';
import { isAboutRelease } from '../known-issues/known-issues.js';
import type { KnownIssue } from '../known-issues/records.js';
import { describeCondition } from '../words/evidence/known-issues.js';
import {
  advisoriesMeaning,
  describeAdvisory,
  describeBreak,
  describeMigration,
  describeNetChange,
} from '../words/evidence/release.js';
import { countOf } from '../words/phrase.js';

/** Its JSON. */
export const resultSchema = async () => {
  const z = await import('zod/mini');
  const { artifactSchema } = await import('../core/artifact/artifact.js');
  const { recordSchema } = await import('../known-issues/records.js');
  return z.strictObject({
    schemaVersion: z.literal('1'),
    source: z.string(),
    recommendationContradictsVerdict: z.boolean(),
    knownIssues: z
      .array(recordSchema)
      .check(z.describe('Those about the release, whatever their conditions.')),
    artifact: artifactSchema,
  });
};

type ReleaseShowResult = ResultOf<typeof resultSchema>;

export const command = defineCommand({
  takes: {
    version: { flags: '<version>', description: 'the release', read: readVersion('the release') },
    ...artifacts,
    ...issueSources,
    ...sourcesOfAnyAge,
    ...json,
    ...colour,
  },
  exitCodes: {
    0: 'the release is shown, whatever its verdict',
    3: `no artifact is available, or ${endings.noRecords}`,
    4: 'the artifact or known issues cannot be trusted',
  },
  examples: [
    'lightspan release show 2.134.2',
    'lightspan release show 2.134.2 --artifact-url ./mirror --json',
  ],
  run: async (options, context) => {
    const { version } = options;
    const { index: place, network, records, artifacts: named } = sourcesOf(options, context.env);
    const artifacts = await openArtifactSource(named, place, network, context);
    const source = artifacts.locate(version);
    const loaded = await loadArtifact(version, artifacts);
    if (loaded.kind !== 'artifact') throw noArtifact(version, loaded);
    const { artifact } = loaded;
    if (artifact.version !== version) {
      throw new LightspanError('invalid-artifact', `${source} is the artifact of ${artifact.version}`);
    }
    const { issues } = await readRecords(records, place, network, context);
    const now = timeForRecords(context.now());
    const knownIssues = issues.filter((record) => isAboutRelease(record, version, now));
    const recommendationContradictsVerdict = strategyContradictsVerdict(artifact);
    const result = { source, recommendationContradictsVerdict, knownIssues, artifact };
    await writeResult(options, context, {
      json: () => renderDocument<ReleaseShowResult>(result),
      text: ({ palette }) => renderFacts(factsOfRelease(artifact, result), { palette }),
    });
    return exitCodes.yes;
  },
});

function noArtifact(version: string, { kind, message }: ArtifactFault): Error {
  if (kind === 'invalid-artifact') {
    return new LightspanError(kind, `the artifact of ${version} cannot be trusted: ${message}`);
  }
  const isMissing = kind === 'missing-artifact';
  return new LightspanError(
    'unreadable-source',
    isMissing
      ? `${version} has no artifact: ${message}`
      : `the artifact of ${version} is unavailable: ${message}`,
    {
      hint: isMissing
        ? 'Backfilled releases have none, nor do versions that were never released.'
        : 'Set HTTPS_PROXY if this network uses a proxy. Without a network: --artifact-url <folder>, which lightspan ' +
          'index mirror wrote on a machine with one.',
    },
  );
}

/**
 * One release according to its artifact, for a person.
 *
 * @param knownIssues those about the release, whatever their conditions
 */
export function factsOfRelease(
  artifact: ReleaseArtifact,
  { source, knownIssues }: { readonly source: string; readonly knownIssues: readonly KnownIssue[] },
): Fact[] {
  const { version, previousVersion, upgrade, api, declaredAdvisories, compatibility } = artifact;
  const { rollingUpdateSafe: verdict, recommendedStrategy } = compatibility;
  return compact<Fact>(
    { label: 'Release', text: version },
    { label: 'Previous version', text: previousVersion ?? 'none' },
    reported('Released', artifact.releaseDate, (text) => ({ text })),
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
    reported('Migrations', artifact.migrations, ({ present, count, coreCount, eeCount, files }) =>
      count === 0
        ? { text: present === 'unknown' ? 'unknown' : 'none' }
        : {
            text: `${count} (${coreCount} core, ${eeCount} enterprise)`,
            items: files.map(describeMigration),
          },
    ),
    reported('REST API', api?.rest, describeSurface),
    reported('MCP tools', api?.mcp, describeSurface),
    reported('Environment variables', artifact.config, (config) => ({
      text: `${breakingOf(config)}, ${countOf(config.changes.length, 'change')}`,
      items: config.changes.map(describeChange),
    })),
    reported('Declared breaks', artifact.declaredBreaks, (breaks) => listed(breaks.map(describeBreak))),
    // Older artifacts have no such section, so it is not shown as not reported.
    declaredAdvisories !== undefined && {
      label: `Declared advisories (${advisoriesMeaning})`,
      ...listed(declaredAdvisories.map(describeAdvisory)),
    },
    { label: 'Known issues', ...listed(knownIssues.map(describeKnownIssue)) },
    { label: 'Source', text: source },
  );
}

type Section = Omit<Fact, 'label'>;

function reported<T>(label: string, section: T | undefined, describe: (section: T) => Section): Fact {
  return { label, ...(section === undefined ? { text: 'not reported' } : describe(section)) };
}

function listed(items: readonly string[]): Section {
  return { text: String(items.length || 'none'), items };
}

function describeKnownIssue({ id, summary, conditions, remedy }: KnownIssue): string {
  const only = conditions.length === 0 ? '' : ` If: ${conditions.map(describeCondition).join(', ')}.`;
  return `${id}: ${summary}${only} To do: ${remedy}`;
}

function breakingOf({ checked, breaking }: Pick<ApiSurface, 'checked' | 'breaking'>): string {
  return `${checked ? '' : 'not checked, '}breaking ${breaking}`;
}

function describeSurface(surface: ApiSurface): Section {
  const { breakingCount, changes, advisoryCount, advisories } = surface;
  return {
    text:
      `${breakingOf(surface)}, ${countOf(breakingCount, 'breaking change')}, ` +
      `${countOf(advisoryCount, 'advisory', 'advisories')}`,
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
  return (
    `${described} (its default was ` +
    `${change.previousDefault === null ? 'none' : JSON.stringify(change.previousDefault)})`
  );
}
