import { autoscaler } from './autoscaler.js';
import { backups } from './backups.js';
import { bundledDatabase } from './bundled-database.js';
import { chartVersion } from './chart-version.js';
import type { Check } from './check.js';
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
import { startCheck } from './start-check.js';
import { startupTime } from './startup-time.js';
import { tableAbsent } from './table-absent.js';
import { tableLocks } from './table-locks.js';
import { timeouts } from './timeouts.js';
import { vacuums } from './vacuums.js';
import type { DescribedCheck } from './words.js';

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

export const checks: readonly (Check<CheckId, CheckEvidence> & { readonly words: DescribedCheck })[] = table;

/** An object with the keys of every member of a union, so that the compiler sees which kinds have words. */
type Joined<Words> = (Words extends unknown ? (one: Words) => void : never) extends (all: infer All) => void
  ? All
  : never;

/** The words of each kind of finding. A kind belongs to one check. */
export const wordsOfFindings: Joined<(typeof table)[number]['words']['finds']> = Object.assign(
  {},
  ...table.map(({ words }) => words.finds),
);
