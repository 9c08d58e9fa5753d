import { migrationJobs } from '../../instance/facts/lightdash-containers.js';
import { type FactOf, mayNotSee } from '../../instance/facts/needs.js';
import { chartOfRelease, chartWith, isChartBefore } from '../../instance/first-versions.js';
import { migrationJobState } from '../../instance/workloads.js';
import { listNames } from '../../words/phrase.js';
import { defineCheck, lacks, ok, stop } from '../check.js';
import { kubectl } from '../commands.js';

type LeftObject = Pick<FactOf<'hookObjects'>[number], 'kind' | 'name' | 'namespace'>;

const list = (objects: readonly LeftObject[]) =>
  listNames(objects.map(({ kind, name }) => `${kind} ${name}`));

export const hookLeftovers = defineCheck({
  id: 'hook-leftovers',
  needs: ['deployment', 'workloads'],
  needsOrAbsent: ['helm'],
  mayNeed: ['hookObjects', 'chartValues', 'stated'],
  *judge({ facts }) {
    const { deployment, helm, hookObjects } = facts;
    if (helm === null || migrationJobState(facts) === 'off') return ok({ kind: 'no-hooks-run' });
    const { collidingHooks, hooksReplaced } = chartWith;
    const chart = chartOfRelease(helm);
    if (chart !== undefined && (isChartBefore(chart, collidingHooks) || !isChartBefore(chart, hooksReplaced)))
      return ok({ kind: 'hooks-replaced', chart: chart.text });
    if (deployment.origin !== 'cluster') return lacks('hookObjects', { why: 'not-asked' });
    if (hookObjects == null) return lacks('hookObjects');
    const objects = hookObjects
      .filter(({ name }) => /-migration(?:-configmap|-secrets|-scale-down)?$/.test(name))
      .filter(({ hook }) => chart !== undefined || !hook.deletePolicies.includes('before-hook-creation'))
      .map(({ kind, name, namespace }) => ({ kind, name, namespace }));
    if (mayNotSee(deployment, 'ServiceAccount', 'ConfigMap', 'Secret'))
      yield lacks('hookObjects', { why: 'not-permitted', detail: deployment.unseenKinds.join(', ') });
    const [first] = objects;
    if (first !== undefined) {
      const job = mayNotSee(deployment, 'Job') ? null : livingJob(facts.workloads);
      if (job === undefined)
        yield stop(first.name, { kind: 'hooks-left-over', objects, chart: helm.chartVersion });
      else yield stop(first.name, { kind: 'hooks-in-use', objects, job });
    }
    return ok({ kind: 'no-hook-left' });
  },
})({
  label: 'Leftovers of hooks',
  meaning:
    'Whether an interrupted upgrade left objects that the hooks of the next one collide with. What it looks ' +
    'at: ServiceAccounts, ConfigMaps and Secrets in the cluster that are hooks of the chart and named ' +
    `-migration. Charts from ${chartWith.collidingHooks} to before ${chartWith.hooksReplaced} do not replace ` +
    'them (helm PR#141); for another chart, their delete policy shows it. helm never prints them.',
  finds: {
    'hooks-left-over': {
      meaning: 'The chart does not replace leftovers of a hook: each upgrade fails with "already exists".',
      remedy:
        `Upgrade with chart ${chartWith.hooksReplaced} or newer, or remove them while no upgrade runs; the ` +
        'hook creates them again.',
      describe: ({ objects, chart }) =>
        `left over, not replaced by ${chart === null ? 'the chart' : `chart ${chart}`}: ${list(objects)}`,
      shell: ({ objects }) =>
        objects.map(({ kind, name, namespace }) => kubectl(namespace, 'delete', kind.toLowerCase(), name)),
    },
    'hooks-in-use': {
      meaning:
        'A migration job that may still be running uses objects of a hook: an upgrade may be in progress.',
      remedy: 'Wait until the job ends, then check again. Until then, remove nothing and do not upgrade.',
      describe: ({ objects, job }) =>
        `${job === null ? 'no permission to read jobs, and one' : `the job ${job} may still be running and`} may ` +
        `be using ${list(objects)}`,
    },
    'hooks-replaced': ({ chart }) => `chart ${chart} replaces leftovers of its hooks`,
    'no-hooks-run': 'No chart hook runs that could collide.',
    'no-hook-left': 'No leftovers of hooks that the next upgrade would collide with.',
  },
});

/** A migration job that may not have ended: its objects must not be removed. */
function livingJob(workloads: FactOf<'workloads'>): string | undefined {
  return migrationJobs(workloads).find(({ workload: { succeeded, failed, backoffLimit } }) => {
    const gaveUp = failed !== null && backoffLimit !== null && failed > backoffLimit;
    return !gaveUp && (succeeded ?? 0) === 0;
  })?.workload.name;
}
