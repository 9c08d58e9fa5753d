import type { ObservedFacts } from '../facts/facts-schema.js';
import { knownEdition } from '../instance/ledger.js';
import { releaseLine } from '../instance/release-line.js';
import type { Acceptance } from '../release-safety/accepted.js';
import type { ArtifactOutcome } from '../release-safety/reconcile.js';
import { noKnownIssues, type ReleaseSafetyIndex } from '../release-safety/release-safety-index.js';
import { issuesOf, type Span } from '../release-safety/span.js';
import type { Version } from '../release-safety/version.js';
import { autoscaler } from './autoscaler.js';
import { backups } from './backups.js';
import { bundledDatabase } from './bundled-database.js';
import { chartVersion } from './chart-version.js';
import type { Check, CheckWords, EvidenceOf } from './check.js';
import { connections } from './connections.js';
import { diskSpace } from './disk-space.js';
import { disruptionBudget } from './disruption-budget.js';
import { environment } from './environment.js';
import { extensions } from './extensions.js';
import { hookLeftovers } from './hook-leftovers.js';
import { images } from './images.js';
import { invalidIndexes } from './invalid-indexes.js';
import { knownIssues } from './known-issues.js';
import { ledger } from './ledger.js';
import { licenceKey } from './licence-key.js';
import { lockAndLease } from './lock-and-lease.js';
import { longTransactions } from './long-transactions.js';
import { memoryLimit } from './memory-limit.js';
import { migrationRights } from './migration-rights.js';
import { migrationTime } from './migration-time.js';
import { migrators } from './migrators.js';
import { parkedProbe } from './parked-probe.js';
import { postgresVersion } from './postgres-version.js';
import { preparedTransactions } from './prepared-transactions.js';
import { primary } from './primary.js';
import { queue } from './queue.js';
import { readinessPath } from './readiness-path.js';
import { replicationSlots } from './replication-slots.js';
import { requiredVariables } from './required-variables.js';
import { rolloutStrategy } from './rollout-strategy.js';
import { type PreflightResult, runChecks } from './run-checks.js';
import { startCheck } from './start-check.js';
import { startupTime } from './startup-time.js';
import { tableAbsent } from './table-absent.js';
import { tableLocks } from './table-locks.js';
import { timeouts } from './timeouts.js';
import { vacuums } from './vacuums.js';

/** Every check, in the order of the answer: first what keeps an upgrade from beginning. */
const table = [
  ledger,
  lockAndLease,
  startCheck,
  knownIssues,
  tableAbsent,
  migrationRights,
  tableLocks,
  preparedTransactions,
  longTransactions,
  parkedProbe,
  primary,
  postgresVersion,
  extensions,
  connections,
  diskSpace,
  timeouts,
  migrationTime,
  invalidIndexes,
  vacuums,
  replicationSlots,
  queue,
  images,
  rolloutStrategy,
  autoscaler,
  disruptionBudget,
  startupTime,
  readinessPath,
  memoryLimit,
  backups,
  migrators,
  hookLeftovers,
  bundledDatabase,
  chartVersion,
  licenceKey,
  requiredVariables,
  environment,
] as const;

export type CheckId = (typeof table)[number]['id'];

export type CheckEvidence = EvidenceOf<(typeof table)[number]>;

export const checks: readonly (Check<CheckId, CheckEvidence> & CheckWords)[] = table;

export type Preflight = PreflightResult<CheckId, CheckEvidence>;

/** One instance, and what was read of the releases that it may run. */
export interface Instance {
  readonly index: ReleaseSafetyIndex;
  readonly facts: ObservedFacts;
  readonly artifacts: ReadonlyMap<string, ArtifactOutcome>;
  /** The oldest release that was read to find what the instance has migrated. */
  readonly begin: Version;
  readonly diskFree?: number | undefined;
  readonly only?: ReadonlySet<CheckId> | undefined;
  readonly accepted?: readonly Acceptance[] | undefined;
}

export function preflightOf(
  { index, facts, artifacts, begin, diskFree, only, accepted }: Instance,
  span: Span,
): Preflight {
  const line = releaseLine(index, span, begin, artifacts);
  const issues = index.knownIssues === noKnownIssues ? undefined : issuesOf(index, span);
  const edition = knownEdition(facts);
  return runChecks(checks, { ...span, line, issues, diskFree, edition, facts, accepted }, only);
}
