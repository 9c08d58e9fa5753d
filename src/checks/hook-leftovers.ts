import { migrationJobs } from '../facts/lightdash-containers.js';
import { type FactOf, mayNotSee } from '../facts/needs.js';
import { chartOfRelease, chartWith, isChartBefore } from '../instance/eras.js';
import { migrationJobState } from '../instance/workloads.js';
import { listNames } from '../words/lists.js';
import { defineCheck, type Found, foundOrOk, type Given, ok, stop } from './check.js';
import { kubectl } from './commands.js';

type LeftObject = Pick<FactOf<'hookObjects'>[number], 'kind' | 'name' | 'namespace'>;

interface Kinds {
  'hooks-left-over': { objects: readonly LeftObject[]; chart: string | null };
  'hooks-in-use': {
    objects: readonly LeftObject[];
    /** Null if jobs may not be seen. */
    job: string | null;
  };
  'hooks-replaced': { chart: string };
  'no-hooks-run': null;
  'no-hook-left': null;
}

const named = (objects: readonly LeftObject[]) =>
  listNames(objects.map(({ kind, name }) => `${kind} ${name}`));
const ofChart = (chart: string | null) => (chart === null ? 'the chart' : `chart ${chart}`);

export const hookLeftovers = defineCheck<Kinds>()({
  id: 'hook-leftovers',
  group: 'deployment',
  needs: ['deployment', 'workloads'],
  needsOrAbsent: ['helm'],
  mayNeed: ['hookObjects', 'chartValues', 'stated'],
  judge({ facts }) {
    const { deployment, helm, hookObjects } = facts;
    if (helm === null || migrationJobState(facts) === 'off') return [ok({ kind: 'no-hooks-run' })];
    const chart = chartOfRelease(helm);
    const collides =
      chart === undefined ||
      (!isChartBefore(chart, chartWith.collidingHooks) && isChartBefore(chart, chartWith.hooksReplaced));
    if (!collides) return [ok({ kind: 'hooks-replaced', chart: chart.text })];
    if (deployment.origin !== 'cluster') return [{ lacks: 'hookObjects', why: 'not-asked' }];
    if (hookObjects == null) return [{ lacks: 'hookObjects' }];
    const objects = hookObjects
      .filter(({ name }) => /-migration(?:-configmap|-secrets|-scale-down)?$/.test(name))
      .filter(({ hook }) => chart !== undefined || !hook.deletePolicies.includes('before-hook-creation'))
      .map(({ kind, name, namespace }) => ({ kind, name, namespace }));
    const unseen: Found<Kinds> = mayNotSee(deployment, 'ServiceAccount', 'ConfigMap', 'Secret')
      ? [{ lacks: 'hookObjects', why: 'not-permitted', detail: deployment.unseenKinds.join(', ') }]
      : [];
    const [first] = objects;
    if (first === undefined) return foundOrOk(unseen, { kind: 'no-hook-left' });
    const job = livingJob(facts);
    return [
      job === undefined
        ? stop(first.name, { kind: 'hooks-left-over', objects, chart: helm.chartVersion })
        : stop(first.name, { kind: 'hooks-in-use', objects, job }),
      ...unseen,
    ];
  },
  label: 'Leftovers of hooks',
  meaning: 'Whether an interrupted upgrade has left objects that the hooks of the next one collide with.',
  looksAt: `ServiceAccounts, ConfigMaps and Secrets in the cluster that are hooks of the chart and named -migration. Charts ${chartWith.collidingHooks} to before ${chartWith.hooksReplaced} do not replace them (helm PR#141); for another chart, their own delete policy shows it. What helm prints never contains them.`,
  finds: {
    'hooks-left-over': {
      meaning:
        'Objects of a hook are left over, and the chart does not replace them. The next upgrade, and every later one, fails with "already exists".',
      remedy: `Upgrade with chart ${chartWith.hooksReplaced} or newer, or remove them while no upgrade runs; the hook creates them again.`,
      describe: ({ objects, chart }) =>
        `${named(objects)} ${objects.length === 1 ? 'is' : 'are'} left over, and ${ofChart(chart)} does not replace ${objects.length === 1 ? 'it' : 'them'}`,
      shell: ({ objects }) =>
        objects.map(({ kind, name, namespace }) => kubectl(namespace, 'delete', kind.toLowerCase(), name)),
    },
    'hooks-in-use': {
      meaning:
        'Objects of a hook exist, and a migration job that may not have ended uses them. An upgrade may be in progress.',
      remedy:
        'Wait until the job has ended, and check again. While it may still run, remove nothing and start no other upgrade.',
      describe: ({ objects, job }) =>
        `${named(objects)}: ${
          job === null
            ? 'jobs may not be read, so one may be using'
            : `the job ${job} may not have ended, and may be using`
        } ${objects.length === 1 ? 'it' : 'them'}`,
    },
    'hooks-replaced': ({ chart }) => `chart ${chart} replaces what is left of its hooks`,
    'no-hooks-run': 'No hook of a chart runs that could collide with anything.',
    'no-hook-left': 'Nothing is left of hooks that the next upgrade would collide with.',
  },
});

/**
 * A migration job that may not have ended: its objects must not be removed. Null if jobs may not be seen, undefined if
 * there is none.
 */
function livingJob({
  deployment,
  workloads,
}: Given<'deployment' | 'workloads', never>['facts']): string | null | undefined {
  if (mayNotSee(deployment, 'Job')) return null;
  return migrationJobs(workloads).find(({ workload: { succeeded, failed, backoffLimit } }) => {
    const gaveUp = failed !== null && backoffLimit !== null && failed > backoffLimit;
    return !gaveUp && (succeeded ?? 0) === 0;
  })?.workload.name;
}
