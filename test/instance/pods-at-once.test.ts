import { describe, expect, it } from 'vitest';
import type { WorkloadFact } from '../../src/instance/facts/deployment-facts.js';
import { connectionsAtOnce, podsAtOnce, rollingOf } from '../../src/instance/pods-at-once.js';
import { backendOf, containerOf, migrationJobOf, workerOf } from '../support/deployment.js';

const rollout = (maxSurge: string, maxUnavailable: string) => ({
  rollout: { maxSurge, maxUnavailable, progressDeadlineSeconds: 600 },
});

describe('how Kubernetes counts the pods of a rollout', () => {
  // As `kubectl explain deployment.spec.strategy.rollingUpdate` says: a surge up, what may be missing down.
  it.each([
    ['25%', '25%', 1, 1, 0],
    ['25%', '25%', 4, 1, 1],
    ['25%', '25%', 10, 3, 2],
    ['0', '0', 3, 0, 1],
    ['0', '25%', 1, 0, 1],
    ['100%', '0', 3, 3, 0],
    ['1', '100%', 2, 1, 2],
  ])(
    'maxSurge %s and maxUnavailable %s of %i: %i more, %i fewer',
    (most, missing, replicas, surge, unavailable) => {
      expect(rollingOf(rollout(most, missing), replicas)).toEqual({ surge, unavailable });
    },
  );

  it('has the defaults of Kubernetes', () => {
    expect(rollingOf({}, 10)).toEqual({ surge: 3, unavailable: 2 });
  });
});

const scaler = [
  { name: 'x', targetKind: 'Deployment', targetName: 'lightdash-backend', minReplicas: 1, maxReplicas: 8 },
];

describe('the pods of an upgrade at once', () => {
  it.each<[string, Partial<WorkloadFact>, boolean, boolean, number | undefined]>([
    ['a Deployment that rolls', { replicas: 4, strategy: 'RollingUpdate' }, false, true, 5],
    ['one without a strategy', { replicas: 4, strategy: null }, false, true, 5],
    ['one that an upgrade stops first', { replicas: 4, strategy: 'RollingUpdate' }, false, false, 4],
    ['Recreate', { replicas: 4, strategy: 'Recreate' }, false, true, 4],
    ['an autoscaler at its maximum', { replicas: null, strategy: null }, true, true, 10],
    ['none', { replicas: 0, strategy: null }, false, true, 0],
    ['one on every node', { kind: 'DaemonSet', replicas: null }, false, true, undefined],
    ['a StatefulSet', { kind: 'StatefulSet', replicas: 3, strategy: null }, false, true, 3],
  ])('%s', (_, told, isScaled, rolls, expected) => {
    expect(podsAtOnce(backendOf('2.0.0', told), isScaled ? scaler : [], rolls)).toBe(expected);
  });
});

describe('the connections of an upgrade at once', () => {
  const withPool = (poolSize?: number) => [containerOf('2.0.0', poolSize === undefined ? {} : { poolSize })];
  const backend = (told: Partial<WorkloadFact>) =>
    backendOf('2.0.0', { replicas: 2, strategy: 'RollingUpdate', containers: withPool(10), ...told });
  const worker = workerOf('2.0.0', { replicas: 1, strategy: 'RollingUpdate', containers: withPool(5) });

  it('are the pods times their pools, with the surge of each', () => {
    expect(connectionsAtOnce([backend({}), worker, migrationJobOf('2.0.0')], [], true)).toEqual({
      pods: 5,
      connections: 40,
    });
    expect(connectionsAtOnce([backend({}), worker], [], false)).toEqual({ pods: 3, connections: 25 });
    expect(connectionsAtOnce([backend({})], scaler, true)).toEqual({ pods: 10, connections: 100 });
  });

  it('are not known where a pool is not, unless it has no pods', () => {
    const silent = { containers: withPool() };
    expect(connectionsAtOnce([backend(silent), worker], [], true)).toBeUndefined();
    expect(connectionsAtOnce([backend({ ...silent, replicas: 0 }), worker], [], true)).toEqual({
      pods: 2,
      connections: 10,
    });
    expect(connectionsAtOnce([backend({ kind: 'DaemonSet' })], [], true)).toBeUndefined();
    expect(connectionsAtOnce([], [], true)).toBeUndefined();
  });
});
