import { migrationJobs } from '../facts/lightdash-containers.js';
import { type FactOf, mayNotSee } from '../facts/needs.js';
import { type Chart, chartOfRelease, chartWith, isChartBefore } from '../instance/eras.js';
import { migrationJobState } from '../instance/workloads.js';
import { listNames } from '../render/words/lists.js';
import { defineCheck, type EvidenceOf, type Found, foundOrOk, type Given, ok, stop } from './check.js';
import { kubectl } from './commands.js';

/** An object that a hook has left behind. */
export interface LeftObject {
  readonly kind: string;
  readonly name: string;
  readonly namespace: string | null;
}

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
    const { deployment, helm, workloads, hookObjects } = facts;
    if (helm === null || migrationJobState(facts) === 'off') {
      return [ok({ kind: 'no-hooks-run' })];
    }
    const chart = chartOfRelease(helm);
    if (chart !== undefined && !collides(chart)) {
      return [ok({ kind: 'hooks-replaced', chart: chart.text })];
    }
    if (deployment.origin !== 'cluster') return [{ lacks: 'hookObjects', why: 'not-asked' }];
    if (hookObjects == null) return [{ lacks: 'hookObjects' }];
    const left = hookObjects.filter(
      (object) => isOfMigration(object) && (chart !== undefined || stays(object)),
    );
    const unseen: Found<Kinds> = mayNotSee(deployment, 'ServiceAccount', 'ConfigMap', 'Secret')
      ? [{ lacks: 'hookObjects', why: 'not-permitted', detail: deployment.unseenKinds.join(', ') }]
      : [];
    const [first] = left;
    if (first === undefined) return foundOrOk(unseen, { kind: 'no-hook-left' });
    const objects = left.map(({ kind, name, namespace }) => ({ kind, name, namespace }));
    const job = livingJob(deployment, workloads);
    const evidence: EvidenceOf<Kinds> =
      job === undefined
        ? { kind: 'hooks-left-over', objects, chart: helm.chartVersion }
        : { kind: 'hooks-in-use', objects, job };
    return [stop(first.name, evidence), ...unseen];
  },
  words: {
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
  },
});

type HookObject = FactOf<'hookObjects'>[number];

function collides(chart: Chart): boolean {
  return !isChartBefore(chart, chartWith.collidingHooks) && isChartBefore(chart, chartWith.hooksReplaced);
}

/** Objects that the chart names `<fullname>-migration`, with or without a suffix. */
function isOfMigration({ name }: HookObject): boolean {
  return /-migration(?:-configmap|-secrets|-scale-down)?$/.test(name);
}

function stays({ hook }: HookObject): boolean {
  return !hook.deletePolicies.includes('before-hook-creation');
}

/**
 * A migration job that may not have ended: its objects must not be removed. Null if jobs may not be seen, undefined if
 * there is none.
 */
function livingJob(
  deployment: Given<'deployment', never>['facts']['deployment'],
  workloads: FactOf<'workloads'>,
): string | null | undefined {
  if (mayNotSee(deployment, 'Job')) return null;
  return migrationJobs(workloads).find(({ workload: { succeeded, failed, backoffLimit } }) => {
    const gaveUp = failed !== null && backoffLimit !== null && failed > backoffLimit;
    return !gaveUp && (succeeded ?? 0) === 0;
  })?.workload.name;
}
