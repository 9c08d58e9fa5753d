import { configChangesOf, foldConfigChanges } from '../../core/artifact/changes.js';
import type { NetConfigChange } from '../../core/results.js';
import {
  isLasting,
  type LightdashContainer,
  lightdashContainers,
} from '../../instance/facts/lightdash-containers.js';
import {
  stateOfVariable,
  variablesNotSeen,
  workloadName,
  workloadsNotSeen,
} from '../../instance/workloads.js';
import { describeNetChange, describeWhatToChange } from '../../words/evidence/release.js';
import { capitalize, countOf, listNames } from '../../words/phrase.js';
import { defineCheck, lacks, ok, stop, warn } from '../check.js';

/** What the route does to a variable, and the workloads that set it, under whatever name. */
interface ChangedVariable {
  readonly change: NetConfigChange;
  readonly workloads: readonly string[];
}

const changed = ({ change, workloads }: ChangedVariable) =>
  `${describeNetChange(change)}; ${listNames(workloads)} ${workloads.length === 1 ? 'sets' : 'set'} it`;

export const environment = defineCheck({
  id: 'environment',
  needs: ['deployment', 'workloads'],
  mayNeed: ['config-changes', 'variables'],
  needsArtifacts: true,
  *judge({ line, facts: { deployment, workloads } }) {
    const lacking = workloadsNotSeen(deployment, workloads);
    if (lacking.length > 0) return yield* lacking;
    const { changes, unrecognised } = foldConfigChanges(configChangesOf(line.span));
    const containers = lightdashContainers(workloads);
    for (const change of changes) yield* judgeChange(change, containers);
    for (const { version, change } of unrecognised)
      yield warn(version, { kind: 'variable-change-unknown', version, type: String(change.type) });
    // Releases whose artifact exists but does not report changes of variables.
    const versions = line.span.flatMap(({ version, artifact }) => {
      const reports = artifact?.config?.checked === true && artifact.config.breaking !== 'unknown';
      return artifact === undefined || reports ? [] : [version];
    });
    const [first, ...others] = versions;
    if (first !== undefined) {
      const detail = others.length === 0 ? first : `${versions.length}, ${first} to ${others.at(-1)}`;
      yield lacks('config-changes', { why: 'absent', detail });
    }
    return ok({ kind: 'environment-kept', changes: changes.length });
  },
})({
  label: 'Environment variables',
  meaning:
    'Which environment variables of the workloads the releases on the route change. What it looks at: The ' +
    'variables that artifacts list as removed, renamed or with a new default, combined over the route, against ' +
    'the names that each container of Lightdash gets. Values are not read. A Secret, ConfigMap or file that ' +
    'was not read may set any of them.',
  finds: {
    'variable-renamed': {
      meaning:
        'A variable that you set has a new name in the target. The new name is not set, so its default is used.',
      remedy: 'Set the new name as well; remove the old one once no old release runs.',
      describe: changed,
      advise: ({ change }) =>
        `${capitalize(describeWhatToChange(change))}; while both releases run, set both.`,
    },
    'variable-removed': {
      meaning: 'The target no longer reads a variable that you set. Another one may have replaced it.',
      remedy: 'Look in the release notes for its replacement; remove it once no old release runs.',
      describe: changed,
    },
    'variable-has-new-default': {
      meaning: 'A variable that is not set everywhere has a new default in the target.',
      remedy: 'Set it yourself if the new default is not what you want.',
      describe: ({ change }) => `${describeNetChange(change)}; it is not set everywhere`,
    },
    'variable-change-unknown': {
      meaning: 'A release changes a variable in a way this lightspan does not know.',
      remedy: 'Read the notes of that release, or use a newer lightspan.',
      describe: ({ version, type }) => `${version} changes a variable in an unknown way: ${type}`,
    },
    'environment-kept': ({ changes }) =>
      `${countOf(changes, 'variable')} changed on the way, none of them set here`,
  },
});

function* judgeChange(change: NetConfigChange, containers: readonly LightdashContainer[]) {
  const { type, name, formerNames } = change;
  const affected = type === 'defaultChanged' ? [...new Set([...formerNames, name])] : formerNames;
  const setting = containers.filter((container) => affected.some((former) => isSet(container, former)));
  const unseen = containers.filter(
    (container) => !setting.includes(container) && affected.some((former) => mayBeSet(container, former)),
  );
  const workloads = [...new Set(setting.map(({ workload }) => workloadName(workload)))];
  if (type === 'removed' && setting.length > 0)
    yield warn(name, { kind: 'variable-removed', change, workloads });
  if (type === 'renamed') {
    // A workload that sets both is ready for either release.
    const old = setting.filter((container) => !isSet(container, name));
    if (old.some((container) => !mayBeSet(container, name)))
      yield stop(name, { kind: 'variable-renamed', change, workloads });
    else if (old.length > 0) {
      yield variablesNotSeen(old);
      return;
    }
  }
  if (type === 'defaultChanged') {
    // A set value takes precedence over the default; a job receives only what it needs.
    const bare = containers.filter(
      (container) => isLasting(container.workload) && !setting.includes(container),
    );
    if (bare.some((container) => !unseen.includes(container)))
      yield warn(name, { kind: 'variable-has-new-default', change });
  }
  if (unseen.length > 0) yield variablesNotSeen(unseen);
}

function isSet({ container }: LightdashContainer, name: string): boolean {
  return ['set', 'empty'].includes(stateOfVariable(container, name));
}

function mayBeSet({ container }: LightdashContainer, name: string): boolean {
  return stateOfVariable(container, name) === 'not-seen';
}
