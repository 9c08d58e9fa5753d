import { isLasting, type LightdashContainer, lightdashContainers } from '../../facts/lightdash-containers.js';
import { foldConfigChanges, type NetConfigChange } from '../../release-safety/config-changes.js';
import { type Answers, defineCheck, foundOrOk, type Given, type Judgement, stop, warn } from '../check.js';
import { lackingVariables, stateOfVariable } from '../variables.js';
import { lackingWorkloads, nameOf } from '../workloads.js';

/** What the route does to a variable that workloads set. */
interface Changed {
  readonly change: NetConfigChange;
  /** The workloads that set it, under whatever name. */
  readonly workloads: readonly string[];
}

export type EnvironmentEvidence =
  | ({ readonly kind: 'variable-renamed' } & Changed)
  | ({ readonly kind: 'variable-removed' } & Changed)
  | { readonly kind: 'variable-has-new-default'; readonly change: NetConfigChange }
  | { readonly kind: 'variable-change-unknown'; readonly version: string; readonly type: string }
  | { readonly kind: 'environment-kept'; readonly changes: number };

/** What the releases on the route change of environment variables, compared with those that the workloads set. */
export const environment = defineCheck({
  id: 'environment',
  group: 'deployment',
  canStop: true,
  needs: ['deployment', 'workloads'],
  mayNeed: ['config-changes', 'variables'],
  needsArtifacts: true,
  judge({ line, facts }): Answers<EnvironmentEvidence> {
    const { deployment, workloads } = facts;
    const lacking = lackingWorkloads(deployment, workloads);
    if (lacking.length > 0) return lacking;
    const released = line.span.flatMap(({ version, artifact }) =>
      (artifact?.config?.changes ?? []).map((change) => ({ version, change })),
    );
    const { changes, unrecognised } = foldConfigChanges(released);
    const containers = lightdashContainers(workloads);
    return foundOrOk(
      [
        ...changes.flatMap((change) => judgeChange(change, containers)),
        ...unrecognised.map(({ version, change: { type } }): Judgement<EnvironmentEvidence> => {
          return warn(version, { kind: 'variable-change-unknown', version, type: String(type) });
        }),
        ...lackingChanges(line),
      ],
      { kind: 'environment-kept', changes: changes.length },
    );
  },
});

function judgeChange(
  change: NetConfigChange,
  containers: readonly LightdashContainer[],
): Answers<EnvironmentEvidence> {
  const { type, name, formerNames } = change;
  const asked = type === 'defaultChanged' ? [...new Set([...formerNames, name])] : formerNames;
  const setting = containers.filter((one) => asked.some((former) => isSet(one, former)));
  const notReported = containers.filter(
    (one) => !setting.includes(one) && asked.some((former) => isNotReported(one, former)),
  );
  const lacks = notReported.length === 0 ? [] : [lackingVariables(notReported)];
  const workloads = [...new Set(setting.map(({ workload }) => nameOf(workload)))];
  switch (type) {
    case 'removed':
      if (setting.length === 0) return lacks;
      return [warn(name, { kind: 'variable-removed', change, workloads }), ...lacks];
    case 'renamed': {
      // A workload that sets both is ready for either release.
      const old = setting.filter((one) => !isSet(one, name));
      if (old.some((one) => !isNotReported(one, name))) {
        return [stop(name, { kind: 'variable-renamed', change, workloads }), ...lacks];
      }
      return old.length === 0 ? lacks : [lackingVariables(old)];
    }
    case 'defaultChanged': {
      // A set value takes precedence over the default; a job receives only what it needs.
      const bare = containers.filter((one) => isLasting(one.workload) && !setting.includes(one));
      if (bare.every((one) => notReported.includes(one))) return lacks;
      return [warn(name, { kind: 'variable-has-new-default', change }), ...lacks];
    }
  }
}

function isSet({ container }: LightdashContainer, name: string): boolean {
  const state = stateOfVariable(container, name);
  return state === 'set' || state === 'empty';
}

function isNotReported({ container }: LightdashContainer, name: string): boolean {
  return stateOfVariable(container, name) === 'not-told';
}

/** Releases whose artifact exists but does not report changes of variables. */
function lackingChanges({ span }: Given<never, never>['line']): Answers<never> {
  const notReported = span.filter(
    ({ artifact }) =>
      artifact !== undefined && (artifact.config?.checked !== true || artifact.config.breaking === 'unknown'),
  );
  if (notReported.length === 0) return [];
  const versions = notReported.map(({ version }) => version);
  const detail =
    versions.length === 1 ? versions.join() : `${versions.length}, ${versions[0]} to ${versions.at(-1)}`;
  return [{ lacks: 'config-changes', why: 'absent', detail }];
}
