import type { ArtifactOutcome } from '../core/artifact/reconcile.js';
import { noKnownIssues, type ReleaseSafetyIndex } from '../core/index/release-safety-index.js';
import { issuesOf, type Span } from '../core/span.js';
import type { Version } from '../core/version.js';
import { knownEdition } from '../instance/ledger.js';
import { releaseLine } from '../instance/release-line.js';
import type { Check, CheckWords, EvidenceOf } from './check.js';
import { archiver } from './database/archiver.js';
import { backfillsCheck } from './database/backfills.js';
import { backups } from './database/backups.js';
import { connections } from './database/connections.js';
import { dependentObjects } from './database/dependent-objects.js';
import { diskSpace } from './database/disk-space.js';
import { extensions } from './database/extensions.js';
import { invalidIndexes } from './database/invalid-indexes.js';
import { ledger } from './database/ledger.js';
import { lockAndLease } from './database/lock-and-lease.js';
import { longTransactions } from './database/long-transactions.js';
import { migrationRights } from './database/migration-rights.js';
import { migrationTime } from './database/migration-time.js';
import { postgresVersion } from './database/postgres-version.js';
import { preparedTransactions } from './database/prepared-transactions.js';
import { primary } from './database/primary.js';
import { queue } from './database/queue.js';
import { rehearsal } from './database/rehearsal.js';
import { replicaIdentity } from './database/replica-identity.js';
import { replicationSlots } from './database/replication-slots.js';
import { tableAbsent } from './database/table-absent.js';
import { tableLocks } from './database/table-locks.js';
import { timeouts } from './database/timeouts.js';
import { vacuums } from './database/vacuums.js';
import { autoscaler } from './deployment/autoscaler.js';
import { bundledDatabase } from './deployment/bundled-database.js';
import { chartVersion } from './deployment/chart-version.js';
import { disruptionBudget } from './deployment/disruption-budget.js';
import { environment } from './deployment/environment.js';
import { hookLeftovers } from './deployment/hook-leftovers.js';
import { images } from './deployment/images.js';
import { licenceKey } from './deployment/licence-key.js';
import { memoryLimit } from './deployment/memory-limit.js';
import { migrators } from './deployment/migrators.js';
import { objectStore } from './deployment/object-store.js';
import { parkedProbe } from './deployment/parked-probe.js';
import { readinessPath } from './deployment/readiness-path.js';
import { requiredVariables } from './deployment/required-variables.js';
import { rolloutStrategy } from './deployment/rollout-strategy.js';
import { startCheck } from './deployment/start-check.js';
import { startupTime } from './deployment/startup-time.js';
import { knownIssues } from './known-issues.js';
import { majors } from './majors.js';
import { type PreflightInput, type PreflightResult, runChecks } from './run-checks.js';

/** Every check, in the order of the answer: first what keeps an upgrade from beginning. */
const table = [
  ledger,
  lockAndLease,
  startCheck,
  knownIssues,
  majors,
  tableAbsent,
  dependentObjects,
  replicaIdentity,
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
  backfillsCheck,
  rehearsal,
  invalidIndexes,
  vacuums,
  replicationSlots,
  archiver,
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
  objectStore,
] as const;

export type CheckId = (typeof table)[number]['id'];

export type CheckEvidence = EvidenceOf<(typeof table)[number]>;

export const checks: readonly (Check<CheckId, CheckEvidence> & CheckWords)[] = table;

export type Preflight = PreflightResult<CheckId, CheckEvidence>;

/** One instance, and what was read of the releases that it may run. */
export interface Instance
  extends Pick<PreflightInput, 'facts' | 'freshFrom' | 'failOnMajor' | 'accepted'>,
    Partial<Pick<PreflightInput, 'diskFree'>> {
  readonly index: ReleaseSafetyIndex;
  readonly artifacts: ReadonlyMap<string, ArtifactOutcome>;
  /** The oldest release that was read to find what the instance has migrated. */
  readonly begin: Version;
  readonly only?: ReadonlySet<CheckId> | undefined;
}

export function preflightOf(
  { index, facts, freshFrom, artifacts, begin, diskFree, only, failOnMajor, accepted }: Instance,
  span: Span,
): Preflight {
  const line = releaseLine(index, span, begin, artifacts);
  const issues = index.knownIssues === noKnownIssues ? undefined : issuesOf(index, span);
  const edition = knownEdition(facts);
  const requested = failOnMajor && only ? new Set([...only, majors.id]) : only;
  const input = { ...span, line, issues, diskFree, failOnMajor, edition, facts, freshFrom, accepted };
  return runChecks(checks, input, requested);
}
