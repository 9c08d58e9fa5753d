import { runChecks } from '../checks/run-checks.js';
import type { FactsFile } from '../facts/facts-schema.js';
import { seenValue } from '../facts/needs.js';
import { knownEdition } from '../instance/ledger.js';
import type { ReleaseLine } from '../instance/release-line.js';
import type { Version } from '../release-safety/version.js';
import type { UsedFacts } from '../render/json/documents.js';
import { groupsWithFacts, verifyChecks, withStatedMigrations } from '../verify/checks.js';
import type { VerifyFinding } from '../verify/describe.js';
import { type CommandContext, mapOutput } from './context.js';
import type { DeploymentOptions } from './deployment-options.js';
import { type FactsOptions, readFacts, requireOneSource } from './instance-facts.js';
import type { ArtifactOptions, SourceOptions } from './options.js';
import { openArtifacts } from './read-artifacts.js';
import { readIndex } from './read-index.js';
import { loadLine } from './release-line.js';

export type LookOptions = FactsOptions & DeploymentOptions & SourceOptions & ArtifactOptions;

/** What was found besides readiness. */
export interface Looked {
  readonly facts: UsedFacts;
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
  const lineAt = await openLine(options, context);
  const quiet = sayingOnce(context);
  const isLive = (options.database !== undefined || options.kubernetes === true) && !readsStdin(options);
  const kept = isLive ? undefined : await readFacts(options, context);

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
      line: await lineAt(served),
      issues: undefined,
      diskFree: undefined,
      edition: knownEdition(facts),
      facts,
    });
    return { facts: { source, collectedAt: file.collectedAt, ageMs }, findings };
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

/** The releases up to the one that is served, by index and artifacts, which only facts of a database need. */
async function openLine(
  options: LookOptions,
  context: CommandContext,
): Promise<(served: Version) => Promise<ReleaseLine>> {
  if (options.database === undefined && options.facts === undefined) {
    const line = { earlier: [], before: [], span: [], missingRanges: [], rolling: false, unread: 0 };
    return async () => line;
  }
  const { index } = await readIndex(options, context);
  const load = await openArtifacts(options, context);
  const lines = new Map<Version, ReleaseLine>();
  return async (served) => {
    const line = lines.get(served) ?? (await loadLine(index, { from: served, to: served }, load));
    lines.set(served, line);
    return line;
  };
}
