import { isOtherChart, servingContainers, versionOf } from '../../instance/facts/lightdash-containers.js';
import { type Chart, chartOf, chartWith, defaultApps, isChartBefore } from '../../instance/first-versions.js';
import { migrationJobState, workloadName, workloadsNotSeen } from '../../instance/workloads.js';
import { listNames } from '../../words/phrase.js';
import { type CheckInput, defineCheck, lacks, ok, stop, warn } from '../check.js';
import { namedWorkload, scaleTo } from '../commands.js';

export const chartVersion = defineCheck({
  id: 'chart-version',
  needs: ['deployment', 'workloads'],
  needsOrAbsent: ['helm'],
  mayNeed: ['chartValues', 'migration-job', 'stated'],
  *judge(input) {
    const { helm } = input.facts;
    if (helm === null) return ok({ kind: 'no-chart' });
    if (isOtherChart(helm.chart)) return warn(helm.chart, { kind: 'chart-of-others', chart: helm.chart });
    const chart = chartOf(helm.chartVersion);
    if (chart === undefined) return lacks('helm', { why: 'failed', detail: 'the version of the chart' });
    const ofChart = { ...input, chart };
    yield* judgeScaleDown(ofChart);
    yield* judgeApp(ofChart);
    yield* judgeValues(ofChart);
    return ok({ kind: 'chart-fits', chart: chart.text });
  },
})({
  label: 'Version of the chart',
  meaning:
    'Whether this version of the Helm chart does what the upgrade needs. What it looks at: The version that ' +
    'the objects of the release name, against the deployment rules 1 to 5 of the contract: ' +
    `from ${chartWith.scaleDown} on, Recreate stops the workloads before the job migrates. Values that the chart ` +
    `does not know yet. Which release it deploys if image.tag is not set: before ${chartWith.releaseEach}, ` +
    `that is ${defaultApps.before}.`,
  traitsOf: { 'pods-not-stopped-for-job': { settledBy: 'recreate' } },
  finds: {
    'pods-not-stopped-for-job': {
      meaning:
        'The upgrade is not proven to roll, the migration job is on, and the chart does not stop the pods ' +
        `first: they keep working while the database changes under them. Charts from ${chartWith.scaleDown} on ` +
        'stop them (deployment rules 2 and 3).',
      remedy:
        `Upgrade the chart to ${chartWith.scaleDown} or newer with upgrade.mode Recreate; or stop the pods by ` +
        'hand before helm upgrade, and check again with --kubernetes. KEDA or Flux would bring them ' +
        'back: remove or pause it first.',
      describe: ({ chart, since, workloads }) =>
        `chart ${chart} (before ${since}) leaves ${listNames(workloads.map(workloadName))} running while its ` +
        'job migrates, and the upgrade is not proven to roll',
      shell: ({ workloads }) => scaleTo(0, workloads),
    },
    'chart-value-ignored': {
      meaning: 'A value is set that this version of the chart does not know and silently ignores.',
      remedy: 'Upgrade the chart to a version that knows it, or find another way.',
      describe: ({ value, chart, since }) =>
        `${value} is set, but chart ${chart} does not know it; charts from ${since} on do`,
    },
    'chart-value-not-told': {
      meaning:
        'A value is set that this version of the chart might not know yet; it would silently ignore it.',
      remedy: 'Check that helm template with this chart renders it, or upgrade to the version named.',
      describe: ({ value, chart, seenIn }) =>
        `${value} is set, but chart ${chart} might not know it; ${seenIn} does`,
    },
    'chart-chooses-old-app': {
      meaning:
        `Nothing pins the release, so charts before ${chartWith.releaseEach} deploy ${defaultApps.before}. The ` +
        'next chart jumps more than a thousand releases.',
      remedy: 'First set image.tag to the running release, then upgrade chart and release one by one.',
      describe: ({ chart, app, to, next, nextApp }) =>
        `image.tag is not set: chart ${chart} deploys ${app} and never ${to}, and from chart ${next} on it ` +
        `would be ${nextApp} or newer`,
    },
    'chart-of-others': {
      meaning: "The chart is not the publisher's, so nothing is known about its versions.",
      remedy: 'Check how that chart migrates, whether it stops the pods first, and what it deploys.',
      describe: ({ chart }) => `the workloads belong to the unknown chart ${chart}`,
    },
    'chart-fits': ({ chart }) => `chart ${chart} does what the upgrade needs of it`,
    'no-chart': 'No chart deploys it.',
  },
});

interface OfChart extends CheckInput<'deployment' | 'workloads', 'helm', 'chartValues' | 'stated'> {
  readonly chart: Chart;
}

/** Chart rules 2 and 3: if the span is not proven to roll, no old pod may run while the job migrates. */
function* judgeScaleDown({ chart, line, facts }: OfChart) {
  const { deployment, workloads } = facts;
  const since = chartWith.scaleDown;
  if (!isChartBefore(chart, since) || line.rolling) return;
  const lacking = workloadsNotSeen(deployment, workloads);
  if (lacking.length > 0) return yield* lacking;
  const serving = new Set(servingContainers(workloads).map(({ workload }) => workload));
  const running = [...serving].filter(({ replicas }) => replicas !== 0).map(namedWorkload);
  const job = migrationJobState(facts);
  if (job === 'off' || running.length === 0) return;
  const evidence = { chart: chart.text, since, workloads: running };
  yield job === 'on'
    ? stop(chart.text, { kind: 'pods-not-stopped-for-job', ...evidence })
    : lacks('migration-job');
}

/** If nothing pins the release, an old chart deploys a very old one, and the next chart jumps. */
function* judgeApp({ to, chart, facts: { workloads, chartValues } }: OfChart) {
  const { before: app, from: nextApp } = defaultApps;
  const isPinned = servingContainers(workloads)
    .map(({ container }) => versionOf(container))
    .some((version) => version !== undefined && version !== app);
  // Without values, `judgeValues` reports what is missing.
  if (!isChartBefore(chart, chartWith.releaseEach) || isPinned || chartValues?.imageTag !== null) return;
  const evidence = { chart: chart.text, app, to, next: chartWith.releaseEach, nextApp };
  yield stop('image.tag', { kind: 'chart-chooses-old-app', ...evidence });
}

/** A chart silently ignores values that it does not know. `upgrade.mode` came no earlier than the scale-down. */
function* judgeValues({ chart: at, line, facts: { chartValues: values } }: OfChart) {
  const seenIn = chartWith.upgradeModeSeen;
  if (!isChartBefore(at, seenIn)) return;
  if (values == null) {
    yield lacks('chartValues', values === null ? { why: 'not-asked' } : {});
    return;
  }
  const { scaleDown, strategy, migrationJob, jobSecret, inheritedVariables } = chartWith;
  const mode = values.upgradeMode || null;
  const relied = !line.rolling && mode !== 'RollingUpdate' ? stop : warn;
  const chart = at.text;
  const known = [
    ['upgrade.mode', scaleDown, mode !== null, relied],
    ['lightdashBackend.strategy', strategy, values.backendStrategy !== null, relied],
    ['migrationJob.enabled', migrationJob, values.migrationJobEnabled, warn],
    ['migrationJob.existingSecret', jobSecret, values.migrationJobExistingSecret, warn],
    ['migrationJob.inheritGlobalEnv', inheritedVariables, values.migrationJobInheritsGlobalEnv, warn],
  ] as const;
  for (const [value, since, isSet, judged] of known) {
    if (isSet && isChartBefore(at, since))
      yield judged(value, { kind: 'chart-value-ignored', value, chart, since });
  }
  const value = 'upgrade.mode';
  if (mode !== null && !isChartBefore(at, scaleDown))
    yield warn(value, { kind: 'chart-value-not-told', value, chart, seenIn });
}
