import { describe, expect, it } from 'vitest';
import { chartRecreateOf } from '../../src/release-safety/chart-version.js';
import {
  type ChartRecreate,
  type Deployment,
  firstChartThatStopsWorkloads,
  lastChartThatNeedsScaleDown,
  type Strategy,
  stepsFor,
  strategyFor,
} from '../../src/release-safety/deployment.js';

describe('strategyFor', () => {
  it.each([
    [true, 'RollingUpdate'],
    [false, 'Recreate'],
    ['unknown', 'Recreate'],
  ] as const)('span rule 1: %s means %s', (verdict, strategy) => {
    expect(strategyFor(verdict)).toBe(strategy);
  });
});

describe('chartRecreateOf', () => {
  it.each([
    [firstChartThatStopsWorkloads, 'stops-workloads'],
    ['2.16.284', 'stops-workloads'],
    ['v2.16.284', 'stops-workloads'],
    ['2.16.285-rc.1', 'stops-workloads'],
    ['2.17.0', 'stops-workloads'],
    ['10.0.0', 'stops-workloads'],
    [lastChartThatNeedsScaleDown, 'needs-scale-down'],
    ['2.16.283', 'needs-scale-down'],
    ['2.16.99', 'needs-scale-down'],
    ['2.16.284-rc.1', 'needs-scale-down'],
    ['1.99.999', 'needs-scale-down'],
  ])('deployment rules 2 and 3: chart %s: %s', (version, recreate) => {
    expect(chartRecreateOf(version)).toBe(recreate);
  });

  it.each(['', '2.16', 'latest', '2.16.284 ', '^2.16.284', '2.16.x', 'lightdash-2.16.284', '02.1.1'])(
    'refuses %j',
    (version) => {
      expect(() => chartRecreateOf(version)).toThrow(
        expect.objectContaining({
          code: 'invalid-version',
          message: `${JSON.stringify(version)} is not a chart version`,
          hint: 'Write it as "helm list" shows it behind the name of the chart, for example 2.16.284.',
        }),
      );
    },
  );
});

describe('stepsFor', () => {
  const helm = (chartRecreate: ChartRecreate, migrationJob: boolean): Deployment => ({
    kind: 'helm',
    chartRecreate,
    migrationJob,
  });
  const compose: Deployment = { kind: 'compose' };

  it.each<[string, Strategy, Deployment, string]>([
    [
      'rolling',
      'RollingUpdate',
      helm('needs-scale-down', false),
      'back-up-database set-helm-values helm-upgrade wait-for-rollout confirm-version',
    ],
    [
      'rolling with a migration job',
      'RollingUpdate',
      helm('unknown', true),
      'back-up-database set-helm-values helm-upgrade wait-for-migration-job wait-for-rollout confirm-version',
    ],
    [
      'rule 2: a newer chart stops the workloads itself',
      'Recreate',
      helm('stops-workloads', true),
      'back-up-database set-helm-values helm-upgrade wait-for-migration-job wait-for-rollout confirm-version',
    ],
    [
      'rule 3: an older chart needs the workloads scaled down by hand',
      'Recreate',
      helm('needs-scale-down', true),
      'back-up-database set-helm-values scale-down-workloads helm-upgrade wait-for-migration-job wait-for-rollout confirm-version',
    ],
    [
      'rule 3, without a migration job too',
      'Recreate',
      helm('needs-scale-down', false),
      'back-up-database set-helm-values scale-down-workloads helm-upgrade wait-for-rollout confirm-version',
    ],
    [
      'rule 4: without a migration job',
      'Recreate',
      helm('stops-workloads', false),
      'back-up-database set-helm-values helm-upgrade wait-for-rollout confirm-version',
    ],
    [
      'an unknown chart: both cases',
      'Recreate',
      helm('unknown', true),
      'back-up-database set-helm-values scale-down-workloads helm-upgrade wait-for-migration-job wait-for-rollout confirm-version',
    ],
    [
      'compose, rolling',
      'RollingUpdate',
      compose,
      'back-up-database set-compose-tag compose-up confirm-version',
    ],
    [
      'compose, recreate: down, change the tag, up',
      'Recreate',
      compose,
      'back-up-database compose-down set-compose-tag compose-up confirm-version',
    ],
  ])('%s', (_, strategy, deployment, steps) => {
    expect(stepsFor(strategy, deployment).map((step) => step.kind)).toEqual(steps.split(' '));
  });

  it.each<[Strategy, ChartRecreate, boolean, string]>([
    ['RollingUpdate', 'needs-scale-down', true, 'never'],
    ['Recreate', 'stops-workloads', true, 'before-migration-job'],
    ['Recreate', 'stops-workloads', false, 'while-applying'],
    ['Recreate', 'needs-scale-down', true, 'before-this-step'],
    ['Recreate', 'needs-scale-down', false, 'before-this-step'],
    ['Recreate', 'unknown', true, 'before-migration-job-if-newer-chart'],
    ['Recreate', 'unknown', false, 'while-applying'],
  ])('%s, %s, migration job %s: the workloads stop %s', (strategy, chart, migrationJob, workloadsStop) => {
    expect(stepsFor(strategy, helm(chart, migrationJob))).toContainEqual({
      kind: 'helm-upgrade',
      workloadsStop,
    });
  });

  it.each([
    ['needs-scale-down', false],
    ['unknown', true],
  ] as const)('chart %s: scaling down is for older charts only: %s', (chart, onlyOlderCharts) => {
    expect(stepsFor('Recreate', helm(chart, true))).toContainEqual({
      kind: 'scale-down-workloads',
      onlyOlderCharts,
    });
  });
});
