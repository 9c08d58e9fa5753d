import { describe, expect, it } from 'vitest';
import { autoscaler } from '../../../src/checks/deployment/autoscaler.js';
import type { AppliedBy } from '../../../src/instance/facts/deployment-facts.js';
import type { FactOf } from '../../../src/instance/facts/needs.js';
import {
  chartValuesOf,
  composedAt,
  type DeploymentFacts,
  deployedAt,
  migrationJobOf,
  seenThrough,
  servingOf,
  workerOf,
} from '../../support/deployment.js';
import { foundBy, type ReleaseCase } from '../../support/preflight.js';

const chart = deployedAt('2.0.0');
type Told = Partial<FactOf<'autoscalers'>[number]>;
const scalers = (...told: readonly Told[]): DeploymentFacts => ({
  ...chart,
  autoscalers: told.map((one) => ({
    name: 'lightdash',
    targetKind: 'Deployment',
    targetName: 'lightdash-backend',
    minReplicas: 1,
    maxReplicas: 5,
    ...one,
  })),
});
const scaler = (told: Told = {}) => scalers(told);
const withJob = (facts: DeploymentFacts, chartVersion: string): DeploymentFacts => ({
  ...facts,
  workloads: [...(typeof facts.workloads === 'object' ? facts.workloads : []), migrationJobOf('2.0.0')],
  helm: { release: 'lightdash', namespace: 'lightdash', chart: 'lightdash', chartVersion },
});
const applied = (appliedBy: AppliedBy, facts: DeploymentFacts): DeploymentFacts => ({
  ...facts,
  helm: { ...(facts.helm as FactOf<'helm'>), appliedBy },
});
const unproven: ReleaseCase = { version: '2.1.0', entry: { rollingUpdateSafe: false } };
const leavesZero = ['ok autoscalers-leave-zero'];
const byKeda: Told = { name: 'keda-hpa-bi' };
const scalesUp = ['warn autoscaler-scales-up keda-hpa-bi'];

describe('an autoscaler', () => {
  it.each<[string, DeploymentFacts, string[], ReleaseCase?]>([
    ['is not there', chart, ['ok no-autoscaler']],
    ['is nothing that compose has', composedAt('2.0.0'), ['ok no-autoscaler']],
    ['leaves what is scaled to 0', scaler(), leavesZero],
    ['may bring pods back if KEDA made it', scaler(byKeda), scalesUp],
    [
      'may bring pods back if an operator made it, whatever its name',
      scaler({ owner: 'ScaledObject bi' }),
      ['warn autoscaler-scales-up lightdash'],
    ],
    [
      'may bring pods back if it may scale to 0 itself',
      scaler({ minReplicas: 0 }),
      ['warn autoscaler-scales-up lightdash'],
    ],
    [
      'may bring pods back beside one that does not',
      scalers({ targetName: 'lightdash-worker' }, byKeda),
      scalesUp,
    ],
    ['of KEDA is not removed by the chart', withJob(scaler(byKeda), '2.16.284'), scalesUp],
    [
      'of KEDA may stay where the upgrade rolls',
      scaler(byKeda),
      ['ok autoscalers-may-stay'],
      { version: '2.1.0' },
    ],
    ['may stay where the upgrade rolls', scaler(), ['ok autoscalers-may-stay'], { version: '2.1.0' }],
    ...([chart, seenThrough(chart, { unseenKinds: ['HorizontalPodAutoscaler'] })] as const).map(
      (facts): [string, DeploymentFacts, string[], ReleaseCase] => [
        'may stay, seen or not, where the upgrade rolls',
        { ...facts, autoscalers: 'absent' },
        ['ok autoscalers-may-stay-unseen'],
        { version: '2.1.0' },
      ],
    ),
    ['is of something else', scaler({ targetName: 'other' }), ['ok no-autoscaler']],
    ['is of another kind of the same name', scaler({ targetKind: 'StatefulSet' }), ['ok no-autoscaler']],
    ['is removed by the chart', withJob(scaler(), '2.16.284'), ['ok autoscaler-removed-by-chart']],
    [
      'is not removed by a chart that Argo CD applies',
      applied('argo-cd', withJob(scaler(), '2.16.284')),
      leavesZero,
    ],
    [
      'is removed by the chart of a HelmRelease of Flux',
      applied('flux', withJob(scaler(), '2.16.284')),
      ['ok autoscaler-removed-by-chart'],
    ],
    [
      'is removed by the chart, and so is every other',
      withJob(scalers({}, { name: 'nightly' }), '2.16.284'),
      ['ok autoscaler-removed-by-chart'],
    ],
    ['is not removed by an older chart', withJob(scaler(), '2.16.283'), leavesZero],
    ['is not removed by an unknown chart', withJob(scaler(), 'latest'), leavesZero],
    [
      'of a worker is not removed',
      withJob(scaler({ targetName: 'lightdash-worker' }), '2.16.361'),
      leavesZero,
    ],
    [
      'is not removed where no job migrates',
      { ...scaler(), chartValues: chartValuesOf({ migrationJobEnabled: false }) },
      leavesZero,
    ],
    [
      'is not known to be removed where nothing tells whether a job migrates',
      { ...scaler(), workloads: [servingOf('2.0.0'), workerOf('2.0.0')], chartValues: 'absent' },
      leavesZero,
    ],
    [
      'is not removed by another chart, whatever its version',
      {
        ...withJob(scaler(), ''),
        helm: { release: 'bi', namespace: 'bi', chart: 'our-lightdash', chartVersion: '3.1.0' },
      },
      leavesZero,
    ],
    ['of no chart is not removed', { ...scaler(), helm: 'absent' }, leavesZero],
    [
      'is not known where none may be read',
      seenThrough(chart, { unseenKinds: ['HorizontalPodAutoscaler'] }),
      ['not-checked facts-not-seen'],
    ],
    [
      'is not known where nothing would tell',
      { ...chart, autoscalers: 'absent' },
      ['not-checked facts-not-seen'],
    ],
    ['is not known where no backend was read', { ...chart, workloads: [] }, ['not-checked facts-not-seen']],
  ])('%s', (_, facts, found, target = unproven) => {
    expect(foundBy(autoscaler, { releases: [{ version: '2.0.0' }, target], facts })).toEqual(found);
  });
});
