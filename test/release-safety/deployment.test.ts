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

  const rolling =
    'confirm-start check-values rehearse-upgrade back-up-database helm-upgrade wait-for-rollout confirm-version';
  // What writes is stopped before the backup, whatever the chart does by itself.
  const recreate =
    'confirm-start check-values rehearse-upgrade rehearse-backup scale-down-workloads back-up-database helm-upgrade wait-for-rollout confirm-version';

  it.each<[string, Strategy, Deployment, string]>([
    ['rolling', 'RollingUpdate', helm('needs-scale-down', false), rolling],
    ['rolling with a migration job', 'RollingUpdate', helm('unknown', true), rolling],
    ['rule 2: a newer chart', 'Recreate', helm('stops-workloads', true), recreate],
    ['rule 3: an older chart', 'Recreate', helm('needs-scale-down', true), recreate],
    ['rule 3, without a migration job too', 'Recreate', helm('needs-scale-down', false), recreate],
    ['rule 4: without a migration job', 'Recreate', helm('stops-workloads', false), recreate],
    ['an unknown chart', 'Recreate', helm('unknown', true), recreate],
    [
      'compose, rolling',
      'RollingUpdate',
      compose,
      'confirm-start pull-image back-up-database compose-up confirm-version',
    ],
    [
      'compose, recreate: nothing stops before the image is here, and the database goes down after its backup',
      'Recreate',
      compose,
      'confirm-start pull-image rehearse-backup stop-services back-up-database compose-down compose-up confirm-version',
    ],
  ])('%s', (_, strategy, deployment, steps) => {
    expect(stepsFor(strategy, deployment).map((step) => step.kind)).toEqual(steps.split(' '));
  });

  it('says of an upgrade whether old and new pods overlap in it', () => {
    const overlapOf = (strategy: Strategy) =>
      stepsFor(strategy, helm('unknown', true)).flatMap((step) =>
        step.kind === 'helm-upgrade' ? [step.overlap] : [],
      );
    expect([overlapOf('RollingUpdate'), overlapOf('Recreate')]).toEqual([[true], [false]]);
  });

  it.each<[ChartRecreate, boolean, string]>([
    ['stops-workloads', true, 'chart-stops-them-before-migrating'],
    ['stops-workloads', false, 'chart-stops-them-while-applying'],
    ['needs-scale-down', true, 'chart-never-stops-them'],
    ['needs-scale-down', false, 'chart-never-stops-them'],
    ['unknown', true, 'chart-may-never-stop-them'],
    ['unknown', false, 'chart-may-never-stop-them'],
  ])('chart %s, migration job %s: scaled down by hand, as the %s', (chart, migrationJob, why) => {
    expect(stepsFor('Recreate', helm(chart, migrationJob))).toContainEqual({
      kind: 'scale-down-workloads',
      why,
    });
  });

  it.each<[Strategy, boolean]>([
    ['Recreate', true],
    ['RollingUpdate', false],
  ])('%s: the writers are stopped before the backup: %s', (strategy, writersStopped) => {
    for (const [deployment, where] of [
      [helm('unknown', true), 'cluster'],
      [compose, 'compose'],
    ] as const) {
      expect(stepsFor(strategy, deployment)).toContainEqual({
        kind: 'back-up-database',
        where,
        writersStopped,
      });
    }
  });
});
