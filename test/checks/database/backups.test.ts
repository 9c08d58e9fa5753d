import { describe } from 'vitest';
import { backups } from '../../../src/checks/database/backups.js';
import type { WorkloadFact } from '../../../src/instance/facts/deployment-facts.js';
import type { FactOf } from '../../../src/instance/facts/needs.js';
import {
  backendOf,
  backupJobOf,
  composedAt,
  containerOf,
  type DeploymentFacts,
  deployedAt,
  imageOf,
  seenThrough,
} from '../../support/deployment.js';
import { itFinds, type Situation } from '../../support/preflight.js';

type Snapshot = FactOf<'snapshots'>[number];

const chart = deployedAt('2.0.0');
const backend = backendOf('2.0.0');
const database = backendOf('2.0.0', { kind: 'StatefulSet', name: 'lightdash-postgresql', role: 'database' });
/** On a deployment that was looked at on 2026-09-06, at 18:00. */
const withJobs = (...workloads: WorkloadFact[]): DeploymentFacts => ({
  ...chart,
  workloads: [backend, ...workloads],
});
const withSnapshot = (told: Partial<Snapshot>, ...workloads: WorkloadFact[]): DeploymentFacts => ({
  ...withJobs(...workloads),
  snapshots: [
    {
      name: 'daily',
      claim: 'data-lightdash-postgresql-0',
      createdAt: '2026-09-06T02:00:00Z',
      readyToUse: true,
      ...told,
    },
  ],
});
const archiving = (told: object): Situation['facts'] & object => ({
  ...withJobs(),
  archiver: { enabled: true, archivedSecondsAgo: 300, failedSecondsAgo: null, ...told },
});
const job = 'CronJob lightdash-backup';

describe('a backup', () => {
  itFinds(
    backups,
    (facts: NonNullable<Situation['facts']>) => ({ facts }),
    {
      [`ok backup-seen ${job}`]: {
        'was made by a job': chart,
        'is a day old, and not more': withJobs(backupJobOf({ lastSuccessAt: '2026-09-05T18:00:00Z' })),
        'is of the future by a clock that is late': withJobs(
          backupJobOf({ lastSuccessAt: '2026-09-06T19:00:00Z' }),
        ),
        'is the newest of several': withSnapshot({ createdAt: '2026-01-01T00:00:00Z' }, backupJobOf()),
      },
      'ok wal-archived': {
        'is not seen, and WAL was archived': archiving({}),
        'is not seen, and WAL is archived again': archiving({ failedSecondsAgo: 900 }),
      },
      'ok backup-seen CronJob nightly': {
        'was made by a program that does nothing else': withJobs(
          backupJobOf({
            name: 'nightly',
            containers: [
              containerOf('2.0.0', { image: imageOf('2', { reference: 'example.com/pgbackrest:2' }) }),
            ],
          }),
        ),
      },
      'not-checked facts-not-seen': {
        'is none of what another job does': withJobs(backupJobOf({ name: 'nightly' })),
        'is none of what runs on, whatever it is called': withJobs(backupJobOf({ kind: 'Deployment' })),
        'is no snapshot of what begins so': withSnapshot({ claim: 'pgadmin' }),
        'is no snapshot of another PostgreSQL': withSnapshot({ claim: 'data-other-postgresql-0' }, database),
        'is no snapshot of what Lightdash itself keeps': withSnapshot(
          { claim: 'data-lightdash-backend-0' },
          database,
        ),
        'is no snapshot of another volume': withSnapshot({ claim: 'minio-0' }, database),
        'is no snapshot of an unknown volume': withSnapshot({ claim: null }),
        'is no snapshot that is not ready': withSnapshot({ readyToUse: false }),
        'is no snapshot of which nothing is told': withSnapshot({ readyToUse: null }),
        'is no snapshot that is not made': withSnapshot({ createdAt: null }),
        'was not seen': withJobs(),
        'was not asked for': { ...withJobs(), snapshots: 'not-permitted' },
        'may be there where jobs may not be read': seenThrough(withJobs(), { unseenKinds: ['CronJob'] }),
        'was not seen of compose': composedAt('2.0.0'),
      },
      'ok backup-seen the stated backup': {
        'is stated, where nothing was looked at': { stated: { backup: '2026-09-06T02:00Z' } },
        'is stated, and newer than what was seen': {
          ...withJobs(backupJobOf({ lastSuccessAt: '2026-09-01T03:00:00Z' })),
          stated: { backup: '2026-09-06T04:00+02:00' },
        },
        'is stated of what compose shows none of': {
          ...composedAt('2.0.0'),
          stated: { backup: '2026-09-06T02:00Z' },
        },
      },
      'warn backup-old the stated backup': {
        'is stated, and of another day': { ...withJobs(), stated: { backup: '2026-09-05T17:00Z' } },
      },
      [`warn backup-old ${job}`]: {
        'is of another day': withJobs(backupJobOf({ lastSuccessAt: '2026-09-05T17:59:59Z' })),
      },
      [`warn backup-suspended ${job}`]: {
        'is no longer made': withJobs(backupJobOf({ lastSuccessAt: null, suspended: true })),
      },
      [`warn backup-never-succeeded ${job}`]: {
        'never was made': withJobs(backupJobOf({ lastSuccessAt: null })),
      },
      [`warn backup-time-not-told ${job}`]: {
        'is to be made, by what would be applied': seenThrough(
          withJobs(backupJobOf({ lastSuccessAt: null })),
          { origin: 'rendered' },
        ),
      },
      'warn backup-time-not-told service pg-dump': {
        'is to be made, by a service of compose': {
          ...composedAt('2.0.0'),
          workloads: [
            backendOf('2.0.0', { kind: 'service', name: 'pg-dump', role: 'other', suspended: true }),
          ],
        },
      },
      'ok backup-seen VolumeSnapshot daily': {
        'is a snapshot': withSnapshot({}, database),
        'is a snapshot of a database that is not listed': withSnapshot({ claim: 'pg-0' }),
        'is the newest of several, be it a snapshot': withSnapshot(
          {},
          backupJobOf({ lastSuccessAt: '2026-09-01T03:00:00Z' }),
        ),
        'is a snapshot of a volume that is named like the database': withSnapshot(
          { claim: 'data-store-0' },
          database,
          backendOf('2.0.0', { name: 'store', role: 'database' }),
        ),
        'is a snapshot of what ends in pg': withSnapshot({ claim: 'data-pg' }),
      },
      'warn backup-old VolumeSnapshot daily': {
        'is an old snapshot': withSnapshot({ createdAt: '2026-01-01T00:00:00Z' }),
        'is the newest of several that are old': withSnapshot(
          { createdAt: '2026-09-02T03:00:00Z' },
          backupJobOf({ lastSuccessAt: '2026-09-01T03:00:00Z' }),
        ),
      },
    },
    [
      ...(['CronJob', 'VolumeSnapshot'] as const).map((kind): [string, DeploymentFacts, string[]] => [
        `may be a ${kind} that may not be seen`,
        seenThrough(withJobs(), { unseenKinds: [kind] }),
        ['not-checked facts-not-seen'],
      ]),
    ],
  );
});
