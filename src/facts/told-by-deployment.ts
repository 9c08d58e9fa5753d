import type { ContainerFact, WorkloadFact } from './deployment-facts.js';
import { type FactName, type FactValue, isSemVer } from './fact-names.js';
import type { ObservedFacts } from './facts-schema.js';
import { givenVariable } from './given-variable.js';
import { runsLightdash } from './lightdash-containers.js';
import { toldOfJob } from './migration-jobs.js';
import { chartName, licenceVariable } from './publisher-names.js';
import { seenValue } from './seen-value.js';

/** What was seen of a deployment tells of the facts that conditions ask for; what it leaves open is not among them. */
export function toldByDeployment(facts: ObservedFacts): ReadonlyMap<FactName, FactValue> {
  const workloads = seenValue(facts.workloads);
  if (workloads === undefined) return new Map();
  const helm = seenValue(facts.helm);
  const kind = seenValue(facts.deployment)?.kind;
  const ofChart = helm?.chart === chartName;
  const deployedBy = kind === 'compose' ? 'compose' : ofChart ? 'helm' : undefined;
  const version = helm?.chartVersion ?? '';
  const told: readonly [FactName, FactValue | undefined][] = [
    ['deployed-by', deployedBy],
    ['chart-version', ofChart && isSemVer(version) ? version : undefined],
    ['migration-job', ofChart ? migrationJobOf(facts) : undefined],
    ['edition', editionOf(facts, workloads)],
  ];
  return new Map(told.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const])));
}

/** Where what was seen and the values differ, either may be what the next upgrade goes by: then it is not known. */
function migrationJobOf(facts: ObservedFacts): 'on' | 'off' | undefined {
  const { byObjects, byValues } = toldOfJob(facts);
  const [told, other = told] = [byObjects, byValues].filter((one) => one !== undefined);
  return told === undefined || told !== other ? undefined : told ? 'on' : 'off';
}

/**
 * Whether what migrates is given a licence key: then it runs the migrations of the enterprise edition. None of them is,
 * only where all that may give it one was seen, and no job may migrate that was not.
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

/** Undefined where nobody knows: what goes by the edition goes wrong by a key that turns out to be empty, too. */
function hasLicence(container: ContainerFact): boolean | undefined {
  const state = givenVariable(container, licenceVariable);
  if (state === 'given' || state === 'not-told') return undefined;
  return state === 'set';
}

function seesAllThatMigrates({ deployment, helm, chartValues }: ObservedFacts): boolean {
  const value = seenValue(deployment);
  if (value === undefined || value.unseenKinds.length > 0) return false;
  if (value.kind === 'compose' || value.hooksSeen === true) return true;
  return helm?.status === 'absent' || seenValue(chartValues)?.migrationJobEnabled === false;
}
