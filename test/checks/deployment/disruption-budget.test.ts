import { describe, expect, it } from 'vitest';
import { disruptionBudget } from '../../../src/checks/deployment/disruption-budget.js';
import type { FactOf } from '../../../src/instance/facts/needs.js';
import {
  backendOf,
  composedAt,
  type DeploymentFacts,
  deployedAt,
  seenThrough,
} from '../../support/deployment.js';
import { foundBy, itFinds } from '../../support/preflight.js';

type Budget = FactOf<'disruptionBudgets'>[number];

const chart = deployedAt('2.0.0');
const ofBackend = (replicas: number | null, told: Partial<Budget>): DeploymentFacts => ({
  ...chart,
  workloads: [backendOf('2.0.0', { replicas })],
  disruptionBudgets: [
    {
      name: 'lightdash-backend',
      workloads: ['lightdash-backend'],
      minAvailable: null,
      maxUnavailable: null,
      disruptionsAllowed: null,
      ...told,
    },
  ],
});
const scaledTo = (minReplicas: number): FactOf<'autoscalers'> => [
  {
    name: 'lightdash',
    targetKind: 'Deployment',
    targetName: 'lightdash-backend',
    minReplicas,
    maxReplicas: 5,
  },
];
const hidden = (facts: DeploymentFacts): DeploymentFacts =>
  seenThrough(facts, { namespace: null, unseenKinds: ['PodDisruptionBudget'] });

describe('a disruption budget', () => {
  itFinds(
    disruptionBudget,
    (facts: DeploymentFacts) => ({ facts }),
    {
      'ok budgets-let-pods-go': {
        'lets one pod go': chart,
        'is not there': { ...chart, disruptionBudgets: [] },
        'keeps more than all of a hundred, and says so in percent': ofBackend(101, { minAvailable: '99%' }),
        'keeps one of two': ofBackend(2, { minAvailable: '1' }),
        'keeps the half of two': ofBackend(2, { minAvailable: '50%' }),
        'keeps one of those that an autoscaler runs at least, whatever is written': {
          ...ofBackend(1, { minAvailable: '1' }),
          autoscalers: scaledTo(2),
        },
        'keeps one of those that an autoscaler runs at least': {
          ...ofBackend(null, { minAvailable: '1' }),
          autoscalers: scaledTo(2),
        },
        'keeps most of four': ofBackend(4, { minAvailable: '75%' }),
        'lets a part go': ofBackend(2, { maxUnavailable: '10%' }),
        'keeps nothing of what is scaled down': ofBackend(0, { minAvailable: '1', disruptionsAllowed: 0 }),
        'selects nothing': ofBackend(1, { minAvailable: '1', workloads: [] }),
      },
      'ok compose-has-no-budgets': { 'is nothing that compose has': composedAt('2.0.0') },
      'warn budget-keeps-all-pods lightdash-backend': {
        'keeps the only pod': ofBackend(1, { minAvailable: '1' }),
        'keeps the one pod of what says no number': ofBackend(null, { minAvailable: '1' }),
        'keeps the half of one pod, which is rounded up': ofBackend(1, { minAvailable: '50%' }),
        'keeps all of two, as a percentage': ofBackend(2, { minAvailable: '100%' }),
        'keeps the only pod, in the namespace that a manifest of the workload tells': seenThrough(
          ofBackend(1, { minAvailable: '1' }),
          { namespace: null },
        ),
      },
      'warn budget-lets-none-go lightdash-backend': {
        'lets none go': ofBackend(2, { maxUnavailable: '0' }),
        'lets no part go': ofBackend(2, { maxUnavailable: '0%' }),
      },
      'warn budget-allows-none-now lightdash-backend': {
        'lets none go now': ofBackend(2, { maxUnavailable: '1', disruptionsAllowed: 0 }),
      },
      'not-checked facts-not-seen': {
        'is not known where none may be read': hidden(ofBackend(1, { minAvailable: '1' })),
        'is not known where nothing would tell': { ...chart, disruptionBudgets: 'absent' },
        'is not known where no workload is seen that it may hold': {
          ...ofBackend(1, { minAvailable: '1' }),
          workloads: [],
        },
      },
      'not-checked facts-not-seen; warn budget-keeps-all-pods lightdash-backend': {
        'is told, and is not all, where workloads may not be read': seenThrough(
          ofBackend(1, { minAvailable: '1' }),
          { unseenKinds: ['StatefulSet'] },
        ),
      },
    },
    [
      ...([{ targetName: 'other' }, { targetKind: 'StatefulSet' }] as const).map(
        (told): [string, DeploymentFacts, string[]] => [
          `keeps the only pod, whatever an autoscaler runs of another: ${JSON.stringify(told)}`,
          {
            ...ofBackend(1, { minAvailable: '1' }),
            autoscalers: scaledTo(2).map((scaler) => ({ ...scaler, ...told })),
          },
          ['warn budget-keeps-all-pods lightdash-backend'],
        ],
      ),
    ],
  );

  it('of no known namespace is loosened where the shell stands', () => {
    const facts = seenThrough(ofBackend(1, { minAvailable: '1' }), { namespace: null });
    const workloads = [backendOf('2.0.0', { namespace: null, replicas: 1 })];
    expect(foundBy(disruptionBudget, { facts: { ...facts, workloads } })).toEqual([
      'warn budget-keeps-all-pods lightdash-backend',
    ]);
  });
});
