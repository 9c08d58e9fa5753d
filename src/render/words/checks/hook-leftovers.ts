import { chartWith } from '../../../preflight/chart-eras.js';
import type { HookLeftoversEvidence, LeftObject } from '../../../preflight/checks/hook-leftovers.js';
import { listNames } from '../lists.js';
import type { CheckWords } from './check-words.js';
import { kubectl } from './kubectl.js';

const named = (objects: readonly LeftObject[]) =>
  listNames(objects.map(({ kind, name }) => `${kind} ${name}`));
const ofChart = (chart: string | null) => (chart === null ? 'the chart' : `chart ${chart}`);

export const hookLeftoversWords: CheckWords<HookLeftoversEvidence> = {
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
      pasteIn: 'shell',
      commands: ({ objects }) =>
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
    'hooks-replaced': {
      meaning: 'The chart replaces what is left of its hooks.',
      describe: ({ chart }) => `chart ${chart} replaces what is left of its hooks`,
    },
    'no-hooks-run': {
      meaning: 'No hook that could collide runs: there is no chart, or its migration job is off.',
      describe: () => 'no hook of a chart runs that could collide with anything',
    },
    'no-hook-left': {
      meaning: 'No object of a hook is left over.',
      describe: () => 'nothing is left of hooks that the next upgrade would collide with',
    },
  },
};
