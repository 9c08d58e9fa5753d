import fc from 'fast-check';
import type { WorkloadFact } from '../../src/instance/facts/deployment-facts.js';
import {
  backendOf,
  backupJobOf,
  chartValuesOf,
  containerOf,
  deployedAt,
  imageOf,
  literals,
  migrationJobOf,
  probeOf,
  workerOf,
} from './deployment.js';
import { healthyFacts, type MigrationCase, type Situation } from './preflight.js';

const oneOf = <const T>(...values: readonly T[]) => fc.constantFrom(...values);
const orNull = <T>(of: fc.Arbitrary<T>) => fc.option(of, { freq: 2 });

const ways: readonly (readonly [from: string, to: string])[] = [
  ['1.100.0', '1.128.0'],
  ['1.150.0', '2.1.0'],
  ['2.0.0', '2.1.0'],
];

const anyContainer = (version: string) =>
  fc
    .record({
      tag: oneOf(version, version, version, '2.1.0', 'latest'),
      starts: oneOf('entrypoint', 'server', 'other'),
      path: oneOf('/api/v1/readyz', '/api/v1/health', '/'),
      startupProbe: orNull(fc.constant(probeOf())),
      memoryLimitBytes: orNull(fc.constant(8 * 1024 ** 3)),
      licence: fc.boolean(),
      keys: orNull(fc.subarray(['LIGHTDASH_LICENSE_KEY', 'NODE_OPTIONS'])),
    })
    .map(({ tag, path, licence, keys, starts, ...told }) =>
      containerOf(version, {
        ...told,
        starts,
        entrypointReplaced: starts !== 'entrypoint',
        image: imageOf(tag),
        readinessProbe: probeOf({ path }),
        variables: [
          ...literals('S3_ENDPOINT', 'S3_BUCKET', 'S3_REGION', 'LIGHTDASH_SECRET'),
          ...(licence ? literals('LIGHTDASH_LICENSE_KEY') : []),
        ],
        variablesFrom: [{ origin: 'secret', object: 'lightdash', prefix: '', keys }],
      }),
    );

const anyWorkload = (version: string): fc.Arbitrary<WorkloadFact> =>
  fc
    .record({
      container: anyContainer(version),
      strategy: orNull(oneOf('Recreate', 'RollingUpdate')),
      replicas: orNull(oneOf(0, 1, 3)),
    })
    .map(({ container, ...told }) => backendOf(version, { ...told, containers: [container] }));

const anyWorkloads = (version: string) =>
  fc
    .tuple(
      anyWorkload(version),
      orNull(fc.constant(workerOf(version))),
      orNull(
        fc
          .record({ activeDeadlineSeconds: orNull(fc.constant(60)), succeeded: orNull(fc.constant(1)) })
          .map((told) => migrationJobOf(version, told)),
      ),
      orNull(fc.record({ suspended: fc.boolean() }).map((told) => backupJobOf(told))),
    )
    .map((all) => all.filter((one) => one !== null));

const anyFacts = (version: string): fc.Arbitrary<NonNullable<Situation['facts']>> =>
  fc
    .record({
      /** Whether a migration job is on, and whether that is stated. */
      job: fc.boolean(),
      stated: fc.boolean(),
      origin: oneOf('rendered', 'cluster'),
      hooksSeen: orNull(fc.boolean()),
      chartVersion: orNull(oneOf('2.8.0', '2.10.100', '2.16.283', '2.16.361')),
      helm: fc.boolean(),
      workloads: anyWorkloads(version),
      values: orNull(
        fc.record({
          upgradeMode: orNull(oneOf('Recreate', 'RollingUpdate')),
          backendStrategy: orNull(fc.constant('Recreate')),
          migrationJobEnabled: orNull(fc.constant(false)),
          imageTag: orNull(fc.constant(version)),
        }),
      ),
      minAvailable: orNull(fc.constant('1')),
      minReplicas: orNull(oneOf(1, 2)),
      createdAt: orNull(oneOf('2026-09-06T02:00:00Z', '2026-01-01T00:00:00Z')),
    })
    .map((told) => {
      const { origin, hooksSeen, chartVersion, minAvailable, minReplicas, createdAt } = told;
      const values = told.values && (told.job ? { ...told.values, migrationJobEnabled: true } : told.values);
      const workloads = told.job ? withJob(told) : told.workloads.filter(({ role }) => role !== 'migration');
      const showsHooks =
        hooksSeen === true && told.job ? workloads.some(({ role }) => role === 'migration') : hooksSeen;
      const chart = { release: 'lightdash', namespace: 'lightdash', chart: 'lightdash', chartVersion };
      const name = 'lightdash-backend';
      const limits = { minAvailable, maxUnavailable: null, disruptionsAllowed: null };
      const target = { targetKind: 'Deployment', targetName: name, maxReplicas: 5 };
      return {
        ...deployedAt(version),
        deployment: {
          ...{ kind: 'kubernetes', origin, sources: ['any'], namespace: 'lightdash' },
          ...{ hooksSeen: showsHooks, unseenKinds: [] },
        },
        helm: told.helm ? chart : 'absent',
        workloads,
        disruptionBudgets: [{ name, workloads: [name], ...limits }],
        autoscalers: minReplicas === null ? [] : [{ name: 'lightdash', ...target, minReplicas }],
        snapshots:
          createdAt === null ? [] : [{ name: 'daily', claim: 'postgres-0', createdAt, readyToUse: true }],
        chartValues: values === null ? 'absent' : chartValuesOf(values),
        ...(told.stated ? { stated: { 'migration-job': told.job ? 'on' : 'off' } } : {}),
      };
    });

/** With the job on, newer charts have the pods leave it to the job, which is left out where hooks are. */
function withJob({
  helm,
  chartVersion,
  workloads,
}: {
  helm: boolean;
  chartVersion: string | null;
  workloads: readonly WorkloadFact[];
}): WorkloadFact[] {
  if (!helm && !workloads.some(({ role }) => role === 'migration'))
    return [...workloads, migrationJobOf('2.0.0')];
  return chartVersion === '2.8.0' ? [...workloads] : workloads.map(leavesItToJob);
}

function leavesItToJob(workload: WorkloadFact): WorkloadFact {
  const containers = workload.containers.map((container) =>
    container.starts === 'entrypoint'
      ? { ...container, starts: 'server' as const, entrypointReplaced: true }
      : container,
  );
  return { ...workload, containers };
}

/** A deployment by the chart, of which anything may be as it should not be, on a healthy database. */
export const anyDeployment: fc.Arbitrary<Situation> = fc.constantFrom(...ways).chain(([from, to]) =>
  fc
    .record({
      facts: anyFacts(from),
      rollingUpdateSafe: fc.constantFrom<boolean | 'unknown'>(true, false, 'unknown'),
      migrations: oneOf<readonly MigrationCase[]>(
        [],
        [{ name: '20260901000000_x', tables: ['projects'], does: ['scans'] }],
        [{ name: '20260901000000_x', does: 'unknown' }],
      ),
      edition: oneOf('community', 'enterprise', undefined),
    })
    .map(({ facts, rollingUpdateSafe, migrations, edition }) => ({
      releases: [
        { version: from, migrations: [{ name: '20260801000000_old' }] },
        { version: to, migrations, entry: { rollingUpdateSafe } },
      ],
      facts: { ...healthyFacts('20260801000000_old'), ...facts },
      diskFree: 2 ** 40,
      edition,
    })),
);
