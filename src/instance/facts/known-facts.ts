import { publishersName } from '../../core/lightdash-name.js';
import type { ContainerFact, WorkloadFact } from './deployment-facts.js';
import { type FactName, type Facts, type FactValue, isSemVer, readFact } from './fact-names.js';
import type { ObservedFacts } from './facts-schema.js';
import {
  isOtherChart,
  licenceVariable,
  runsLightdash,
  servingContainers,
  startedContainers,
  storageVariables,
  switchOf,
  upgradeJobs,
  variableState,
} from './lightdash-containers.js';
import { mayNotSee, seenValue } from './needs.js';

/** The facts for conditions, from what was observed. What a person states takes precedence. */
export function conditionFacts(facts: ObservedFacts): Facts {
  const factsByName = new Map<FactName, FactValue>();
  const server = seenValue(facts.server);
  if (server !== undefined) factsByName.set('postgres-major', Math.floor(server.versionNum / 10_000));
  const migrator = seenValue(facts.migrator);
  // A statement that runs on its own is a transaction, and so either limit ends it.
  const limits = [migrator?.statementTimeoutMs, migrator?.transactionTimeoutMs];
  if (limits.some(Boolean)) factsByName.set('statement-timeout', 'set');
  else if (limits.every((limit) => limit === 0)) factsByName.set('statement-timeout', 'none');
  const tables = seenValue(facts.tables);
  const parents = new Set(tables?.map(({ partitionOf }) => partitionOf));
  for (const { name, kind, sizedBy, estimatedRows, heapBytes, toastBytes } of tables ?? []) {
    factsByName.set(`table.${name}`, 'present');
    // Statistics may be old, and the rows of a parent are in its partitions.
    if (sizedBy === 'statistics' || kind === 'partitioned' || parents.has(name)) continue;
    if (heapBytes !== null && toastBytes !== null) factsByName.set(`bytes.${name}`, heapBytes + toastBytes);
    if (estimatedRows !== null) factsByName.set(`rows.${name}`, estimatedRows);
  }
  const ledger = seenValue(facts.ledger);
  const shared = new Map<string, number>();
  for (const { name } of ledger ?? []) {
    factsByName.set(`migration.${withoutExtension(name)}`, 'applied');
    const time = name.split('_', 1).join();
    if (sharedTimes.has(time)) shared.set(time, (shared.get(time) ?? 0) + 1);
    // The time that it begins with is what is known of some whose name is not.
    else factsByName.set(`migration.${time}`, 'applied');
  }
  for (const [name, value] of factsOfDeployment(facts)) if (value !== undefined) factsByName.set(name, value);
  for (const [name, written] of Object.entries(seenValue(facts.stated) ?? {})) {
    const fact = readFact(name, written);
    if (fact.ok) factsByName.set(fact.name, fact.value);
  }

  return {
    get: (name) => {
      const value = factsByName.get(name);
      if (value !== undefined) return value;
      // Which of several files with one time was meant is not known, unless none or all of them have run.
      const ofTime = shared.get(name.replace('migration.', ''));
      if (ofTime !== undefined) return ofTime > 1 ? 'applied' : undefined;
      // The lists are complete: a table that is not in them does not exist.
      if (tables !== undefined && name.startsWith('table.')) return 'absent';
      if (name.startsWith('variable.')) return variableOf(facts, name.slice('variable.'.length));
      return ledger !== undefined && name.startsWith('migration.') ? 'pending' : undefined;
    },
  };
}

/** Times with which more than one migration begins: only its whole file name tells which one is meant. */
const sharedTimes: ReadonlySet<string> = new Set(['20260903120000']);

/** The ledger stores `.js`, artifacts say `.ts`. */
export function withoutExtension(migration: string): string {
  return migration.replace(/\.[jt]s$/, '');
}

/** The facts for conditions that the deployment shows. What it leaves open is not included. */
function factsOfDeployment(facts: ObservedFacts): readonly (readonly [FactName, FactValue | undefined])[] {
  const workloads = seenValue(facts.workloads);
  if (workloads === undefined) return [];
  const helm = seenValue(facts.helm);
  const kind = seenValue(facts.deployment)?.kind;
  const ofChart = helm?.chart === publishersName;
  const deployedBy = kind === 'compose' ? 'compose' : ofChart ? 'helm' : undefined;
  const version = helm?.chartVersion ?? '';
  return [
    ['deployed-by', deployedBy],
    ['chart-version', ofChart && isSemVer(version) ? version : undefined],
    ['migration-job', ofChart ? migrationJobOf(facts) : undefined],
    ['edition', editionOf(facts, workloads)],
    ['object-storage', objectStorageOf(facts, workloads)],
    ['object-store', objectStoreOf(facts, workloads)],
    ['pre-aggregates', preAggregatesOf(workloads)],
  ];
}

/**
 * Not known if objects and values differ: the next upgrade may go by either. A job that is not listed may still exist:
 * `helm get manifest` omits hooks, and a cluster soon removes a job that ended.
 */
function migrationJobOf(facts: ObservedFacts): 'on' | 'off' | undefined {
  const deployment = seenValue(facts.deployment);
  const listed = upgradeJobs(seenValue(facts.workloads) ?? []).length > 0;
  const seesAll = deployment?.hooksSeen === true && !mayNotSee(deployment, 'Job');
  const byValues = seenValue(facts.chartValues)?.migrationJobEnabled ?? undefined;
  const bothAnswers = [listed || seesAll ? listed : undefined, byValues].filter(
    (answer) => answer !== undefined,
  );
  return new Set(bothAnswers).size === 1 ? (bothAnswers[0] ? 'on' : 'off') : undefined;
}

/**
 * Whether everything that migrates has a licence key and so runs the migrations of the enterprise edition. `community`
 * only if everything that may set the key was seen, and no unseen job may migrate.
 */
function editionOf(
  facts: ObservedFacts,
  workloads: readonly WorkloadFact[],
): 'community' | 'enterprise' | undefined {
  const containers = workloads.filter(runsLightdash).flatMap((workload) => workload.containers);
  const statesOf = (some: readonly ContainerFact[]) =>
    some.map((container) => variableState(container, licenceVariable));
  const migrating = statesOf(
    containers.filter(({ starts }) => starts === 'entrypoint' || starts === 'migration'),
  );
  if (migrating.length === 0) return undefined;
  // A key whose value was not seen may be empty, which would make the edition wrong.
  if (migrating.every((state) => state === 'set')) return 'enterprise';
  const isWithout = statesOf(containers).every((state) => state === 'unset' || state === 'empty');
  return isWithout && seesAllThatMigrates(facts) ? 'community' : undefined;
}

/** As with the edition, `configured` only if everything that reads the configuration was seen. */
function objectStorageOf(
  facts: ObservedFacts,
  workloads: readonly WorkloadFact[],
): 'configured' | 'missing' | undefined {
  const states = startedContainers(workloads).flatMap(({ container }) =>
    storageVariables.map((name) => variableState(container, name)),
  );
  if (states.some((state) => state === 'unset' || state === 'empty')) return 'missing';
  if (states.length === 0 || states.includes('not-seen')) return undefined;
  return seesAllThatMigrates(facts) ? 'configured' : undefined;
}

/** `off` only if the variables of everything that serves or works were seen: each of them compiles projects. */
function preAggregatesOf(workloads: readonly WorkloadFact[]): 'on' | 'off' | undefined {
  const states = servingContainers(workloads).map(({ container }) =>
    switchOf(container, 'PRE_AGGREGATES_ENABLED'),
  );
  if (states.includes('on')) return 'on';
  return states.length === 0 || states.includes('not-seen') ? undefined : 'off';
}

/**
 * How a variable is set for what serves or works: `set` where any of them has a value. `empty` and `absent` only if what
 * sets the variables of all of them was seen.
 */
function variableOf(facts: ObservedFacts, name: string): 'set' | 'empty' | 'absent' | undefined {
  const states = servingContainers(seenValue(facts.workloads) ?? []).map(({ container }) =>
    variableState(container, name),
  );
  if (states.includes('set')) return 'set';
  if (states.length === 0 || states.includes('not-seen') || states.includes('given')) return undefined;
  return states.includes('empty') ? 'empty' : 'absent';
}

/** While MinIO is there, it may hold what is nowhere else. */
function objectStoreOf(
  facts: ObservedFacts,
  workloads: readonly WorkloadFact[],
): 'minio' | 'rustfs' | 'other' | undefined {
  const kinds = workloads.map(({ store }) => store?.kind);
  if (kinds.includes('minio')) return 'minio';
  const builtInStore = kinds.includes('rustfs') ? 'rustfs' : 'other';
  return seenValue(facts.deployment)?.kind === 'compose' ? builtInStore : undefined;
}

function seesAllThatMigrates(facts: ObservedFacts): boolean {
  const value = seenValue(facts.deployment);
  if (value === undefined || value.unseenKinds.length > 0) return false;
  if (value.kind === 'compose' || value.hooksSeen === true) return true;
  const isOff = seenValue(facts.chartValues)?.migrationJobEnabled === false;
  return facts.helm?.status === 'absent' || (isOff && !isOtherChart(seenValue(facts.helm)?.chart));
}
