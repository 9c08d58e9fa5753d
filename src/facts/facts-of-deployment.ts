import type { ContainerFact, WorkloadFact } from './deployment-facts.js';
import { type FactName, type FactValue, isSemVer } from './fact-names.js';
import type { ObservedFacts } from './facts-schema.js';
import { givenVariable } from './given-variable.js';
import { lightdashContainers, runsLightdash } from './lightdash-containers.js';
import { observedMigrationJob } from './migration-jobs.js';
import { chartName, licenceVariable, storageVariables } from './publisher-names.js';
import { seenValue } from './seen-value.js';

/** The facts for conditions that the deployment shows. What it leaves open is not included. */
export function factsOfDeployment(facts: ObservedFacts): ReadonlyMap<FactName, FactValue> {
  const workloads = seenValue(facts.workloads);
  if (workloads === undefined) return new Map();
  const helm = seenValue(facts.helm);
  const kind = seenValue(facts.deployment)?.kind;
  const ofChart = helm?.chart === chartName;
  const deployedBy = kind === 'compose' ? 'compose' : ofChart ? 'helm' : undefined;
  const version = helm?.chartVersion ?? '';
  const known: readonly [FactName, FactValue | undefined][] = [
    ['deployed-by', deployedBy],
    ['chart-version', ofChart && isSemVer(version) ? version : undefined],
    ['migration-job', ofChart ? migrationJobOf(facts) : undefined],
    ['edition', editionOf(facts, workloads)],
    ['object-storage', objectStorageOf(facts, workloads)],
  ];
  return new Map(known.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const])));
}

/** Not known if objects and values differ: the next upgrade may go by either. */
function migrationJobOf(facts: ObservedFacts): 'on' | 'off' | undefined {
  const { byObjects, byValues } = observedMigrationJob(facts);
  const [known, other = known] = [byObjects, byValues].filter((one) => one !== undefined);
  return known === undefined || known !== other ? undefined : known ? 'on' : 'off';
}

/**
 * Whether everything that migrates has a licence key and so runs the migrations of the enterprise edition. `community`
 * only if everything that may set the key was seen, and no unseen job may migrate.
 */
function editionOf(
  facts: ObservedFacts,
  workloads: readonly WorkloadFact[],
): 'community' | 'enterprise' | undefined {
  const own = workloads.filter(runsLightdash);
  const migrating = own
    .flatMap(({ containers }) => containers)
    .filter(({ starts }) => starts === 'entrypoint' || starts === 'migration');
  if (migrating.length === 0) return undefined;
  if (migrating.every((container) => hasLicence(container) === true)) return 'enterprise';
  const containers = own.flatMap((one) => one.containers);
  if (!containers.every((container) => hasLicence(container) === false)) return undefined;
  return seesAllThatMigrates(facts) ? 'community' : undefined;
}

/** Undefined if not known. A key whose value was not seen may be empty, which would make the edition wrong. */
function hasLicence(container: ContainerFact): boolean | undefined {
  const state = givenVariable(container, licenceVariable);
  if (state === 'given' || state === 'not-told') return undefined;
  return state === 'set';
}

/** As with the edition, `configured` only if everything that reads the configuration was seen. */
function objectStorageOf(
  facts: ObservedFacts,
  workloads: readonly WorkloadFact[],
): 'configured' | 'missing' | undefined {
  const states = lightdashContainers(workloads)
    .filter(({ container: { init, starts } }) => !init || starts !== 'other')
    .flatMap(({ container }) => storageVariables.map((name) => givenVariable(container, name)));
  if (states.some((state) => state === 'unset' || state === 'empty')) return 'missing';
  if (states.length === 0 || states.includes('not-told')) return undefined;
  return seesAllThatMigrates(facts) ? 'configured' : undefined;
}

function seesAllThatMigrates(facts: ObservedFacts): boolean {
  const value = seenValue(facts.deployment);
  if (value === undefined || value.unseenKinds.length > 0) return false;
  if (value.kind === 'compose' || value.hooksSeen === true) return true;
  return facts.helm?.status === 'absent' || observedMigrationJob(facts).byValues === false;
}
