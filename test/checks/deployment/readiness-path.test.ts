import { describe, expect, it } from 'vitest';
import { readinessPath } from '../../../src/checks/deployment/readiness-path.js';
import type { ContainerFact } from '../../../src/instance/facts/deployment-facts.js';
import {
  backendOf,
  composedAt,
  containerOf,
  deployedAt,
  probeOf,
  workerOf,
} from '../../support/deployment.js';
import { itFinds, pastedFor, type Situation } from '../../support/preflight.js';

const releases = (from: string, to: string) => [{ version: from }, { version: to }];
const upgrade = (from: string, to: string, told: Partial<ContainerFact> = {}, image = from): Situation => ({
  releases: releases(from, to),
  facts: { ...deployedAt(from), workloads: [backendOf(from, { containers: [containerOf(image, told)] })] },
});
const asks = (path: string | null) => ({ readinessProbe: probeOf({ path }) });
const readyz = asks('/api/v1/readyz');
const backend = 'Deployment lightdash-backend';
const health = '/api/v1/health';
/** A worker with the probes of the chart, but for what is said of it. */
const ofWorker = (told: Partial<ContainerFact>): Situation => {
  const asked = probeOf({ path: health });
  const probes = { startupProbe: null, livenessProbe: asked, readinessProbe: asked };
  const worker = containerOf('2.0.0', { starts: 'worker', ...probes, ...told });
  const workloads = [backendOf('2.0.0'), workerOf('2.0.0', { containers: [worker] })];
  return { releases: releases('2.0.0', '2.1.0'), facts: { ...deployedAt('2.0.0'), workloads } };
};

describe('the path of a probe', () => {
  itFinds(
    readinessPath,
    (situation: Situation) => situation,
    {
      'ok readiness-paths-served': {
        'is what the chart chooses': upgrade('2.0.0', '2.1.0'),
        'is what the chart chooses for workers': ofWorker({}),
        'is at the port of Lightdash': upgrade('2.0.0', '2.1.0', {
          livenessProbe: probeOf({ atPort: 'lightdash' }),
        }),
        'is the page': upgrade('2.0.0', '2.1.0', { livenessProbe: probeOf({ path: '/' }) }),
        'is of the metrics, at a port of their own': upgrade('2.0.0', '2.1.0', {
          livenessProbe: probeOf({ path: '/metrics', atPort: 'nothing' }),
        }),
        'is no request': upgrade('2.0.0', '2.1.0', { livenessProbe: probeOf({ kind: 'exec', path: null }) }),
        'is what the chart chose before': upgrade('1.150.0', '2.1.0'),
        'is applied together with the target that serves it': upgrade('1.128.0', '2.1.0', readyz, '2.1.0'),
        'may ask the database at the start': upgrade('2.0.0', '2.1.0', {
          startupProbe: probeOf({ path: '/api/v1/health' }),
        }),
        'warns on a parked migration from then on': upgrade('1.169.1', '2.1.0', readyz),
        'was kept by an image of which nothing is known': upgrade(
          '2.0.0',
          '2.1.0',
          asks('/api/v1/health'),
          'latest',
        ),
      },
      'ok compose-does-not-probe': {
        'is nothing that compose has': { releases: releases('2.0.0', '2.1.0'), facts: composedAt('2.0.0') },
      },
      [`stop readyz-not-served ${backend}`]: {
        'is not served by the release that runs': upgrade('1.128.0', '2.1.0', readyz),
        'is not served by the target': upgrade('1.100.0', '1.128.0', readyz, '1.128.0'),
      },
      [`stop readyz-not-served ${backend}; stop readyz-not-served ${backend}`]: {
        'is not served, whatever the probe is for': upgrade('1.100.0', '1.128.0', {
          startupProbe: probeOf({ path: '/api/v1/readyz' }),
          livenessProbe: probeOf({ path: '/lightdash/api/v1/readyz/' }),
        }),
      },
      'stop worker-has-no-readyz Deployment lightdash-worker': {
        'is served by no worker': {
          releases: releases('2.0.0', '2.1.0'),
          facts: {
            ...deployedAt('2.0.0'),
            workloads: [
              backendOf('2.0.0'),
              workerOf('2.0.0', {
                containers: [
                  containerOf('2.0.0', {
                    starts: 'worker',
                    livenessProbe: probeOf({ path: health }),
                    ...readyz,
                  }),
                ],
              }),
            ],
          },
        },
      },
      'warn worker-livez-always-well Deployment lightdash-worker': {
        'is of a worker that answers even if it is dead': ofWorker({ livenessProbe: probeOf() }),
      },
      'stop probe-finds-nothing Deployment lightdash-worker': {
        'is no path of a worker': ofWorker({ startupProbe: probeOf({ path: '/' }) }),
        'is of a worker at another port': ofWorker({
          startupProbe: null,
          readinessProbe: probeOf({ path: health, atPort: 'nothing' }),
        }),
      },
      [`stop probe-finds-nothing ${backend}`]: {
        'is at a port on which nothing listens': upgrade('2.0.0', '2.1.0', {
          livenessProbe: probeOf({ atPort: 'nothing' }),
        }),
        'is at a port on which nothing listens, where it is asked alone': upgrade('2.0.0', '2.1.0', {
          livenessProbe: probeOf({ kind: 'tcp', path: null, atPort: 'nothing' }),
        }),
        'is at a port on which nothing listens, and nothing else is said of it': upgrade('2.0.0', '2.1.0', {
          readinessProbe: probeOf({ path: '/', atPort: 'nothing' }),
        }),
        'is asked by HTTPS': upgrade('2.0.0', '2.1.0', { startupProbe: probeOf({ atPort: 'no-tls' }) }),
        'is asked by gRPC': upgrade('2.0.0', '2.1.0', {
          startupProbe: probeOf({ kind: 'grpc', path: null }),
        }),
      },
      [`warn probe-path-not-known ${backend}`]: {
        'is none of those for liveness': upgrade('2.0.0', '2.1.0', {
          livenessProbe: probeOf({ path: '/healthz' }),
        }),
        'is none of those for the start': upgrade('2.0.0', '2.1.0', {
          startupProbe: probeOf({ path: '/api/v1/live' }),
        }),
      },
      [`warn readyz-fails-on-parked ${backend}`]: {
        'fails on a parked migration in the release that runs': upgrade('1.150.0', '2.1.0', readyz),
        'fails on a parked migration in the target': upgrade('1.129.0', '1.169.0', readyz, '1.169.0'),
      },
      [`warn liveness-asks-database ${backend}`]: {
        'goes by the database where a pod is killed for it': upgrade('2.0.0', '2.1.0', {
          livenessProbe: probeOf({ path: '/api/v1/readyz' }),
        }),
        'was always there, and goes by the database': upgrade('2.0.0', '2.1.0', {
          livenessProbe: probeOf({ path: '/api/v1/health?x=1' }),
        }),
      },
      [`warn health-kept ${backend}`]: { 'was kept': upgrade('2.0.0', '2.1.0', asks('/api/v1/health')) },
      [`warn readiness-tells-little ${backend}`]: {
        'tells that the process runs': upgrade('2.0.0', '2.1.0', asks('/api/v1/livez')),
        'is of something else': upgrade('2.0.0', '2.1.0', asks('/')),
        'is none, for it asks the port': upgrade('2.0.0', '2.1.0', {
          readinessProbe: probeOf({ kind: 'tcp', path: null }),
        }),
        'is not written': upgrade('2.0.0', '2.1.0', asks(null)),
        'is not asked': upgrade('2.0.0', '2.1.0', { readinessProbe: null }),
      },
      'not-checked facts-not-seen': {
        'is not known where no backend was read': {
          releases: releases('2.0.0', '2.1.0'),
          facts: { ...deployedAt('2.0.0'), workloads: [] },
        },
      },
    },
    [
      ...['/api/v1/healthz', '/api/v1/readyz/x', '/readyz', null].map(
        (path): [string, Situation, string[]] => [
          `is none of those that Lightdash serves: ${path}`,
          upgrade('1.100.0', '1.128.0', asks(path)),
          [`warn readiness-tells-little ${backend}`],
        ],
      ),
    ],
  );
});

describe('what to paste for a probe', () => {
  const kept = upgrade('2.0.0', '2.1.0', asks('/api/v1/health'));
  const { facts } = kept;
  const path = ['lightdashBackend:', '  readinessProbe:', '    path: ""'];

  it.each<[string, Situation, string[]]>([
    ['stands at the top of the values of the chart', kept, path],
    [
      'is nothing where who deployed it was not seen',
      { ...kept, facts: { ...facts, helm: 'not-permitted' } },
      [],
    ],
    [
      'is nothing where another chart has deployed it',
      {
        ...kept,
        facts: {
          ...facts,
          helm: { release: 'bi', namespace: null, chart: 'our-lightdash', chartVersion: '1.0.0' },
        },
      },
      [],
    ],
  ])('%s', (_, situation, lines) => {
    expect(pastedFor(readinessPath, situation)).toEqual(lines);
  });
});
