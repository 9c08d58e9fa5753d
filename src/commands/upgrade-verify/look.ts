import { isDeepStrictEqual } from 'node:util';
import { LightspanError } from '../../errors.js';
import { differencesOf } from '../../facts/differences.js';
import type { FactsFile } from '../../facts/facts-schema.js';
import { seenValue } from '../../facts/seen-value.js';
import { knownEdition } from '../../preflight/known-edition.js';
import type { ReleaseLine } from '../../preflight/release-line.js';
import { runChecks } from '../../preflight/run-checks.js';
import type { Version } from '../../release-safety/version.js';
import type { UsedFacts } from '../../render/preflight/document.js';
import { asksWhy, judgeChanges, migrationsRun, type TablesOfMigration } from '../../verify/changes.js';
import { verifyChecks } from '../../verify/checks.js';
import type { VerifyFinding } from '../../verify/finding.js';
import { groupsWithFacts } from '../../verify/groups.js';
import { withStatedMigrations } from '../../verify/stated-migrations.js';
import { type CommandContext, mapOutput } from '../context.js';
import { type ReadFacts, readFactsFile } from '../facts-file.js';
import { openArtifacts } from '../read-artifacts.js';
import { readIndex } from '../read-index.js';
import { findTables, loadLine } from '../release-line.js';
import type { ArtifactOptions, SourceOptions } from '../shared-options.js';
import type { DeploymentOptions } from '../upgrade-preflight/deployment-options.js';
import { type FactsOptions, readFacts, requireOneSource } from '../upgrade-preflight/facts.js';

export type LookOptions = FactsOptions &
  DeploymentOptions &
  SourceOptions &
  ArtifactOptions & {
    /** A facts file from before the upgrade. */
    readonly before?: string;
  };

/** What was found besides readiness. */
export interface Looked {
  readonly facts: UsedFacts;
  /** The facts from before the upgrade, if given. */
  readonly before: UsedFacts | null;
  readonly findings: readonly VerifyFinding[];
}

export interface Look {
  /** Runs the checks, as after an upgrade to the release that is served. */
  readonly at: (served: Version) => Promise<Looked>;
  /** Whether a later call may see something else; facts in files do not change. */
  readonly isLive: boolean;
}

/**
 * Collects and checks the facts of an instance, as often as needed.
 *
 * @throws {LightspanError} `usage`; if index or files are unavailable
 */
export async function openLook(options: LookOptions, context: CommandContext): Promise<Look> {
  requireOneSource(options);
  const published = await openPublished(options, context);
  const quiet = sayingOnce(context);
  const isLive = (options.database !== undefined || options.kubernetes === true) && !readsStdin(options);
  const kept = isLive ? undefined : await readFacts(options, context);
  const before =
    options.before === undefined
      ? undefined
      : await readFactsFile(options.before, { maxAge: Number.POSITIVE_INFINITY }, context);

  let cluster: Pick<LookOptions, 'context' | 'namespace'> = {};
  const at = async (served: Version): Promise<Looked> => {
    const { file, source, ageMs } =
      kept ?? (await readFacts({ ...options, ...cluster, measure: false }, quiet));
    if (options.kubernetes === true) cluster = clusterOf(file);
    const facts = withStatedMigrations(file.facts);
    const groups = groupsWithFacts(facts);
    const asked = verifyChecks.filter(({ group }) => groups.includes(group));
    const { findings } = runChecks(asked, {
      from: served,
      to: served,
      line: await published.lineAt(served),
      issues: undefined,
      diskFree: undefined,
      edition: knownEdition(facts),
      facts,
    });
    const changes = before === undefined ? [] : await compare(before, file, served, published);
    return {
      facts: { source, collectedAt: file.collectedAt, ageMs },
      before: before === undefined ? null : { ...before, collectedAt: before.file.collectedAt },
      findings: [...findings, ...changes],
    };
  };
  return { at, isLive };
}

/** The cluster that was read first: later reads use the same one, even if the current context has changed. */
function clusterOf({ facts }: FactsFile): Pick<LookOptions, 'context' | 'namespace'> {
  const { context, namespace } = seenValue(facts.deployment) ?? {};
  return {
    ...(typeof context === 'string' ? { context } : {}),
    ...(typeof namespace === 'string' ? { namespace } : {}),
  };
}

/** A context that shows each notice only the first time. */
function sayingOnce(context: CommandContext): CommandContext {
  const said = new Set<string>();
  return {
    ...context,
    stderr: mapOutput(context.stderr, (text) => {
      if (said.has(text)) return '';
      said.add(text);
      return text;
    }),
  };
}

function readsStdin({ facts, manifests = [], values = [] }: LookOptions): boolean {
  return [facts, ...manifests, ...values].includes('-');
}

/** What the publisher says of the releases up to one. */
interface Published {
  readonly lineAt: (served: Version) => Promise<ReleaseLine>;
  /** The tables of migrations by the artifacts up to a release. */
  readonly tablesOf: (names: readonly string[], served: Version) => Promise<TablesOfMigration>;
}

/** Index and artifacts, which are needed only for facts of a database. */
async function openPublished(options: LookOptions, context: CommandContext): Promise<Published> {
  if (options.database === undefined && options.facts === undefined) {
    const line = { earlier: [], before: [], span: [], missingRanges: [], rolling: false, unread: 0 };
    return { lineAt: async () => line, tablesOf: async () => new Map() };
  }
  const { index } = await readIndex(options, context);
  const load = await openArtifacts(options, context);
  const lines = new Map<Version, ReleaseLine>();
  return {
    lineAt: async (served) => {
      const line = lines.get(served) ?? (await loadLine(index, { from: served, to: served }, load));
      lines.set(served, line);
      return line;
    },
    tablesOf: (names, served) => findTables(index, names, served, load),
  };
}

/** The differences from before, and whether what has run since explains them. */
async function compare(
  before: ReadFacts,
  now: FactsFile,
  served: Version,
  { tablesOf }: Published,
): Promise<readonly VerifyFinding[]> {
  if (Date.parse(before.file.collectedAt) > Date.parse(now.collectedAt)) {
    throw new LightspanError(
      'usage',
      `--before: ${before.source} was collected at ${before.file.collectedAt}, after the facts to compare it with (${now.collectedAt})`,
    );
  }
  if (isDeepStrictEqual(before.file, now)) {
    throw new LightspanError(
      'usage',
      `--before: ${before.source}: the facts to compare it with are the same`,
      {
        hint: 'Give --facts what was collected since the deploy, and --before what was collected before it.',
      },
    );
  }
  const differences = differencesOf(before.file.facts, now.facts);
  const tables = differences.some(asksWhy) ? await tablesOf(migrationsRun(differences), served) : new Map();
  return judgeChanges(differences, tables);
}
