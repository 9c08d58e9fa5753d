import type { FactsFile } from '../../facts/facts-schema.js';
import { checks } from '../../preflight/checks.js';
import { decide } from '../../preflight/decision.js';
import type { TimeRange } from '../../preflight/forecast/range.js';
import { knownEdition } from '../../preflight/known-edition.js';
import { newestMigrationOf } from '../../preflight/newest-migration.js';
import { runChecks } from '../../preflight/run-checks.js';
import { noKnownIssues } from '../../release-safety/known-issues.js';
import type { ReleaseSafetyIndex } from '../../release-safety/parse-index.js';
import type { Route } from '../../release-safety/route.js';
import { issuesOf, type Span } from '../../release-safety/span.js';
import type { PreflightOfReport } from '../../render/preflight/document.js';
import type { CommandContext } from '../context.js';
import { type ReadFacts, readFactsFile } from '../facts-file.js';
import type { KnownIssueOptions } from '../known-issue-options.js';
import { timesOfHops } from '../look-at-hops.js';
import type { LoadArtifacts } from '../read-artifacts.js';
import { loadLine } from '../release-line.js';
import type { SourceOptions } from '../shared-options.js';
import { chooseChecks } from '../upgrade-preflight/choose-checks.js';
import { withStated } from '../upgrade-preflight/facts.js';

/** What facts of an instance say about a route. */
export interface SeenOfInstance {
  /** The newest migration in the running release. */
  readonly newestMigration: string | undefined;
  /** How long the migrations of each hop take. */
  readonly timesOf: (route: Pick<Route, 'hops'>) => readonly TimeRange[] | undefined;
  readonly preflight: PreflightOfReport;
}

/**
 * The facts of `--facts`, with what the command line states.
 *
 * @throws the errors of `readFactsFile`
 */
export async function readInstanceFacts(
  source: string,
  options: Pick<KnownIssueOptions, 'fact'> & Pick<SourceOptions, 'maxAge'>,
  context: Pick<CommandContext, 'stdin' | 'stderr' | 'now'>,
): Promise<ReadFacts> {
  const read = await readFactsFile(source, options, context);
  return { ...read, file: withStated(read.file, options.fact ?? new Map()) };
}

/**
 * Undefined if there are no observed facts; then no artifact is loaded.
 *
 * @throws {LightspanError} `usage` for an unknown check
 */
export async function lookAtInstance(
  { file, source, ageMs }: ReadFacts,
  index: ReleaseSafetyIndex,
  span: Span,
  load: LoadArtifacts,
  { diskFree, only }: { readonly diskFree?: number; readonly only?: readonly string[] },
): Promise<SeenOfInstance | undefined> {
  if (!isObserved(file)) return undefined;
  const { facts, collectedAt } = file;
  const line = await loadLine(index, span, load, facts.ledger);
  const issues = index.knownIssues === noKnownIssues ? undefined : issuesOf(index, span);
  const known = { line, edition: knownEdition(facts), facts };
  const input = { ...span, ...known, issues, diskFree };
  const result = runChecks(checks, input, only && chooseChecks(only));
  return {
    newestMigration: newestMigrationOf(line, facts, span.from),
    timesOf: (route) => timesOfHops(route, known),
    preflight: { result, decision: decide(result, 'stop'), facts: { source, collectedAt, ageMs } },
  };
}

/** Whether it contains more than what a person states. */
function isObserved({ facts }: FactsFile): boolean {
  return Object.values(facts).some((fact) => fact !== undefined && fact.source !== 'stated');
}
