import { chartWith, defaultApps } from '../../../preflight/chart-eras.js';
import type { ChartVersionEvidence } from '../../../preflight/checks/chart-version.js';
import { listNames } from '../lists.js';
import type { CheckWords } from './check-words.js';
import { scaleToZero } from './kubectl.js';

export const chartVersionWords: CheckWords<ChartVersionEvidence> = {
  label: 'Version of the chart',
  meaning: 'Whether the version of the Helm chart does what the upgrade needs of it.',
  looksAt: `The version that the objects of the release name, against the deployment rules 1 to 5 of the contract: from ${chartWith.scaleDown} on Recreate stops the workloads before the job migrates. Values that the chart does not know yet, and which release it deploys where image.tag is not set: before ${chartWith.releaseEach} that is ${defaultApps.before}.`,
  finds: {
    'pods-not-stopped-for-job': {
      meaning: `The upgrade is not proven to roll, the migration job is on, and the chart does not stop the pods before it: they keep working while the database changes under them. Charts from ${chartWith.scaleDown} on stop them (deployment rules 2 and 3).`,
      remedy: `Upgrade the chart to ${chartWith.scaleDown} or newer with upgrade.mode Recreate; or stop the pods by hand before helm upgrade, and check again with --kubernetes. What scales or reconciles them brings them back: remove an autoscaler, and pause Flux, first.`,
      describe: ({ chart, since, workloads }) =>
        `chart ${chart} (before ${since}) leaves ${listNames(workloads.map(({ kind, name }) => `${kind} ${name}`))} running while its job migrates, and the upgrade is not proven to roll`,
      pasteIn: 'shell',
      commands: ({ workloads }) => scaleToZero(workloads),
    },
    'chart-value-ignored': {
      meaning: 'A value is set that this version of the chart does not know. The chart silently ignores it.',
      remedy: 'Upgrade the chart to a version that knows it, or achieve its purpose in another way.',
      describe: ({ value, chart, since }) =>
        `${value} is set, and chart ${chart} does not know it; charts from ${since} on do`,
    },
    'chart-value-not-told': {
      meaning:
        'A value is set, and whether this version of the chart already knows it is not certain. A chart that does not know it silently ignores it.',
      remedy:
        'Check whether helm template with this chart renders it, or upgrade the chart to the version named.',
      describe: ({ value, chart, seenIn }) =>
        `${value} is set, and whether chart ${chart} knows it is not certain; ${seenIn} does`,
    },
    'chart-chooses-old-app': {
      meaning: `Nothing pins the release, so charts before ${chartWith.releaseEach} then deploy ${defaultApps.before}. The next chart is a jump of more than a thousand releases.`,
      remedy:
        'First set image.tag to the running release, then upgrade chart and release one after the other.',
      describe: ({ chart, app, to, next, nextApp }) =>
        `image.tag is not set: chart ${chart} deploys ${app} and never ${to}, and from chart ${next} on it would be ${nextApp} or newer`,
    },
    'chart-withdrawn': {
      meaning: 'This version of the chart was withdrawn on the day it was published.',
      remedy: 'Use the version that replaced it, or a newer one.',
      describe: ({ chart, instead }) => `chart ${chart} was withdrawn; ${instead} replaced it`,
    },
    'chart-refuses-target': {
      meaning: 'This version of the chart refuses to deploy the target.',
      remedy: 'Choose another version of the chart: this one was withdrawn as well.',
      describe: ({ chart, to, minimum }) =>
        `chart ${chart} deploys no release before ${minimum}, and ${to} is wanted`,
    },
    'chart-of-others': {
      meaning:
        "The workloads belong to a chart other than the publisher's. What is known about chart versions does not apply to it.",
      remedy:
        'Check yourself how that chart migrates, whether it stops the pods before, and which release it deploys.',
      describe: ({ chart }) => `the workloads belong to the chart ${chart}, which is not known`,
    },
    'chart-fits': {
      meaning: 'The chart does what the upgrade needs of it, and knows the values that are set.',
      describe: ({ chart }) => `chart ${chart} does what the upgrade needs of it`,
    },
    'no-chart': {
      meaning: 'Lightdash is not deployed by a chart.',
      describe: () => 'it is not deployed by a chart',
    },
  },
};
