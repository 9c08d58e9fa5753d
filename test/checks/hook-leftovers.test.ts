import { describe, expect, it } from 'vitest';
import { hookLeftovers } from '../../src/checks/hook-leftovers.js';
import type { FactOf } from '../../src/facts/needs.js';
import {
  chartValuesOf,
  composedAt,
  type DeploymentFacts,
  deployedAt,
  migrationJobOf,
} from '../support/deployment.js';
import { foundBy, itFinds } from '../support/preflight.js';

type HookObject = FactOf<'hookObjects'>[number];

const left = (name: string, told: Partial<HookObject> = {}): HookObject => ({
  kind: 'ServiceAccount',
  name,
  namespace: 'lightdash',
  hook: { events: ['pre-install', 'pre-upgrade'], deletePolicies: ['hook-succeeded', 'hook-failed'] },
  ...told,
});
const helm = (chartVersion: string | null) => ({
  helm: { release: 'bi', namespace: 'lightdash', chart: 'lightdash', chartVersion },
});
const jobOn = { chartValues: chartValuesOf({ migrationJobEnabled: true }) };
const one = { hookObjects: [left('bi-lightdash-migration')] };
const replaced = {
  hookObjects: [
    left('bi-lightdash-migration', {
      hook: { events: ['pre-upgrade'], deletePolicies: ['before-hook-creation'] },
    }),
  ],
};
const ended = migrationJobOf('2.0.0', { succeeded: 1, failed: 0 });
const living = migrationJobOf('2.0.0', { succeeded: 0, failed: 2 });
const lastTry = migrationJobOf('2.0.0', { succeeded: 0, failed: 10 });
const gaveUp = migrationJobOf('2.0.0', { succeeded: null, failed: 11 });
const stopped = ['stop hooks-left-over bi-lightdash-migration'];
const unseen = (...unseenKinds: string[]) => ({
  deployment: {
    kind: 'kubernetes' as const,
    origin: 'cluster' as const,
    sources: ['production'],
    namespace: null,
    hooksSeen: null,
    unseenKinds,
  },
});
const rendered = { deployment: { ...unseen().deployment, origin: 'rendered' as const } };

describe('what hooks have left', () => {
  itFinds(
    hookLeftovers,
    (facts: Partial<DeploymentFacts>) => ({ facts: { ...deployedAt('2.0.0'), ...jobOn, ...facts } }),
    {
      'is nothing': [helm('2.10.174'), 'ok no-hook-left'],
      collides: [{ ...helm('2.10.174'), ...one }, ...stopped],
      'collides from the first chart on': [{ ...helm('2.7.0'), ...one }, ...stopped],
      'is replaced by the chart': [{ ...helm('2.10.175'), ...one }, 'ok hooks-replaced'],
      'collides with another chart, whatever its version': [
        {
          ...helm('2.10.174'),
          helm: { release: 'bi', namespace: 'bi', chart: 'our-lightdash', chartVersion: '3.1.0' },
          ...one,
        },
        ...stopped,
      ],
      'is replaced by the chart of before': [{ ...helm('2.6.1'), ...one }, 'ok hooks-replaced'],
      'collides by its own policy': [{ ...helm(null), ...one }, ...stopped],
      'is replaced by its own policy': [{ ...helm(null), ...replaced }, 'ok no-hook-left'],
      'collides by the chart, whatever its own policy': [{ ...helm('2.9.0'), ...replaced }, ...stopped],
      'is of something else': [{ ...helm('2.9.0'), hookObjects: [left('other')] }, 'ok no-hook-left'],
      'is of something that is called so': [
        { ...helm('2.9.0'), hookObjects: [left('my-migration-notes')] },
        'ok no-hook-left',
      ],
      'has each its kind': [
        {
          ...helm('2.9.0'),
          hookObjects: [
            left('bi-lightdash-migration-configmap', { kind: 'ConfigMap' }),
            left('bi-lightdash-migration-secrets', { kind: 'Secret', namespace: null }),
          ],
        },
        'stop hooks-left-over bi-lightdash-migration-configmap',
      ],
      'does not matter where the job is off': [
        { ...helm('2.9.0'), ...one, chartValues: chartValuesOf() },
        'ok no-hooks-run',
      ],
      'does not matter without a chart': [{ helm: 'absent', ...one }, 'ok no-hooks-run'],
      'may be in use': [
        { ...helm('2.9.0'), ...one, workloads: [living] },
        'stop hooks-in-use bi-lightdash-migration',
      ],
      'may be in use by the last attempt': [
        { ...helm('2.9.0'), ...one, workloads: [lastTry] },
        'stop hooks-in-use bi-lightdash-migration',
      ],
      'may be in use by a job that does not say how often it tries': [
        { ...helm('2.9.0'), ...one, workloads: [{ ...living, backoffLimit: null }] },
        'stop hooks-in-use bi-lightdash-migration',
      ],
      'may be in use by a job that does not say how it went': [
        { ...helm('2.9.0'), ...one, workloads: [{ ...living, succeeded: null, failed: null }] },
        'stop hooks-in-use bi-lightdash-migration',
      ],
      'is no more in use': [{ ...helm('2.9.0'), ...one, workloads: [ended] }, ...stopped],
      'is left by a job that gave up': [{ ...helm('2.9.0'), ...one, workloads: [gaveUp] }, ...stopped],
      'may be in use where jobs may not be seen': [
        { ...helm('2.9.0'), ...one, ...unseen('jobs.batch') },
        'stop hooks-in-use bi-lightdash-migration',
      ],
      'may be more than is seen': [
        { ...helm('2.9.0'), ...one, ...unseen('Secret') },
        ...stopped,
        'not-checked facts-not-seen',
      ],
      'may be what is not seen': [{ ...helm('2.9.0'), ...unseen('Secret') }, 'not-checked facts-not-seen'],
      'may be of any kind that is not seen': [
        { ...helm('2.9.0'), ...unseen('configmaps', 'secrets') },
        'not-checked facts-not-seen',
      ],
      'was not asked for': [{ ...helm('2.9.0'), hookObjects: 'not-permitted' }, 'not-checked facts-not-seen'],
      'is not told by what is rendered': [{ ...helm('2.9.0'), ...rendered }, 'not-checked facts-not-seen'],
    },
    [
      ...['ServiceAccount', 'configmaps'].map((kind): [string, Partial<DeploymentFacts>, string[]] => [
        `may be of ${kind}, which may not be seen`,
        { ...helm('2.9.0'), ...unseen(kind) },
        ['not-checked facts-not-seen'],
      ]),
    ],
  );

  it('is nothing with compose', () => {
    expect(foundBy(hookLeftovers, { facts: composedAt('2.0.0') })).toEqual(['ok no-hooks-run']);
  });
});
