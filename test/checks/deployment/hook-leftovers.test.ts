import { describe } from 'vitest';
import { hookLeftovers } from '../../../src/checks/deployment/hook-leftovers.js';
import type { FactOf } from '../../../src/instance/facts/needs.js';
import { chartValuesOf, type DeploymentFacts, deployedAt, migrationJobOf } from '../../support/deployment.js';
import { itFinds } from '../../support/preflight.js';

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
const stopped = 'stop hooks-left-over bi-lightdash-migration';
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
      'ok no-hook-left': {
        'is nothing': helm('2.10.174'),
        'is replaced by its own policy': { ...helm(null), ...replaced },
        'is of something else': { ...helm('2.9.0'), hookObjects: [left('other')] },
        'is of something that is called so': { ...helm('2.9.0'), hookObjects: [left('my-migration-notes')] },
      },
      [stopped]: {
        collides: { ...helm('2.10.174'), ...one },
        'collides from the first chart on': { ...helm('2.7.0'), ...one },
        'collides with another chart, whatever its version': {
          ...helm('2.10.174'),
          helm: { release: 'bi', namespace: 'bi', chart: 'our-lightdash', chartVersion: '3.1.0' },
          ...one,
        },
        'collides by its own policy': { ...helm(null), ...one },
        'collides by the chart, whatever its own policy': { ...helm('2.9.0'), ...replaced },
        'is no more in use': { ...helm('2.9.0'), ...one, workloads: [ended] },
        'is left by a job that gave up': { ...helm('2.9.0'), ...one, workloads: [gaveUp] },
      },
      'ok hooks-replaced': {
        'is replaced by the chart': { ...helm('2.10.175'), ...one },
        'is replaced by the chart of before': { ...helm('2.6.1'), ...one },
      },
      'stop hooks-left-over bi-lightdash-migration-configmap': {
        'has each its kind': {
          ...helm('2.9.0'),
          hookObjects: [
            left('bi-lightdash-migration-configmap', { kind: 'ConfigMap' }),
            left('bi-lightdash-migration-secrets', { kind: 'Secret', namespace: null }),
          ],
        },
      },
      'ok no-hooks-run': {
        'does not matter where the job is off': { ...helm('2.9.0'), ...one, chartValues: chartValuesOf() },
        'does not matter without a chart': { helm: 'absent', ...one },
      },
      'stop hooks-in-use bi-lightdash-migration': {
        'may be in use': { ...helm('2.9.0'), ...one, workloads: [living] },
        'may be in use by the last attempt': { ...helm('2.9.0'), ...one, workloads: [lastTry] },
        'may be in use by a job that does not say how often it tries': {
          ...helm('2.9.0'),
          ...one,
          workloads: [{ ...living, backoffLimit: null }],
        },
        'may be in use by a job that does not say how it went': {
          ...helm('2.9.0'),
          ...one,
          workloads: [{ ...living, succeeded: null, failed: null }],
        },
        'may be in use where jobs may not be seen': { ...helm('2.9.0'), ...one, ...unseen('jobs.batch') },
      },
      [`${stopped}; not-checked facts-not-seen`]: {
        'may be more than is seen': { ...helm('2.9.0'), ...one, ...unseen('Secret') },
      },
      'not-checked facts-not-seen': {
        'may be what is not seen': { ...helm('2.9.0'), ...unseen('Secret') },
        'may be a ConfigMap, which may not be seen': { ...helm('2.9.0'), ...unseen('configmaps') },
        'may be a ServiceAccount, which may not be seen': { ...helm('2.9.0'), ...unseen('ServiceAccount') },
        'was not asked for': { ...helm('2.9.0'), hookObjects: 'not-permitted' },
        'is not told by what is rendered': { ...helm('2.9.0'), ...rendered },
      },
    },
  );
});
