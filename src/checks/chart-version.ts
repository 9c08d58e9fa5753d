import { isOtherChart, servingContainers, versionOf } from '../facts/lightdash-containers.js';
import { type Chart, chartOf, chartWith, defaultApps, isChartBefore } from '../instance/eras.js';
import { lackingWorkloads, migrationJobState } from '../instance/workloads.js';
import { listNames } from '../words/lists.js';
import { defineCheck, type Found, foundOrOk, type Given, ok, stop, warn } from './check.js';
import { type NamedWorkload, scaleTo } from './commands.js';

interface Kinds {
  'pods-not-stopped-for-job': { chart: string; since: string; workloads: readonly NamedWorkload[] };
  'chart-value-ignored': { value: string; chart: string; since: string };
  'chart-value-not-told': { value: string; chart: string; seenIn: string };
  'chart-chooses-old-app': { chart: string; app: string; to: string; next: string; nextApp: string };
  'chart-of-others': { chart: string };
  'chart-fits': { chart: string };
  'no-chart': null;
}

/** Whether the version of the chart does what the upgrade needs (the contract's chart rules 1 to 5). */
export const chartVersion = defineCheck<Kinds>()({
  id: 'chart-version',
  group: 'deployment',
  needs: ['deployment', 'workloads'],
  needsOrAbsent: ['helm'],
  mayNeed: ['chartValues', 'migration-job', 'stated'],
  judge(given) {
    const { helm } = given.facts;
    if (helm === null) return [ok({ kind: 'no-chart' })];
    const { chart: name } = helm;
    if (isOtherChart(name)) {
      return [warn(name, { kind: 'chart-of-others', chart: name })];
    }
    const chart = chartOf(helm.chartVersion);
    if (chart === undefined) return [{ lacks: 'helm', why: 'failed', detail: 'the version of the chart' }];
    const told: Told = { ...given, chart };
    return foundOrOk([...judgeScaleDown(told), ...judgeApp(told), ...judgeValues(told)], {
      kind: 'chart-fits',
      chart: chart.text,
    });
  },
  label: 'Version of the chart',
  meaning: 'Whether the version of the Helm chart does what the upgrade needs of it.',
  looksAt: `The version that the objects of the release name, against the deployment rules 1 to 5 of the contract: from ${chartWith.scaleDown} on Recreate stops the workloads before the job migrates. Values that the chart does not know yet, and which release it deploys where image.tag is not set: before ${chartWith.releaseEach} that is ${defaultApps.before}.`,
  finds: {
    'pods-not-stopped-for-job': {
      meaning: `The upgrade is not proven to roll, the migration job is on, and the chart does not stop the pods before it: they keep working while the database changes under them. Charts from ${chartWith.scaleDown} on stop them (deployment rules 2 and 3).`,
      remedy: `Upgrade the chart to ${chartWith.scaleDown} or newer with upgrade.mode Recreate; or stop the pods by hand before helm upgrade, and check again with --kubernetes. What scales or reconciles them brings them back: remove an autoscaler, and pause Flux, first.`,
      describe: ({ chart, since, workloads }) =>
        `chart ${chart} (before ${since}) leaves ${listNames(workloads.map(({ kind, name }) => `${kind} ${name}`))} running while its job migrates, and the upgrade is not proven to roll`,
      shell: ({ workloads }) => scaleTo(0, workloads),
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
    'chart-of-others': {
      meaning:
        "The workloads belong to a chart other than the publisher's. What is known about chart versions does not apply to it.",
      remedy:
        'Check yourself how that chart migrates, whether it stops the pods before, and which release it deploys.',
      describe: ({ chart }) => `the workloads belong to the chart ${chart}, which is not known`,
    },
    'chart-fits': ({ chart }) => `chart ${chart} does what the upgrade needs of it`,
    'no-chart': 'It is not deployed by a chart.',
  },
});

interface Told extends Given<'deployment' | 'workloads', 'helm', 'chartValues' | 'stated'> {
  readonly chart: Chart;
}

/** Chart rules 2 and 3: if the span is not proven to roll, no old pod may run while the job migrates. */
function judgeScaleDown({ chart, line, facts }: Told): Found<Kinds> {
  const { deployment, workloads } = facts;
  const { text } = chart;
  const since = chartWith.scaleDown;
  if (!isChartBefore(chart, since) || line.rolling) return [];
  const lacking = lackingWorkloads(deployment, workloads);
  if (lacking.length > 0) return lacking;
  const running = new Map(
    servingContainers(workloads)
      .filter(({ workload: { replicas } }) => replicas !== 0)
      .map(({ workload: { kind, name, namespace } }) => [`${kind} ${name}`, { kind, name, namespace }]),
  );
  const job = migrationJobState(facts);
  if (job === 'off' || running.size === 0) return [];
  if (job === 'not-told') return [{ lacks: 'migration-job' }];
  return [
    stop(text, { kind: 'pods-not-stopped-for-job', chart: text, since, workloads: [...running.values()] }),
  ];
}

/** If nothing pins the release, an old chart deploys a very old one, and the next chart jumps. */
function judgeApp({ to, chart, facts: { workloads, chartValues } }: Told): Found<Kinds> {
  if (!isChartBefore(chart, chartWith.releaseEach)) return [];
  const versions = servingContainers(workloads).map(({ container }) => versionOf(container));
  if (versions.some((version) => version !== undefined && version !== defaultApps.before)) return [];
  // Without values, `judgeValues` reports what is missing.
  if (chartValues == null || chartValues.imageTag !== null) return [];
  const { before: app, from: nextApp } = defaultApps;
  const evidence = { chart: chart.text, app, to, next: chartWith.releaseEach, nextApp };
  return [stop('image.tag', { kind: 'chart-chooses-old-app', ...evidence })];
}

/** A chart silently ignores values that it does not know. `upgrade.mode` came no earlier than the scale-down. */
function judgeValues({ chart, line, facts: { chartValues: values } }: Told): Found<Kinds> {
  const seenIn = chartWith.upgradeModeSeen;
  if (!isChartBefore(chart, seenIn)) return [];
  if (values == null) return [{ lacks: 'chartValues', ...(values === null ? { why: 'not-asked' } : {}) }];
  const { scaleDown, strategy, migrationJob, jobSecret, inheritedVariables } = chartWith;
  const mode = values.upgradeMode || null;
  const relied = !line.rolling && mode !== 'RollingUpdate' ? stop : warn;
  const known = [
    { value: 'upgrade.mode', since: scaleDown, isSet: mode !== null, judged: relied },
    {
      value: 'lightdashBackend.strategy',
      since: strategy,
      isSet: values.backendStrategy !== null,
      judged: relied,
    },
    { value: 'migrationJob.enabled', since: migrationJob, isSet: values.migrationJobEnabled },
    { value: 'migrationJob.existingSecret', since: jobSecret, isSet: values.migrationJobExistingSecret },
    {
      value: 'migrationJob.inheritGlobalEnv',
      since: inheritedVariables,
      isSet: values.migrationJobInheritsGlobalEnv,
    },
  ];
  const ignored = known.flatMap(({ value, since, isSet, judged = warn }) =>
    isSet && isChartBefore(chart, since)
      ? [judged(value, { kind: 'chart-value-ignored', value, chart: chart.text, since })]
      : [],
  );
  if (mode === null || isChartBefore(chart, scaleDown)) return ignored;
  const value = 'upgrade.mode';
  return [...ignored, warn(value, { kind: 'chart-value-not-told', value, chart: chart.text, seenIn })];
}
