import { describe, expect, it } from 'vitest';
import { startupTime } from '../../../src/checks/deployment/startup-time.js';
import type { ContainerFact, WorkloadFact } from '../../../src/instance/facts/deployment-facts.js';
import {
  backendOf,
  backendWith,
  backupJobOf,
  chartValuesOf,
  composedAt,
  containerOf,
  deployedAt,
  migrationJobOf,
  probeOf,
  workerOf,
} from '../../support/deployment.js';
import { tableFact } from '../../support/facts.js';
import {
  itFinds,
  type MigrationCase,
  pastedFor,
  ranRelease,
  type Situation,
  upgradeTo,
} from '../../support/preflight.js';

const name = '20260901000000_x';
const scans: MigrationCase[] = [{ name, tables: ['projects'], does: ['scans'] }];
const rewrites: MigrationCase[] = [{ name, tables: ['projects'], does: ['rewrites'] }];
const notReported: MigrationCase[] = [{ name, does: 'unknown' }];
/** Rewriting it takes some minutes at the least. */
const large = {
  tables: [tableFact({ name: 'projects', heapBytes: 40e9, toastBytes: 0, estimatedRows: 10_000_000 })],
};
const chart = deployedAt('2.0.0');
const withBackend = (told: Partial<ContainerFact>, ...more: WorkloadFact[]) => ({
  workloads: [backendWith(told), backupJobOf(), ...more],
});
const serves: Partial<ContainerFact> = { entrypointReplaced: true, starts: 'server' };
const withJob = (told: Partial<WorkloadFact> = {}) => withBackend(serves, migrationJobOf('2.0.0', told));
const backend = 'Deployment lightdash-backend';
const job = 'Job lightdash-migrate';
const longBudget = { startupProbe: probeOf({ failureThreshold: 8640 }) };

/** The same where nothing tells what a release migrates. */
function withNotReported(what: 'missing' | 'backfilled' | 'not indexed'): Situation {
  const { releases = [], facts = {} } = upgradeTo([]);
  const [first, last] = releases;
  if (first === undefined || last === undefined) throw new Error('there are two');
  const notReported = {
    missing: { artifact: 'missing' as const },
    backfilled: { entry: { backfilled: true } },
    'not indexed': { entry: { previousVersion: '2.0.5' } },
  };
  return { releases: [first, { ...last, ...notReported[what] }], facts };
}

const short = { startupProbe: probeOf({ initialDelaySeconds: 0, failureThreshold: 2 }) };
const withoutDatabase = (
  migrations: readonly MigrationCase[],
  told: Partial<NonNullable<Situation['facts']>>,
): Situation => ({ releases: upgradeTo(migrations).releases ?? [], facts: { ...chart, ...noJob, ...told } });
const composed = composedAt('2.0.0');
const heldBack = {
  ...composed,
  workloads: [
    ...(composed.workloads as WorkloadFact[]),
    migrationJobOf('2.0.0', { kind: 'service', hook: null, suspended: true }),
  ],
};
const noJob = { stated: { 'migration-job': 'off' } } as const;

describe('the time to migrate in', () => {
  itFinds(
    startupTime,
    (situation: Situation) => situation,
    {
      'ok migrations-end-in-time': {
        'is enough where nothing is pending': upgradeTo([]),
        'is enough': upgradeTo(scans),
        'is enough, and told by what gives the least': upgradeTo(
          scans,
          withBackend(longBudget, migrationJobOf('2.0.0')),
        ),
        'is enough of a probe that was given more': upgradeTo(rewrites, {
          ...large,
          ...withBackend(longBudget),
        }),
        'of the job is enough': upgradeTo(scans, withJob()),
      },
      [`stop migration-outlasts-limit ${backend}`]: {
        'is never enough': upgradeTo(rewrites, large),
        'is that of the liveness probe where nothing else gives some': upgradeTo(rewrites, {
          ...large,
          ...withBackend({ startupProbe: null }),
        }),
        'counts for what cannot be told': upgradeTo(rewrites, {
          ...large,
          ...withBackend({ starts: 'other' }),
        }),
      },
      'ok nothing-limits-migrations': {
        'is not counted for what is no backend': upgradeTo(rewrites, {
          ...large,
          ...withBackend(
            serves,
            workerOf('2.0.0', { containers: [containerOf('2.0.0', { starts: 'other' })] }),
          ),
          stated: { 'migration-job': 'off' },
        }),
        'is enough where no job migrates, as is stated': upgradeTo(rewrites, {
          ...large,
          ...withBackend(serves),
          chartValues: 'absent',
          stated: { 'migration-job': 'off' },
        }),
        'has no end without probes': upgradeTo(
          notReported,
          withBackend({ startupProbe: null, livenessProbe: null }),
        ),
        'has no end where it runs before the others': upgradeTo(notReported, {
          workloads: [
            backendOf('2.0.0', {
              containers: [
                containerOf('2.0.0', { init: true, starts: 'migration' }),
                containerOf('2.0.0', serves),
              ],
            }),
          ],
        }),
        'of compose has no end, whatever a release migrates': {
          ...withNotReported('missing'),
          facts: composedAt('2.0.0'),
        },
        'of compose has no end': upgradeTo(notReported, composedAt('2.0.0')),
        'of compose has no end, whatever job a profile holds back': upgradeTo(notReported, heldBack),
        'of a job of nobody has no end': upgradeTo(notReported, {
          ...withJob({ hook: null }),
          helm: 'absent',
        }),
        'without a database is not held to it where pods only serve': withoutDatabase(scans, {
          ...withBackend({ ...serves, ...short }),
          stated: { 'migration-job': 'off' },
        }),
        'needs no database where nothing ends it': { facts: composedAt('2.0.0') },
      },
      'not-checked facts-not-seen': {
        'is not known where one of two releases does not tell': {
          ...upgradeTo([]),
          releases: [ranRelease, { version: '2.0.1' }, { version: '2.1.0', artifact: 'missing' }],
        },
        'of Swarm may end, where a health check fails meanwhile': upgradeTo(
          notReported,
          composedAt('2.0.0', { strategy: 'stop-first' }),
        ),
        'is not known without the ledger alone': upgradeTo(scans, { ledger: 'absent' }),
        'is not known without the tables alone': upgradeTo(scans, { tables: 'not-permitted' }),
        'is not known without the indexes alone': upgradeTo(scans, { indexes: 'not-permitted' }),
        'without a database is what the chart gives': withoutDatabase(scans, withBackend({})),
        'without a database is no less by a liveness probe that waits': withoutDatabase(
          scans,
          withBackend({ startupProbe: null, livenessProbe: probeOf() }),
        ),
        'is not known without a database': {
          ...upgradeTo(scans),
          facts: { ...chart, ledger: 'absent', tables: 'not-permitted' },
        },
        'without a database is not held to it where no release migrates': withoutDatabase(
          [],
          withBackend(short),
        ),
        'is not known where no backend was read': upgradeTo(scans, { workloads: [] }),
      },
      [`warn migrations-may-outlast-limit ${backend}`]: {
        'counts for progress, which ends nothing': upgradeTo(rewrites, {
          ...large,
          workloads: [
            backendOf('2.0.0', {
              containers: [containerOf('2.0.0', longBudget)],
              rollout: { maxSurge: '25%', maxUnavailable: '25%', progressDeadlineSeconds: 60 },
            }),
          ],
        }),
        'may not be enough of what has no upper limit': upgradeTo(notReported),
        'may not be enough where the server was not measured': upgradeTo(scans, {
          readRate: 'not-permitted',
        }),
      },
      [`warn migrations-may-outlast-limit ${job}`]: {
        'that Helm gives may not be enough': upgradeTo(rewrites, { ...large, ...withJob() }),
      },
      [`stop migration-outlasts-limit ${job}; warn migrations-may-outlast-limit ${job}`]: {
        'of the deadline is never enough': upgradeTo(rewrites, {
          ...large,
          ...withJob({ activeDeadlineSeconds: 60 }),
        }),
      },
      'warn migrations-may-outlast-limit the migration job': {
        'of a job that hooks leave out is that of Helm': upgradeTo(notReported, {
          ...withBackend(serves),
          chartValues: chartValuesOf({ migrationJobEnabled: true }),
        }),
        'of a job that there may be is that of Helm': upgradeTo(notReported, {
          ...withBackend(serves),
          chartValues: 'absent',
        }),
      },
      [`not-checked facts-not-seen; warn limit-below-chart ${backend}`]: {
        'without a database is 20 s': withoutDatabase(scans, withBackend(short)),
        'without a database is a second less than the chart gives': withoutDatabase(
          scans,
          withBackend({ startupProbe: probeOf({ initialDelaySeconds: 4 }) }),
        ),
        'without a database is held to it where one of two releases migrates': {
          ...withoutDatabase([], withBackend(short)),
          releases: [ranRelease, { version: '2.0.1', migrations: scans }, { version: '2.1.0' }],
        },
        'without a database is that of a liveness probe alone': withoutDatabase(
          scans,
          withBackend({ startupProbe: null }),
        ),
        'without a database is held to it where an artifact is missing': {
          ...withoutDatabase([], withBackend(short)),
          releases: withNotReported('missing').releases ?? [],
        },
      },
    },
    [
      ...(['missing', 'backfilled', 'not indexed'] as const).map((what): [string, Situation, string[]] => [
        `is not known where a release of the way is ${what}`,
        withNotReported(what),
        ['not-checked facts-not-seen'],
      ]),
    ],
  );
});

describe('what to paste for more time', () => {
  const probe = ['lightdashBackend:', '  startupProbe:', '    failureThreshold: 8640'];

  it.each<[string, Situation['facts'], string[]]>([
    ['stands at the top of the values of the chart', {}, probe],
    ['stands there where no values were read', { chartValues: 'absent' }, probe],
    [
      'stands under the keys of the values of Lightdash',
      { chartValues: chartValuesOf({ path: ['bi', 'lightdash'] }) },
      ['bi:', '  lightdash:', ...probe.map((line) => `    ${line}`)],
    ],
    ['is nothing where no chart has deployed it', { helm: 'absent' }, []],
    [
      'is nothing of a worker that migrates: the values of the backend do not reach it',
      withBackend(serves, workerOf('2.0.0', { containers: [containerOf('2.0.0')] })),
      [],
    ],
  ])('%s', (_, facts, lines) => {
    const off = { chartValues: chartValuesOf({ migrationJobEnabled: false }) };
    expect(pastedFor(startupTime, upgradeTo(notReported, { ...off, ...facts }))).toEqual(lines);
  });
});
