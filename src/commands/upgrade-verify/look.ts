import { LightspanError } from '../../errors.js';
import { differencesOf } from '../../facts/differences.js';
import type { FactsFile } from '../../facts/facts-schema.js';
import { layLine, migrationsOf } from '../../preflight/release-line.js';
import { runChecks } from '../../preflight/run-checks.js';
import { statedEdition } from '../../preflight/stated-edition.js';
import type { ReleaseSafetyIndex } from '../../release-safety/parse-index.js';
import type { ArtifactOutcome } from '../../release-safety/reconcile.js';
import { compareVersions, type Version } from '../../release-safety/version.js';
import type { UsedFacts } from '../../render/verify/document.js';
import { asksWhy, judgeChanges, migrationsRun, type TablesOfMigration } from '../../verify/changes.js';
import { verifyChecks } from '../../verify/checks.js';
import type { VerifyFinding } from '../../verify/finding.js';
import type { CommandContext } from '../context.js';
import { type ReadFacts, readFactsFile } from '../facts-file.js';
import { openArtifactSource, withProgress } from '../read-artifacts.js';
import { readIndex } from '../read-index.js';
import { loadLine } from '../release-line.js';
import type { ArtifactOptions, SourceOptions } from '../shared-options.js';
import { type FactsOptions, readFacts, requireOneSource } from '../upgrade-preflight/facts.js';

export type LookOptions = FactsOptions &
  SourceOptions &
  ArtifactOptions & {
    /** A facts file that was taken before the upgrade. */
    readonly before?: string;
  };

/** What was found beside readiness. */
export interface Looked {
  readonly facts: UsedFacts;
  /** Those taken before the upgrade, where they were given. */
  readonly before: UsedFacts | null;
  readonly findings: readonly VerifyFinding[];
}

/**
 * What looks at the facts of an instance, as often as it is asked; a file of them is read once.
 *
 * @throws {LightspanError} `usage`; where the index is unavailable
 */
export async function openLook(
  options: LookOptions,
  context: CommandContext,
): Promise<(served: Version) => Promise<Looked>> {
  requireOneSource(options);
  const { index } = await readIndex(options, context);
  const artifacts = await openArtifactSource(options, context);
  const load = (versions: readonly Version[]) =>
    withProgress('Artifacts', context, async (onProgress) => {
      const { loadArtifacts } = await import('../../sources/artifacts.js');
      return await loadArtifacts(versions, artifacts, { onProgress });
    });
  const kept = options.facts === undefined ? undefined : await readFacts(options, context);
  const before = options.before === undefined ? undefined : await readFactsFile(options.before, {}, context);

  return async (served) => {
    const { file, source, ageMs } = kept ?? (await readFacts({ ...options, measure: false }, context));
    const { facts, collectedAt } = file;
    const span = { from: served, to: served };
    const { findings } = runChecks(verifyChecks, {
      ...span,
      line: await loadLine(index, span, load),
      issues: undefined,
      diskFree: undefined,
      edition: statedEdition(facts),
      facts,
    });
    const changes = before === undefined ? [] : await compare(before, file, index, served, load);
    return {
      facts: { source, collectedAt, ageMs },
      before: before === undefined ? null : { ...before, collectedAt: before.file.collectedAt },
      findings: [...findings, ...changes],
    };
  };
}

/** What differs from before, and whether what has run since explains it. */
async function compare(
  before: ReadFacts,
  now: FactsFile,
  index: ReleaseSafetyIndex,
  served: Version,
  load: Load,
): Promise<readonly VerifyFinding[]> {
  if (Date.parse(before.file.collectedAt) > Date.parse(now.collectedAt)) {
    throw new LightspanError(
      'usage',
      `--before: ${before.source} was collected at ${before.file.collectedAt}, after what it is to be compared with (${now.collectedAt})`,
    );
  }
  const differences = differencesOf(before.file.facts, now.facts);
  const tables = differences.some(asksWhy)
    ? await tablesOf(migrationsRun(differences), index, served, load)
    : new Map();
  return judgeChanges(differences, tables);
}

/** The tables that the artifacts name of migrations, looked for from a release on backwards. */
async function tablesOf(
  names: readonly string[],
  index: ReleaseSafetyIndex,
  served: Version,
  load: Load,
): Promise<TablesOfMigration> {
  const tables = new Map<string, readonly string[]>();
  const releases = index.entries
    .filter(({ version, backfilled }) => !backfilled && compareVersions(version, served) <= 0)
    .map(({ version }) => version)
    .reverse();
  for (let i = 0; i < releases.length && names.some((name) => !tables.has(name)); i += atATime) {
    const versions = releases.slice(i, i + atATime);
    const span = { from: served, to: served };
    const line = layLine(index, span, versions.at(-1) ?? served, await load(versions));
    for (const { name, tables: named } of line.before.flatMap(migrationsOf)) {
      if (!tables.has(name)) tables.set(name, named);
    }
  }
  return tables;
}

/** Artifacts are asked for so many at a time, until each of the migrations was met. */
const atATime = 16;

type Load = (versions: readonly Version[]) => Promise<Map<string, ArtifactOutcome>>;
