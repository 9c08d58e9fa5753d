import type { CheckGroup } from '../../src/checks/check.js';
import type { CheckId } from '../../src/checks/checks.js';
import type { WorkloadFact } from '../../src/facts/deployment-facts.js';
import {
  backendOf,
  backendWith,
  backupJobOf,
  chartValuesOf,
  containerOf,
  type DeploymentFacts,
  databaseOf,
  deployedAt,
  imageOf,
  literals,
  migrationJobOf,
  probeOf,
  servingOf,
  workerOf,
} from '../support/deployment.js';
import { autoscalerOf, indexFact, migratorFact, tableFact } from '../support/facts.js';
import {
  healthyFacts,
  idleLease,
  ledgerOf,
  lockOf,
  type MigrationCase,
  type ReleaseCase,
  runOf,
  type Situation,
} from '../support/preflight.js';

/** An incident that somebody reported, rebuilt from what could be observed before it. */
export interface Scenario {
  /** The thread, and what happened. */
  readonly source: string;
  /** The check that sees it; `missed` where none does, with the reason. */
  readonly expected: CheckId | { readonly missed: string };
  /** The checks that are asked, as `--only` names them; those of the database where it is not said. */
  readonly asked?: CheckGroup;
  readonly broken: Situation;
  /** The same instance without what caused it. */
  readonly healthy: Situation;
}

const ran = '20260801000000_ran';

/** From a release that has run its one migration to one that brings these. */
function upgrade(
  from: string,
  to: string,
  migrations: readonly MigrationCase[] = [],
  target: Partial<ReleaseCase> = {},
): readonly ReleaseCase[] {
  return [
    { version: from, migrations: [{ name: ran }] },
    { version: to, migrations, ...target },
  ];
}

const { queue: restingQueue, activity: _, ...resting } = healthyFacts(ran);
const healthy = { ...healthyFacts(ran) };
const queueOf = (told: object) =>
  typeof restingQueue === 'string' ? restingQueue : { ...restingQueue, ...told };
const migrator = (told: object) => ({ ...migratorFact, ...told });
const withTable = (name: string, told: object = {}) => ({
  tables: [...(Array.isArray(resting.tables) ? resting.tables : []), tableFact({ name, ...told })],
});

/** A pair of situations on the same way, which differ in what was seen. */
function onWay(
  releases: readonly ReleaseCase[],
  broken: Situation['facts'],
  sound: Situation['facts'] = {},
  more: Partial<Situation> = {},
): Pick<Scenario, 'broken' | 'healthy'> {
  return {
    broken: { releases, facts: { ...healthy, ...broken }, ...more },
    healthy: { releases, facts: { ...healthy, ...sound }, ...more },
  };
}

/** A pair of deployments by the chart on the same way, on a healthy database, which differ in what was seen of them. */
function deployed(
  releases: readonly ReleaseCase[],
  broken: Situation['facts'],
  sound: Situation['facts'] = {},
): Pick<Scenario, 'asked' | 'broken' | 'healthy'> {
  const chart = { ...healthy, ...deployedAt(releases[0]?.version ?? '') };
  return {
    asked: 'deployment',
    broken: { releases, facts: { ...chart, ...broken } },
    healthy: { releases, facts: { ...chart, ...sound } },
  };
}

/** The tables of a healthy instance, with so many rows in `saved_queries_versions`, of 2 kB each. */
const versionsOf = (rows: number) =>
  withTable('saved_queries_versions', { estimatedRows: rows, heapBytes: rows * 2000 }).tables.filter(
    ({ name, estimatedRows }) => name !== 'saved_queries_versions' || estimatedRows === rows,
  );
const ofVersions = ['pkey', 'uuid', 'query', 'created'].map((name) =>
  indexFact({
    name: `saved_queries_versions_${name}`,
    table: 'saved_queries_versions',
  }),
);

const timezone: MigrationCase = {
  name: '20260610120000_default_saved_chart_timezone_to_project',
  tables: ['saved_queries_versions', 'pg_constraint'],
  does: ['locks', 'rewrites', 'scans'],
};
const primaryKeys: MigrationCase = {
  name: '20260428153355_add_primary_keys_to_analytics_and_scheduler_log',
  // As the publisher's scan reads it: all its work sits in a function beside `up`.
};
const timing: MigrationCase = {
  name: '20260903120000_add_response_timing_to_ai_prompt',
  tables: ['ai_prompt'],
  does: ['locks'],
};
const enterprise = '20260801000001_ai_thread';

/** Where a newer name has run before, an old one is late. */
const lateAfter = (from: string) =>
  upgrade(from, '1.260.0', [{ name: '20260701000000_late', tables: ['projects'] }]);

const parkedRuns = {
  newest: runOf({ appVersion: '1.150.0', outcome: 'parked', failingMigration: '20260815000000_x' }),
  lastSucceeded: null,
};

const beforeLease = { lease: 'absent', runs: 'absent' } as const;
const composeBeforeLease = { ...healthy, ...beforeLease, stated: { 'deployed-by': 'compose' } };

const noDisk = { diskFree: 40 * 1024 ** 3 };

const chart = (chartVersion: string) => ({
  helm: { release: 'bi', namespace: 'lightdash', chart: 'lightdash', chartVersion },
});
/** The migration job is on, as the chart then has it, with its image pinned; pods and job have these variables too. */
const withJob = (version: string, ...variables: readonly string[]) => ({
  workloads: [
    withVariables(servingOf(version), variables),
    withVariables(migrationJobOf(version, { succeeded: 1, failed: 0 }), variables),
    backupJobOf(),
  ],
  chartValues: chartValuesOf({
    migrationJobEnabled: true,
    imageTag: version,
    upgradeMode: null,
  }),
});
const withVariables = (workload: WorkloadFact, names: readonly string[]): WorkloadFact => ({
  ...workload,
  containers: workload.containers.map((container) => ({
    ...container,
    variables: [...container.variables, ...literals(...names)],
  })),
});
const servingWith = (...names: readonly string[]) => withVariables(servingOf('2.0.0'), names);
const beforeLeaseByChart = {
  workloads: [backendOf('0.3479.0', { replicas: 1 }), backupJobOf()],
  chartValues: chartValuesOf({
    imageTag: '0.3479.0',
    migrationJobEnabled: false,
    upgradeMode: null,
  }),
};
const servingAlone = [backendOf('2.0.0'), backupJobOf()];

/** A pair of deployments of 2.0.0 on the way to 2.1.0, which differ in what was seen. */
function ofDeployment(
  common: Partial<DeploymentFacts>,
  broken: Partial<DeploymentFacts>,
  more: Partial<Situation> = {},
): Pick<Scenario, 'asked' | 'broken' | 'healthy'> {
  const releases = upgrade('2.0.0', '2.1.0');
  const sound = { ...healthy, ...deployedAt('2.0.0'), ...common };
  return {
    asked: 'deployment',
    broken: { releases, facts: { ...sound, ...broken }, ...more },
    healthy: { releases, facts: sound, ...more },
  };
}

/** An incident that nothing of what is looked at shows, and why. */
function missed(source: string, reason: string): Scenario {
  return { source, expected: { missed: reason }, ...onWay(upgrade('2.0.0', '2.1.0'), {}) };
}

export const scenarios: Readonly<Record<string, Scenario>> = {
  'timezone-backfill-rescans': {
    source:
      'lightdash #26281: a batched backfill of saved_queries_versions finds its batches by scanning the heap again; 1.35 million rows in the first hour, then 20 rows in 20 minutes',
    expected: 'migration-time',
    ...onWay(
      upgrade('2.0.0', '2.1.0', [
        { ...timezone, name: '20260810120000_default_saved_chart_timezone_to_project' },
      ]),
      { tables: versionsOf(2_000_000), indexes: ofVersions },
      { indexes: ofVersions },
      noDisk,
    ),
  },
  'lock-left-by-killed-backfill': {
    source:
      'lightdash #26281: the pod was killed; "Migration table is already locked" at every start before the lease',
    expected: 'lock-and-lease',
    ...onWay(
      upgrade('1.100.0', '1.122.0'),
      { ledgerLock: { rows: 1, lockedRows: 1 }, lease: 'absent', runs: 'absent' },
      { lease: 'absent', runs: 'absent' },
    ),
  },
  'statement-timeout-ends-backfill': {
    source:
      'lightdash #22588: a primary-key backfill ran under the statement_timeout of its role, and left the lock held',
    expected: 'timeouts',
    ...onWay(
      upgrade('2.0.0', '2.1.0', [
        { ...primaryKeys, name: '20260828153355_add_primary_keys_to_analytics_and_scheduler_log' },
      ]),
      { migrator: migrator({ statementTimeoutMs: 60_000 }) },
      {},
      noDisk,
    ),
  },
  'enterprise-table-in-core-migration': {
    source: 'lightdash #28668: a core migration alters ai_prompt, which is there only with a licence key',
    expected: 'table-absent',
    ...onWay(upgrade('2.125.0', '2.126.0', [timing]), {}, withTable('ai_prompt')),
  },
  'embedding-table-absent': {
    source: 'lightdash #17789: a core migration alters embedding; the release has no artifact',
    expected: 'known-issues',
    ...onWay(upgrade('0.2122.0', '0.2123.0', [], { artifact: 'missing', entry: { backfilled: true } }), {
      lease: 'absent',
      runs: 'absent',
    }),
    healthy: {
      releases: upgrade('0.2122.0', '0.2123.0', [{ name: ran }]),
      facts: { ...healthy, ...withTable('embedding'), lease: 'absent', runs: 'absent' },
    },
  },
  'start-check-blocks-hops': {
    source:
      'lightdash #27228: the start check takes a minimum version for a boundary, and aborts every hop over several releases with migrations',
    expected: 'start-check',
    broken: {
      releases: [
        { version: '1.123.1', migrations: [{ name: ran }] },
        { version: '1.124.0', migrations: [{ name: '20260811122500_create_migration_run_ledger' }] },
        { version: '1.134.0', artifact: { upgrade: { minPreviousVersion: '1.111.0', requiredStops: [] } } },
      ],
      facts: { ...healthy, runs: 'absent' },
      ...noDisk,
    },
    healthy: {
      releases: [
        { version: '1.123.1', migrations: [{ name: ran }] },
        { version: '1.124.0', migrations: [{ name: '20260811122500_create_migration_run_ledger' }] },
        { version: '1.134.1', artifact: { upgrade: { minPreviousVersion: '1.111.0', requiredStops: [] } } },
      ],
      facts: { ...healthy, runs: 'absent' },
      ...noDisk,
    },
  },
  'parked-run-makes-all-pods-unready': {
    source:
      'lightdash PR#27476: readyz of 1.129.0 to 1.169.0 fails in every pod while the newest run is parked',
    expected: 'parked-probe',
    ...onWay(upgrade('1.150.0', '1.180.0'), { runs: parkedRuns }),
  },
  'vector-extension-missing': {
    source: 'lightdash #13428: with a licence key, the schema needs vector from March 2025 on',
    expected: 'extensions',
    ...onWay(
      upgrade('2.0.0', '2.1.0'),
      { extensions: [{ name: 'uuid-ossp', available: '1.1', installed: '1.1', trusted: true }] },
      {},
      { edition: 'enterprise' },
    ),
  },
  'old-image-on-newer-database': {
    source: 'lightdash #9188: an older image is started on a database that a newer one has migrated',
    expected: 'ledger',
    ...onWay(upgrade('2.0.0', '2.1.0'), { ledger: ledgerOf(ran, '20261001000000_newer') }),
  },
  'ledger-ahead-of-artifacts': {
    source: 'lightdash #9188: the same, where the artifact of the target cannot be read',
    expected: 'ledger',
    ...onWay(upgrade('2.0.0', '2.1.0'), {}),
    broken: {
      releases: upgrade('2.0.0', '2.1.0', [], { artifact: 'missing' }),
      facts: { ...healthy, ledger: ledgerOf(ran, '20261001000000_newer') },
    },
  },
  'migration-of-a-fork': {
    source:
      "the publisher's ledger rules: a name between its own that the image does not contain is a divergence",
    expected: 'ledger',
    ...onWay(
      [
        {
          version: '1.900.0',
          migrations: [{ name: '20260701000000_early' }],
          entry: { releaseDate: '2026-07-02T00:00:00Z' },
        },
        ...upgrade('2.0.0', '2.1.0'),
      ],
      { ledger: ledgerOf('20260701000000_early', '20260715000000_of_a_fork', ran) },
      { ledger: ledgerOf('20260701000000_early', ran) },
      { from: '2.0.0', begin: '2.0.0' },
    ),
  },
  'back-dated-migration': {
    source:
      'lightdash PR#28031: a migration that sorts before ones that have run; old pods that start again call that diverged',
    expected: 'ledger',
    broken: { releases: lateAfter('1.258.0'), facts: healthy },
    healthy: { releases: lateAfter('1.259.1'), facts: healthy },
  },
  'back-dated-migration-rolls': {
    source: 'lightdash PR#28031: the chart would roll it; under Recreate nothing goes wrong',
    expected: 'rollout-strategy',
    ...deployed(lateAfter('1.258.0'), {
      workloads: [
        backendOf('1.258.0', { strategy: 'RollingUpdate' }),
        workerOf('1.258.0', { strategy: 'RollingUpdate' }),
        backupJobOf(),
      ],
      chartValues: chartValuesOf({ upgradeMode: null }),
    }),
  },
  'job-with-one-attempt-running': {
    source: 'lightdash #29183: an ordinary shutdown loses background jobs that have a single attempt',
    expected: 'queue',
    ...onWay(upgrade('2.0.0', '2.1.0'), { queue: queueOf({ jobs: 4, locked: 1, lockedOnLastAttempt: 1 }) }),
  },
  'scheduler-dead-while-healthy': {
    source: 'lightdash #25356: no worker works, jobs grow, and health still answers 200',
    expected: 'queue',
    ...onWay(upgrade('2.0.0', '2.1.0'), {
      queue: queueOf({ jobs: 900, due: 900, oldestDueSeconds: 86_400 }),
    }),
  },
  'long-lock-on-projects': {
    source:
      'lightdash #28598: a long lock on projects stalls every query; a migration of projects waits behind it',
    expected: 'table-locks',
    ...onWay(
      upgrade('2.0.0', '2.1.0', [
        { name: '20260820180000_add_provisioning_source', tables: ['projects'], does: ['locks'] },
      ]),
      { locks: [lockOf({ mode: 'RowShareLock', transactionSeconds: 5400 })] },
    ),
  },
  'enterprise-migrations-left-out-by-job': {
    source:
      'helm PR#155: the migration job had no licence key, so that enterprise migrations were left out of a successful upgrade',
    expected: 'ledger',
    broken: {
      releases: [
        { version: '1.900.0', migrations: [{ name: '20260701000001_ai_thread', edition: 'ee' }] },
        ...upgrade('2.0.0', '2.1.0'),
      ],
      from: '2.0.0',
      facts: healthy,
      edition: 'enterprise',
    },
    healthy: {
      releases: [
        { version: '1.900.0', migrations: [{ name: '20260701000001_ai_thread', edition: 'ee' }] },
        ...upgrade('2.0.0', '2.1.0'),
      ],
      from: '2.0.0',
      facts: { ...healthy, ledger: ledgerOf('20260701000001_ai_thread', ran) },
      edition: 'enterprise',
    },
  },
  'licence-key-not-in-job': {
    source: 'helm PR#155: the licence key reaches the pods, and not the job that migrates for them',
    expected: 'licence-key',
    ...ofDeployment(
      { ...withJob('2.0.0', 'LIGHTDASH_LICENSE_KEY') },
      { workloads: [servingWith('LIGHTDASH_LICENSE_KEY'), ...withJob('2.0.0').workloads.slice(1)] },
    ),
  },
  'licence-key-removed': {
    source:
      'lightdash #28670: without the key the image leaves the enterprise folder out, and the ledger is diverged',
    expected: 'ledger',
    broken: {
      releases: [
        { version: '2.0.0', migrations: [{ name: ran }, { name: enterprise, edition: 'ee' }] },
        { version: '2.1.0' },
      ],
      facts: { ...healthy, ledger: ledgerOf(ran, enterprise) },
      edition: 'community',
    },
    healthy: {
      releases: [
        { version: '2.0.0', migrations: [{ name: ran }, { name: enterprise, edition: 'ee' }] },
        { version: '2.1.0' },
      ],
      facts: { ...healthy, ledger: ledgerOf(ran, enterprise) },
      edition: 'enterprise',
    },
  },
  'parked-for-the-same-release': {
    source:
      "the publisher's lease rules: the release that a migration is parked for fails at once until it is unlocked",
    expected: 'lock-and-lease',
    ...onWay(upgrade('2.0.0', '2.1.0'), {
      lease: [
        {
          ...idleLease,
          parkedAt: '2026-09-06T10:00:00Z',
          parkedAppVersion: '2.1.0',
          parkedMigration: '20260901000000_x',
        },
      ],
    }),
  },
  'job-and-pods-migrate-at-once': {
    source: 'helm #134: the job and every pod migrate at once',
    expected: 'known-issues',
    ...onWay(
      upgrade('0.3479.0', '0.3480.0'),
      {
        ...beforeLease,
        stated: { 'deployed-by': 'helm', 'chart-version': '2.8.0', 'migration-job': 'on' },
      },
      {
        ...beforeLease,
        stated: { 'deployed-by': 'helm', 'chart-version': '2.8.0', 'migration-job': 'off' },
      },
    ),
  },
  'job-beside-pods-that-migrate': {
    source: 'helm #134: the same, told by manifests: chart 2.8.0 lets the backend migrate beside its job',
    expected: 'migrators',
    ...ofDeployment(
      { ...deployedAt('0.3479.0'), ...chart('2.8.0'), ...beforeLeaseByChart },
      {
        workloads: [...beforeLeaseByChart.workloads, migrationJobOf('0.3479.0')],
      },
      { releases: upgrade('0.3479.0', '0.3480.0') },
    ),
  },
  'chart-chooses-release-of-long-ago': {
    source:
      'charts before 2.10.1 deploy 0.2248.0 where image.tag is not set; 2.10.1 deploys 0.3486.1, a jump of more than a thousand releases',
    expected: 'chart-version',
    ...ofDeployment(
      {
        ...deployedAt('0.2248.0'),
        ...chart('2.10.0'),
        workloads: [backendOf('0.2248.0', { replicas: 1 }), backupJobOf()],
        chartValues: chartValuesOf({ imageTag: '0.2248.0', upgradeMode: null }),
      },
      { chartValues: chartValuesOf({ upgradeMode: null }) },
      { releases: upgrade('0.2248.0', '0.2249.0') },
    ),
  },
  'startup-probe-kills-migration': {
    source: 'helm #98: a migration outlasts the startup probe, and begins again',
    expected: 'startup-time',
    ...deployed(
      upgrade('2.0.0', '2.1.0', [
        {
          name: '20260810120000_widen_scheduler_log',
          tables: ['saved_queries_versions'],
          does: ['locks', 'rewrites'],
        },
      ]),
      { tables: versionsOf(20_000_000), chartValues: chartValuesOf({ migrationJobEnabled: false }) },
    ),
  },
  'hook-objects-left-over': {
    source: 'helm PR#141: objects of a hook are left over, and every later upgrade fails',
    expected: 'hook-leftovers',
    ...ofDeployment(
      { ...chart('2.10.100'), ...withJob('2.0.0') },
      {
        hookObjects: [
          {
            kind: 'ServiceAccount',
            name: 'bi-lightdash-migration',
            namespace: 'lightdash',
            hook: {
              events: ['pre-install', 'pre-upgrade'],
              deletePolicies: ['hook-succeeded', 'hook-failed'],
            },
          },
        ],
      },
    ),
  },
  'bundled-database-recreated': {
    source: 'helm PR#154: the bundled PostgreSQL is a hook of the upgrade, and recreated by it',
    expected: 'bundled-database',
    ...ofDeployment(
      {
        ...chart('2.14.0'),
        chartValues: chartValuesOf({ imageTag: '2.0.0', upgradeMode: null }),
        workloads: [...servingAlone, databaseOf('pgvector/pgvector:pg16')],
      },
      {
        ...chart('2.13.0'),
        workloads: [
          ...servingAlone,
          databaseOf('pgvector/pgvector:pg16', {
            hook: { events: ['pre-install', 'pre-upgrade'], deletePolicies: ['before-hook-creation'] },
          }),
        ],
      },
    ),
  },
  'database-image-floats': {
    source:
      'lightdash #7101: an image of PostgreSQL without a major version; the next one did not start on the data',
    expected: 'bundled-database',
    ...ofDeployment(
      { workloads: [...servingAlone, databaseOf('pgvector/pgvector:pg16')] },
      { workloads: [...servingAlone, databaseOf('postgres')] },
    ),
  },
  'object-storage-not-configured': {
    source: 'lightdash #14894: the image does not start without S3_ENDPOINT, S3_BUCKET and S3_REGION',
    expected: 'known-issues',
    broken: { releases: upgrade('0.3050.0', '0.3051.0'), facts: composeBeforeLease },
    healthy: { releases: upgrade('0.3051.0', '0.3052.0'), facts: composeBeforeLease },
  },
  'object-storage-not-in-job': {
    source:
      'lightdash #15111, PR#23658: what migrates reads the configuration too, and S3 is not configured there',
    expected: 'required-variables',
    ...ofDeployment(withJob('2.0.0'), {
      workloads: withJob('2.0.0').workloads.map((workload) =>
        workload.kind === 'Job'
          ? {
              ...workload,
              containers: workload.containers.map((container) => ({
                ...container,
                variables: literals('LIGHTDASH_SECRET'),
              })),
            }
          : workload,
      ),
    }),
  },
  'syntax-error-in-migration': {
    source: 'lightdash #23102: a migration of 0.2944.0 is expanded to wrong SQL',
    expected: 'known-issues',
    broken: { releases: upgrade('0.2943.0', '0.2944.0'), facts: composeBeforeLease },
    healthy: { releases: upgrade('0.2943.0', '0.2949.1'), facts: composeBeforeLease },
  },
  'job-without-nats-url': {
    source: 'helm #142: charts 2.6.0 to 2.10.180 give their job NATS_ENABLED and not NATS_URL',
    expected: 'required-variables',
    ...ofDeployment(
      { ...chart('2.10.173'), ...withJob('2.0.0', 'NATS_ENABLED', 'NATS_URL') },
      {
        workloads: [
          servingWith('NATS_ENABLED', 'NATS_URL'),
          ...withJob('2.0.0', 'NATS_ENABLED').workloads.slice(1),
        ],
      },
    ),
  },
  'timezone-not-resolved': missed(
    'lightdash #24228: charts say "Invalid timezone" from 0.3138.0 on',
    'it takes a flag that is not among the facts, and which release mended it is not known',
  ),
  'schedulers-off-after-upgrade': missed(
    'lightdash #25894: errors at a restart switch schedulers off for good',
    'any upgrade may do that, and the cause is a hypothesis of the thread',
  ),
  'orphans-removed': missed(
    'lightdash #24657: 0.3234.0 adds foreign keys, and removes the rows in their way',
    'only a query of the database could tell which rows',
  ),
  'image-fetches-pnpm': {
    source: 'lightdash #26852: the image demands another pnpm than it has, and may not fetch it',
    expected: 'known-issues',
    broken: { releases: upgrade('1.80.0', '1.84.1'), facts: composeBeforeLease },
    healthy: { releases: upgrade('1.80.0', '1.85.0'), facts: composeBeforeLease },
  },
  'image-reinstalls-at-start': {
    source:
      'lightdash #26493, #26410: pnpm installs everything anew at the start, and is killed before it ends',
    expected: 'known-issues',
    broken: { releases: upgrade('1.35.0', '1.38.0'), facts: composeBeforeLease },
    healthy: { releases: upgrade('1.35.0', '1.38.1'), facts: composeBeforeLease },
  },
  'thread-table-absent': {
    source: 'lightdash #16575: a core migration alters ai_thread, which is there only with a licence key',
    expected: 'known-issues',
    broken: { releases: upgrade('0.1964.0', '0.1967.0'), facts: composeBeforeLease },
    healthy: {
      releases: upgrade('0.1964.0', '0.1967.0'),
      facts: { ...composeBeforeLease, ...withTable('ai_thread') },
    },
  },
  'prompt-table-absent': {
    source: 'lightdash #17124: a core migration refers to ai_prompt, which is there only with a licence key',
    expected: 'known-issues',
    broken: { releases: upgrade('0.2027.0', '0.2029.0'), facts: composeBeforeLease },
    healthy: {
      releases: upgrade('0.2027.0', '0.2029.0'),
      facts: { ...composeBeforeLease, ...withTable('ai_prompt') },
    },
  },
  'slug-backfill-never-ends': {
    source: 'lightdash #25429: a migration never ends, because an SQL chart of a scheduler has no project',
    expected: 'known-issues',
    broken: { releases: upgrade('0.3367.0', '1.120.0'), facts: composeBeforeLease },
    healthy: { releases: upgrade('0.3368.0', '1.120.0'), facts: composeBeforeLease },
  },
  'corepack-downloads-at-start': {
    source:
      'lightdash #25617: without root and without egress, "Corepack is about to download", and no start',
    expected: 'known-issues',
    broken: { releases: upgrade('0.1456.0', '0.1500.0'), facts: composeBeforeLease },
    healthy: { releases: upgrade('0.1456.1', '0.1500.0'), facts: composeBeforeLease },
  },
  'probe-taken-back': {
    source: 'lightdash #18547: livez tests the event loop; taken back within hours',
    expected: 'known-issues',
    broken: { releases: upgrade('0.2221.6', '0.2222.0'), facts: composeBeforeLease },
    healthy: { releases: upgrade('0.2221.6', '0.2223.0'), facts: composeBeforeLease },
  },
  'image-copies-wrong-files': {
    source: 'lightdash #18263: a wrong COPY in the image',
    expected: 'known-issues',
    broken: { releases: upgrade('0.2196.0', '0.2198.3'), facts: composeBeforeLease },
    healthy: { releases: upgrade('0.2196.0', '0.2198.4'), facts: composeBeforeLease },
  },
  'drain-hangs-on-budget': {
    source: 'helm PR#146: a budget of minAvailable 1 with one replica, and no node can be drained',
    expected: 'disruption-budget',
    ...deployed(upgrade('2.0.0', '2.1.0'), {
      workloads: [backendOf('2.0.0', { replicas: 1 }), workerOf('2.0.0'), backupJobOf()],
      disruptionBudgets: [
        {
          name: 'lightdash-backend',
          workloads: ['lightdash-backend'],
          minAvailable: '1',
          maxUnavailable: null,
          disruptionsAllowed: 0,
        },
      ],
    }),
  },
  'readyz-set-by-hand': {
    source:
      'lightdash PR#27476: readyz set by hand on 1.129.0 to 1.169.0, where one parked migration takes all pods out of service',
    expected: 'readiness-path',
    ...deployed(upgrade('1.150.0', '1.160.0'), {
      workloads: [
        backendOf('1.150.0', {
          containers: [containerOf('1.150.0', { readinessProbe: probeOf({ path: '/api/v1/readyz' }) })],
        }),
        backupJobOf(),
      ],
    }),
  },
  'heap-limit-with-memory-to-spare': {
    source:
      'lightdash #28559: a limit of 8 GiB and a heap of 2,240 MB; large compiles end with exit code 134',
    expected: 'memory-limit',
    ...deployed(upgrade('2.0.0', '2.1.0'), {
      workloads: [backendWith({ memoryLimitBytes: 8 * 1024 ** 3 }), backupJobOf()],
    }),
  },
  'recreate-left-all-at-zero': {
    source:
      'the steps of a Recreate: where the migration fails, the chart restores neither pods nor autoscaler',
    expected: 'rollout-strategy',
    ...deployed(
      upgrade('2.0.0', '2.1.0'),
      { workloads: [backendOf('2.0.0', { replicas: 0 }), workerOf('2.0.0', { replicas: 0 }), backupJobOf()] },
      { workloads: [backendOf('2.0.0'), workerOf('2.0.0'), backupJobOf()] },
    ),
  },
  'autoscaler-brings-pods-back': {
    source:
      'the steps of a Recreate: pods are scaled to 0, and an autoscaler that nobody removed brings them back',
    expected: 'autoscaler',
    ...deployed(upgrade('2.0.0', '2.1.0', [], { entry: { rollingUpdateSafe: 'unknown' } }), {
      autoscalers: [autoscalerOf({ minReplicas: 2, maxReplicas: 5 })],
    }),
  },
  'tag-that-moves': {
    source:
      "a tag that moves, as the publisher's compose file has it: any pull takes the newest release, past every stop",
    expected: 'images',
    ...deployed(upgrade('2.0.0', '2.1.0'), {
      workloads: [backendWith({ image: imageOf('latest') }), backupJobOf()],
    }),
  },
  'old-pods-on-new-schema': {
    source: 'lightdash #24441: old pods break on the new schema while both run',
    expected: 'rollout-strategy',
    ...deployed(upgrade('2.0.0', '2.1.0', [], { entry: { rollingUpdateSafe: false } }), {
      workloads: [
        backendOf('2.0.0', { strategy: 'RollingUpdate' }),
        workerOf('2.0.0', { strategy: 'RollingUpdate' }),
        backupJobOf(),
      ],
      chartValues: chartValuesOf({ upgradeMode: null }),
    }),
  },
};
