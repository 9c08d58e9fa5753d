import { isLightdashRepository, namesLightdash, publishersName } from '../../core/lightdash-name.js';
import { isVersion, type Version } from '../../core/version.js';
import type { ContainerFact, HelmReleaseFact, ImageFact, PodFact, WorkloadFact } from './deployment-facts.js';
import type { SwitchName } from './switches.js';

export interface LightdashContainer {
  readonly workload: WorkloadFact;
  readonly container: ContainerFact;
}

/** The containers that run Lightdash: the backend, its workers, and what migrates for them. */
export function lightdashContainers(workloads: readonly WorkloadFact[]): readonly LightdashContainer[] {
  return workloads
    .filter(runsLightdash)
    .flatMap((workload) => ownContainers(workload.containers).map((container) => ({ workload, container })));
}

/** Those that start Lightdash: of the ones before it in a pod, only what migrates. */
export function startedContainers(workloads: readonly WorkloadFact[]): readonly LightdashContainer[] {
  return lightdashContainers(workloads).filter(
    ({ container: { init, starts } }) => !init || starts !== 'other',
  );
}

/** The containers that serve or work until they are stopped, and so exist during an upgrade. */
export function servingContainers(workloads: readonly WorkloadFact[]): readonly LightdashContainer[] {
  return lightdashContainers(workloads).filter(
    ({ workload, container }) => isLasting(workload) && !container.init,
  );
}

/**
 * Containers with an image of Lightdash that neither serve, work nor migrate, such as those of a CronJob that exports.
 */
export function otherContainers(workloads: readonly WorkloadFact[]): readonly LightdashContainer[] {
  return workloads
    .filter((workload) => !runsLightdash(workload))
    .flatMap((workload) => workload.containers.map((container) => ({ workload, container })))
    .filter(({ container }) => isLightdashImage(container.image));
}

/** The pods that serve or work: those of such a workload, and those of no workload that was seen, by their images. */
export function servingPods(
  workloads: readonly WorkloadFact[],
  pods: readonly PodFact[],
): readonly PodFact[] {
  const serving = new Set(servingContainers(workloads).map(({ workload }) => workload.name));
  const seen = new Set(workloads.map(({ name }) => name));
  return pods.filter(({ workload, containers }) => {
    if (workload !== null && seen.has(workload)) return serving.has(workload);
    // Everything named after Lightdash, by the chart, the image or only its registry.
    return containers.some(({ name, image }) => name === publishersName || namesLightdash(image.reference));
  });
}

export function runsLightdash({ role }: Pick<WorkloadFact, 'role'>): boolean {
  return role === 'backend' || role === 'worker' || role === 'migration';
}

/** Whether its pods run until something stops them. */
export function isLasting({ kind, role }: Pick<WorkloadFact, 'kind' | 'role'>): boolean {
  return kind !== 'Job' && kind !== 'CronJob' && role !== 'migration';
}

/**
 * The containers that run Lightdash, in a workload of Lightdash or one of its pods, where others may stand next to
 * them. Images usually keep their name in a private registry; else the names of the chart decide; else every container
 * may be one. A name that is only similar counts as well: no check sees what is left out here.
 */
export function ownContainers<Container extends Pick<ContainerFact, 'name' | 'image'>>(
  containers: readonly Container[],
): readonly Container[] {
  const named = containers.filter(
    ({ name, image }) => name === publishersName || namesLightdash(image.repository ?? image.reference),
  );
  if (named.length > 0) return named;
  const ofJob = containers.filter(({ name }) => name === 'migrate');
  return ofJob.length > 0 ? ofJob : containers;
}

/**
 * By the name that mirrors keep, as do most custom images built from it. `lightdash-cli` and `lightdash-proxy` are
 * something else.
 */
export function isLightdashImage({ repository }: Pick<ImageFact, 'repository'>): boolean {
  return isLightdashRepository(repository ?? '');
}

/** What migrates apart from the pods that serve, at whatever time. */
export function migrationJobs(workloads: readonly WorkloadFact[]): readonly LightdashContainer[] {
  return lightdashContainers(workloads).filter(({ workload }) => workload.role === 'migration');
}

/**
 * The jobs that an upgrade runs. Excluded are CronJobs, suspended jobs, hooks of other events than an upgrade and, of
 * the jobs that ended, all except the hooks of a chart and those of the running release.
 */
export function upgradeJobs(workloads: readonly WorkloadFact[]): readonly LightdashContainer[] {
  return migrationJobs(workloads).filter(({ workload, container }) => {
    const { kind, hook, suspended, succeeded, failed } = workload;
    if (kind === 'CronJob' || suspended === true) return false;
    if (hook !== null) return hook.events.some((event) => event.endsWith('-upgrade'));
    if ((succeeded ?? 0) === 0 && (failed ?? 0) === 0) return true;
    const version = versionOf(container);
    return (
      version !== undefined &&
      servingContainers(workloads).some((serving) => versionOf(serving.container) === version)
    );
  });
}

/**
 * How a variable of a container is set, as far as was seen. `given`: it is set, but its value was not seen and may be
 * empty. `not-seen`: something that was not seen may set it to a value, and nothing that was seen does.
 */
export type VariableState = 'set' | 'empty' | 'given' | 'unset' | 'not-seen';

/**
 * A variable set on its own takes precedence over all keys of an object; among several of the latter, the last counts.
 */
export function variableState(
  { variables, variablesFrom }: Pick<ContainerFact, 'variables' | 'variablesFrom'>,
  name: string,
): VariableState {
  const variable = variables.findLast((variable) => variable.name === name);
  if (variable !== undefined) return stateOf(variable.empty);
  let outdone = false;
  for (const { keys, emptyKeys, prefix } of variablesFrom.toReversed()) {
    if (!name.startsWith(prefix)) continue;
    const key = name.slice(prefix.length);
    if (keys?.includes(key)) {
      const state = stateOf(emptyKeys === undefined ? null : emptyKeys.includes(key));
      if (!outdone) return state;
      return state === 'empty' ? 'not-seen' : 'given';
    }
    outdone ||= keys === null;
  }
  return outdone ? 'not-seen' : 'unset';
}

function stateOf(isEmpty: boolean | null): 'set' | 'empty' | 'given' {
  return isEmpty === null ? 'given' : isEmpty ? 'empty' : 'set';
}

/**
 * How a switch of a container stands: Lightdash takes nothing but `true` for on. `not-seen`: its value was not seen, is
 * neither `true` nor `false`, or may be set by something that was not seen.
 */
export function switchOf(
  { variables, variablesFrom }: Pick<ContainerFact, 'variables' | 'variablesFrom'>,
  name: SwitchName,
): 'on' | 'off' | 'unset' | 'not-seen' {
  const variable = variables.findLast((variable) => variable.name === name);
  if (variable !== undefined) return switchState(variable.on, variable.empty);
  // Among several objects, the last one that sets it counts.
  for (const { keys, emptyKeys, prefix, switches } of variablesFrom.toReversed()) {
    if (!name.startsWith(prefix)) continue;
    if (keys === null) return 'not-seen';
    const key = name.slice(prefix.length);
    if (keys.includes(key)) return switchState(switches?.[name], emptyKeys?.includes(key));
  }
  return 'unset';
}

function switchState(on: boolean | undefined, isEmpty: boolean | null | undefined) {
  if (isEmpty === true) return 'off';
  return on === undefined ? 'not-seen' : on ? 'on' : 'off';
}

/** The tag of a release: `1.2.3`, optionally with a leading `v` and a suffix. */
export interface ReleaseTag {
  readonly version: Version;
  readonly suffix: string;
}

/**
 * Undefined if the tag does not name one release, such as `latest` or `1`. A suffix is of a variant of the release
 * (`-fips`), unless it is one of a pre-release, which comes before it, or of what was built between two releases.
 */
export function releaseTagOf({ tag }: Pick<ImageFact, 'tag'>): ReleaseTag | undefined {
  const [, version, suffix = ''] = /^v?(\d+[.]\d+[.]\d+)(?![.]\d)([-_.+].*)?$/i.exec(tag ?? '') ?? [];
  if (!isVersion(version) || suffix.split(/[-_.+]/).some((part) => ofAnotherBuild.test(part)))
    return undefined;
  return { version, suffix };
}

/** Words of pre-releases and branches, the hash of a commit, or a date. */
const ofAnotherBuild =
  /^(?:(?:alpha|beta|rc|pre|preview|prerelease|dev|snapshot|nightly|canary|edge|next|test|pr|main|master|sha|git)\d*|g?[\da-f]{7,40})$/i;

/** The release that a container runs; undefined if its image does not show it. */
export function versionOf({ image }: Pick<ContainerFact, 'image'>): Version | undefined {
  return releaseTagOf(image)?.version;
}

/** Whether a chart is known not to be the publisher's: its values mean what its own author says. */
export function isOtherChart(name: string | null | undefined): name is string {
  return name != null && name !== publishersName;
}

/** Whether Helm upgrades the release, run by a person or by Flux; anything else renders the chart as for an install. */
export function isUpgradedByHelm({ appliedBy }: Pick<HelmReleaseFact, 'appliedBy'>): boolean {
  return appliedBy === undefined || appliedBy === 'flux';
}

/** With it, an instance runs enterprise migrations; without it, none. */
export const licenceVariable = 'LIGHTDASH_LICENSE_KEY';

/** Releases that require an object storage do not start without them. */
export const storageVariables = ['S3_ENDPOINT', 'S3_BUCKET', 'S3_REGION'] as const;
