import type { Check } from './check.js';
import { autoscaler } from './checks/autoscaler.js';
import { backups } from './checks/backups.js';
import { bundledDatabase } from './checks/bundled-database.js';
import { chartVersion } from './checks/chart-version.js';
import { connections } from './checks/connections.js';
import { diskSpace } from './checks/disk-space.js';
import { disruptionBudget } from './checks/disruption-budget.js';
import { environment } from './checks/environment.js';
import { extensions } from './checks/extensions.js';
import { hookLeftovers } from './checks/hook-leftovers.js';
import { images } from './checks/images.js';
import { invalidIndexes } from './checks/invalid-indexes.js';
import { knownIssues } from './checks/known-issues.js';
import { ledger } from './checks/ledger.js';
import { licenceKey } from './checks/licence-key.js';
import { lockAndLease } from './checks/lock-and-lease.js';
import { longTransactions } from './checks/long-transactions.js';
import { memoryLimit } from './checks/memory-limit.js';
import { migrationRights } from './checks/migration-rights.js';
import { migrationTime } from './checks/migration-time.js';
import { migrators } from './checks/migrators.js';
import { parkedProbe } from './checks/parked-probe.js';
import { postgresVersion } from './checks/postgres-version.js';
import { preparedTransactions } from './checks/prepared-transactions.js';
import { primary } from './checks/primary.js';
import { queue } from './checks/queue.js';
import { readinessPath } from './checks/readiness-path.js';
import { replicationSlots } from './checks/replication-slots.js';
import { requiredVariables } from './checks/required-variables.js';
import { rolloutStrategy } from './checks/rollout-strategy.js';
import { startCheck } from './checks/start-check.js';
import { startupTime } from './checks/startup-time.js';
import { tableAbsent } from './checks/table-absent.js';
import { tableLocks } from './checks/table-locks.js';
import { timeouts } from './checks/timeouts.js';
import { vacuums } from './checks/vacuums.js';

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

/** The findings of the checks, each a kind and what it is about. */
export type CheckEvidence = Extract<
  ReturnType<(typeof table)[number]['judge']>[number],
  { readonly evidence: unknown }
>['evidence'];

export const checks: readonly Check<CheckId, CheckEvidence>[] = table;
