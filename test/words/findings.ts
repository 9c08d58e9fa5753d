import type { FindingStatus, MissingNeed, NotChecked } from '../../src/checks/check.js';
import type { CheckEvidence } from '../../src/checks/checks.js';
import { type MigrationForecast, noTime, unbounded } from '../../src/instance/forecast/forecast.js';
import type { AppliedIssue, NetConfigChange } from '../../src/release-safety/results.js';
import { requireVersion, type Version } from '../../src/release-safety/version.js';

type Evidence = CheckEvidence | NotChecked;
type Kind = Evidence['kind'];
/** Versions as plain texts. */
export type Written<T> = T extends Version
  ? string
  : T extends object
    ? { readonly [Key in keyof T]: Written<T[Key]> }
    : T;
type Of<One extends Kind> = Written<Omit<Extract<Evidence, { readonly kind: One }>, 'kind'>>;
type Examples = {
  readonly [One in Kind]: readonly [FindingStatus, Of<One>, ...Of<One>[]];
};

const GiB = 1024 ** 3;
const version = requireVersion('2.1.0');
const older = requireVersion('2.0.0');
const between = requireVersion('2.0.5');

const a = '20260801000000_add_spaces';
const b = '20260802000000_add_spaces_index';
const c = '20260803000000_fill_spaces';
const d = '20260804000000_drop_old_spaces';

const lightdash = { schema: 'public', role: 'lightdash' };
const notOwned = { ...lightdash, owner: 'postgres', migration: b };
const atAnEnd = { oldest: '2.1.0', newest: '2.1.0' };
const inBetween = { oldest: '2.0.0', newest: '2.1.0' };
const before = { oldest: null, newest: '2.0.0' };
const nowhere = { oldest: null, newest: null };
const since = { oldest: '2.0.0', newest: null };

const holder = { host: 'lightdash-0', version: '2.1.0', migration: b, heartbeatSeconds: 20 };
const unknownHolder = { host: null, version: null, migration: null, heartbeatSeconds: null };
const nobody = { migrator: 'none', pids: [] } as const;
const hidden = { migrator: 'hidden', pids: [] } as const;
const somebody = { migrator: 'maybe', pids: [4711] } as const;
const many = { migrator: 'maybe', pids: [1, 2, 3, 4, 5, 6] } as const;

const forecast: MigrationForecast = {
  ...{ migration: b, version, mayDo: ['rewrite'], everyRowSeconds: null },
  ...{ lowSeconds: 240, highSeconds: 2400, because: [] },
};
const endless: MigrationForecast = {
  ...forecast,
  ...{ highSeconds: null, because: ['rows-not-told', 'size-not-seen'], everyRowSeconds: 3600 },
};

const issue: AppliedIssue = {
  id: 'timezone-backfill-rescans',
  summary: 'A migration goes over a large table again and again.',
  version,
  effect: { kind: 'avoid-landing' },
  remedy: 'Go past this release.',
  notKnown: [],
};

const change: NetConfigChange = {
  type: 'renamed',
  formerNames: ['OLD_NAME'],
  name: 'NEW_NAME',
  previousDefault: null,
  defaultValue: null,
  versions: [version],
};

const backend = 'Deployment lightdash-backend';
const worker = 'Deployment lightdash-worker';
const several = [backend, worker, 'Deployment b', 'Deployment c'];
const asked = { workload: backend, probe: 'readiness', path: [] } as const;
const dependency = ['our-charts', 'bi'];
const byProbe = {
  migrator: backend,
  limit: 'startup-probe',
  seconds: 185,
  periodSeconds: 10,
  path: [],
} as const;
const byLiveness = { ...byProbe, limit: 'liveness-probe', seconds: 95, periodSeconds: null } as const;
const byDeadline = {
  migrator: 'Job lightdash-migrate',
  limit: 'deadline',
  seconds: 60,
  periodSeconds: null,
  path: null,
} as const;
const byHelm = { ...byDeadline, migrator: 'the migration job', limit: 'helm-timeout', seconds: 300 } as const;

const held = { budget: 'lightdash-backend', workloads: ['lightdash-backend'], namespace: 'bi', replicas: 1 };
const heldTwice = { ...held, workloads: ['lightdash-backend', 'lightdash-worker'], replicas: 3 };

const image = { workload: backend, image: 'lightdash/lightdash:latest' };
const own = { workload: backend, image: 'lightdash/lightdash:2.0.0' };
const other = { workload: worker, image: 'registry.example.com/lightdash:2.0.0-fips' };
const database = { workload: 'StatefulSet lightdash-postgresql', image: 'postgres:16' };
const lacking = { workload: backend, to: '2.1.0' };
const variable = 'LIGHTDASH_LICENSE_KEY';

const left = { kind: 'ServiceAccount', name: 'lightdash-migration', namespace: 'bi' };
const leftToo = { ...left, kind: 'ConfigMap', name: 'lightdash-migration-configmap' };

const missing = (need: MissingNeed['need'], why: MissingNeed['why'], detail?: string): MissingNeed => ({
  need,
  why,
  detail,
});

/**
 * What is found and told: of every kind how it ends, and an example of its evidence for each sentence that it can make.
 * Leaving a kind out does not compile.
 */
export const findingExamples: Examples = {
  'facts-not-seen': [
    'not-checked',
    { missing: [missing('activity', 'not-permitted')] },
    { missing: [missing('queue', 'not-permitted'), missing('tables', 'timeout')] },
    { missing: [missing('deployment', 'not-asked'), missing('workloads', 'not-asked')] },
    { missing: [missing('workloads', 'not-permitted', 'deployments.apps is forbidden')] },
    { missing: [missing('workloads', 'absent')] },
    { missing: [missing('snapshots', 'absent')] },
    { missing: [missing('artifacts', 'absent')] },
    { missing: [missing('chartValues', 'not-asked')] },
    { missing: [missing('server', 'failed', 'the server ended the connection')] },
    { missing: [missing('ledger', 'absent')] },
    { missing: [missing('database', 'not-asked')] },
    { missing: [missing('disk-free', 'not-asked')] },
    { missing: [missing('migration-job', 'not-asked')] },
    { missing: [missing('edition', 'not-asked')] },
    { missing: [missing('variables', 'not-asked', `secret lightdash, for ${backend}`)] },
  ],
  'artifacts-not-seen': [
    'not-checked',
    { versions: ['2.1.0'], backfilled: 0, of: 1 },
    { versions: ['2.0.1', '2.0.2', '2.0.3', '2.1.0'], backfilled: 2, of: 7 },
  ],
  'releases-not-indexed': [
    'not-checked',
    { ranges: [{ afterVersion: older, beforeVersion: version }] },
    {
      ranges: [
        { afterVersion: between, beforeVersion: between },
        { afterVersion: older, beforeVersion: version },
      ],
    },
  ],
  'check-failed': ['not-checked', { message: 'rows is not iterable' }],
  'check-silent': ['not-checked', {}],

  'ledger-absent': ['stop', {}],
  'ledger-empty': ['stop', {}],
  'ledger-agrees': [
    'ok',
    { from: '2.1.0', migrations: 1, unread: null, ...atAnEnd },
    { from: '2.1.0', migrations: 1234, unread: '1.9.0', ...inBetween },
    { from: '2.0.0', migrations: 2, unread: null, ...since },
  ],
  'ledger-ahead': ['stop', { from: '1.9.0', ...inBetween }, { from: '1.9.0', ...atAnEnd }],
  'ledger-behind': [
    'stop',
    { from: '2.1.0', lacking: [b], ...before },
    { from: '2.1.0', lacking: [a, b, c, d], ...inBetween },
    { from: '2.1.0', lacking: [b], ...nowhere },
  ],
  'ledger-half-applied': ['stop', { version: '2.1.0', lacking: [b] }],
  'ledger-skipped': ['warn', { lacking: [a] }],
  'ledger-diverged': ['stop', { to: '2.1.0', names: [c] }, { to: '2.1.0', names: [a, b, c, d] }],
  'ledger-without-licence': ['stop', { names: [a, b] }],
  'ledger-back-dated': ['warn', { newest: b, names: [a] }],

  'knex-lock-held': [
    'stop',
    { to: '1.122.0', ...lightdash, ...nobody },
    { to: '1.122.0', ...lightdash, ...hidden },
    { to: '1.122.0', ...lightdash, ...somebody },
  ],
  'knex-lock-rows': ['stop', { to: '1.122.0', schema: 'public', role: 'lightdash', rows: 2 }],
  'knex-lock-freed-by-target': [
    'warn',
    { to: '2.1.0', ...nobody },
    { to: '2.1.0', ...hidden },
    { to: '2.1.0', ...many },
  ],
  'lease-migrating': ['stop', holder, { ...unknownHolder, heartbeatSeconds: 3 }],
  'lease-stale': [
    'stop',
    { ...holder, heartbeatSeconds: 7200, ...nobody },
    { ...unknownHolder, ...hidden },
    { ...holder, heartbeatSeconds: 90, ...somebody },
  ],
  'lease-parked-for-target': ['stop', { version: '2.1.0', migration: b }, { version: null, migration: null }],
  'lease-parked': [
    'warn',
    { version: '2.0.0', migration: b, transient: false },
    { version: '2.1.0', migration: null, transient: true },
    { version: null, migration: b, transient: true },
  ],
  'lease-rows': ['stop', { rows: 0 }, { rows: 2 }],
  'nobody-migrates': ['ok', { era: 'lock' }, { era: 'lease' }],

  'start-corrupt-directory': ['stop', { to: '1.122.0', names: [c] }],
  'start-diverged': ['stop', { to: '2.1.0', names: [c] }],
  'start-outside-artifact': [
    'stop',
    { to: '2.1.0', names: [a], versions: ['2.0.1'], stops: ['2.0.2'], minimum: null },
    { to: '2.1.0', names: [a, b], versions: ['2.0.1', '2.0.2'], stops: ['2.0.2', '2.0.3'], minimum: null },
    { to: '1.130.0', names: [a], versions: ['1.129.0'], stops: [], minimum: '1.129.0' },
  ],
  'start-privileges': [
    'stop',
    { to: '2.1.0', schema: 'public', tables: [] },
    { to: '2.1.0', schema: '', tables: ['spaces'] },
    { to: '2.1.0', schema: 'public', tables: ['spaces', 'users'] },
  ],
  'start-postgres': ['stop', { to: '2.1.0', major: 11 }],
  'start-proceeds': ['ok', { to: '2.1.0', checked: true }, { to: '1.122.0', checked: false }],

  'known-issue-stops': [
    'stop',
    issue,
    { ...issue, effect: { kind: 'action-first' }, notKnown: ['edition'] },
    {
      ...issue,
      effect: { kind: 'required-stops', stops: [between] },
      notKnown: ['edition', 'migration-job'],
    },
  ],
  'known-issue-warns': [
    'warn',
    { ...issue, effect: { kind: 'recreate' } },
    { ...issue, effect: { kind: 'long', seen: '4 hours for 1.4 million rows, then killed' } },
    {
      ...issue,
      effect: { kind: 'long', seen: '4 hours for 1.4 million rows, then killed' },
      notKnown: ['table.spaces.rows'],
    },
  ],
  'no-known-issue': ['ok', { from: '2.0.0', to: '2.1.0' }],

  'table-absent': [
    'stop',
    { table: 'spaces', migration: b, version: '2.1.0', edition: 'core' },
    { table: 'ai_prompt', migration: b, version: '2.1.0', edition: 'ee' },
  ],
  'table-maybe-absent': [
    'warn',
    { table: 'spaces', migration: b, version: '2.1.0', edition: 'core', maker: a },
    { table: 'spaces', migration: b, version: '2.1.0', edition: 'core', maker: b },
    { table: 'ai_prompt', migration: b, version: '2.1.0', edition: 'ee', maker: null },
  ],
  'tables-present': ['ok', { tables: 0 }, { tables: 1 }, { tables: 2 }],

  'table-not-owned': [
    'stop',
    { ...notOwned, table: 'spaces' },
    { ...notOwned, table: 'parts.a' },
    { ...notOwned, table: '"Old ""Parts".a.b' },
    { ...notOwned, table: 'x; DROP TABLE y.z' },
  ],
  'table-maybe-not-owned': ['warn', { ...lightdash, tables: ['spaces', 'users'], migration: b }],
  'queue-not-owned': [
    'warn',
    { role: 'lightdash', owners: ['postgres'] },
    { role: 'lightdash', owners: ['app', 'postgres'] },
  ],
  'no-right-to-create': ['stop', { ...lightdash, usage: true }, { ...lightdash, usage: false }],
  'event-trigger': ['warn', { trigger: 'freeze' }],
  'rights-held': [
    'ok',
    { role: 'lightdash', tables: 0 },
    { role: 'lightdash', tables: 1 },
    { role: 'lightdash', tables: 2 },
  ],

  'table-locked': [
    'warn',
    { table: 'spaces', mode: 'AccessShareLock', pid: 4711, seconds: 20, migration: b },
    { table: 'spaces', mode: 'AccessShareLock', pid: 4711, seconds: null, migration: null },
  ],
  'table-locked-for-long': [
    'stop',
    { table: 'spaces', mode: 'RowExclusiveLock', pid: 4711, seconds: 900, migration: b },
    { table: 'spaces', mode: 'RowExclusiveLock', pid: 4711, seconds: 900, migration: null },
  ],
  'migrators-table-locked': [
    'warn',
    { table: 'migration_lease', mode: 'RowShareLock', pid: 4711, seconds: 900 },
    { table: 'knex_migrations', mode: 'ShareLock', pid: 4711, seconds: null },
  ],
  'no-table-locked': ['ok', { tables: 0 }, { tables: 1 }, { tables: 2 }],

  'prepared-transaction-locks': [
    'stop',
    { name: "o'leary", table: 'spaces', migration: b },
    { name: "o'leary", table: 'migration_lease', migration: null },
  ],
  'prepared-transaction': ['warn', { name: 'tx-1', owner: 'etl', seconds: 200_000 }],
  'no-prepared-transaction': ['ok', {}],

  'long-transaction': [
    'warn',
    { pid: 4711, role: 'etl', state: 'idle in transaction', seconds: 900 },
    { pid: 4711, role: null, state: null, seconds: 900 },
  ],
  'no-long-transaction': ['ok', { seconds: 300 }],

  'probe-fails-on-parked': [
    'stop',
    { from: '1.150.0', version: '1.150.0', migration: b },
    { from: '1.150.0', version: '1.150.0', migration: null },
  ],
  'probe-would-fail-on-parked': ['stop', { to: '1.150.0', version: '1.150.0', migration: b }],
  'run-parked': ['warn', { version: '2.0.0', migration: b }, { version: '2.0.0', migration: null }],
  'no-run-parked': ['ok', {}],

  'in-recovery': ['stop', {}],
  'begins-read-only': ['stop', { role: 'lightdash' }],
  'ledger-subscribed': ['stop', { subscription: 'copy' }],
  'is-primary': ['ok', { role: 'lightdash' }],

  'postgres-too-old': ['stop', { major: 11, minimum: 12 }],
  'postgres-new-enough': ['ok', { major: 15, minimum: 12 }],

  'extension-not-available': ['stop', { extension: 'vector' }],
  'extension-not-permitted': [
    'stop',
    { extension: 'uuid-ossp', schema: 'public', role: 'lightdash', database: 'bi' },
  ],
  'extensions-there': [
    'ok',
    { extensions: [] },
    { extensions: ['vector'] },
    { extensions: ['vector', 'uuid-ossp'] },
  ],

  'no-connections-left': ['stop', { of: 'role', left: 1, used: 96, max: 100, needed: 2 }],
  'few-connections-left': ['warn', { of: 'database', left: 10, used: 87, max: 100 }],
  'connections-left': ['ok', { of: 'server', left: 90, used: 7, max: 100 }],

  'disk-too-small': [
    'stop',
    { free: 4 * GiB, tables: ['spaces'], bytes: 8 * GiB, migration: b },
    { free: 4 * GiB, tables: ['spaces', 'projects'], bytes: 8 * GiB, migration: b },
  ],
  'disk-headroom': ['warn', { free: 2 * GiB, minimum: 5 * GiB, largest: 0 }],
  'disk-enough': ['ok', { free: 40 * GiB, largest: 0 }, { free: 40 * GiB, largest: 8192 }],
  'disk-not-needed': ['ok', {}],

  'timeout-set': [
    'warn',
    {
      ...{ setting: 'lock_timeout', ms: 500, role: 'lightdash', database: 'bi' },
      migrations: [a],
    },
    {
      ...{ setting: 'statement_timeout', ms: 30_000, role: 'lightdash', database: 'bi' },
      migrations: [a, b, c, d],
    },
  ],
  'no-timeout-in-the-way': ['ok', { role: 'lightdash' }],

  'passes-statement-timeout': [
    'warn',
    { forecast, timeoutMs: 30_000, role: 'lightdash', database: 'bi' },
    { forecast: endless, timeoutMs: 1500, role: 'lightdash', database: 'bi' },
  ],
  'has-no-limit': [
    'warn',
    { forecast: endless, table: 'scheduler_log', rows: 4_100_000, bytes: 6 * 1024 ** 3 },
    { forecast: endless, table: 'scheduler_log', rows: null, bytes: null },
  ],
  'takes-long': [
    'warn',
    { forecast },
    { forecast: endless },
    { forecast: { ...forecast, ...unbounded(0, 'tables-not-told') } },
    { forecast: { ...forecast, ...unbounded(200_000, 'rate-not-measured') } },
  ],
  'migration-time': [
    'ok',
    { total: noTime, migrations: [] },
    { total: { ...noTime, highSeconds: 1 }, migrations: [forecast] },
    { total: { ...noTime, highSeconds: 90 }, migrations: [forecast, forecast] },
    { total: { lowSeconds: 60, highSeconds: 60, because: [] }, migrations: [forecast] },
  ],

  'index-invalid': [
    'warn',
    { index: 'spaces_pkey', table: 'spaces', schema: 'public', migration: b },
    { index: 'My Index', table: 'spaces', schema: 'public', migration: null },
  ],
  'indexes-valid': ['ok', { indexes: 0 }, { indexes: 1 }, { indexes: 412 }],

  'vacuum-in-the-way': [
    'warn',
    { table: 'spaces', pid: 4711, preventsWraparound: true, automatic: true },
    { table: 'spaces', pid: 4711, preventsWraparound: false, automatic: false },
  ],
  'no-vacuum-in-the-way': ['ok', {}],

  'slot-inactive': [
    'warn',
    { name: 'debezium', keptBytes: 3 * GiB, logical: true },
    { name: 'standby', keptBytes: null, logical: false },
  ],
  'slot-behind': [
    'warn',
    { name: 'debezium', walStatus: 'extended', keptBytes: 3 * GiB },
    { name: 'debezium', walStatus: 'lost', keptBytes: null },
  ],
  'slots-follow': ['ok', { slots: 0 }, { slots: 1 }, { slots: 2 }],

  'jobs-running': [
    'warn',
    { locked: 1, onLastAttempt: 0 },
    { locked: 1, onLastAttempt: 1 },
    { locked: 3, onLastAttempt: 2 },
    { locked: 1234, onLastAttempt: 0 },
  ],
  'jobs-locked-too-long': ['warn', { jobs: 1 }, { jobs: 2 }],
  'jobs-not-worked': ['warn', { due: 1, seconds: 600 }, { due: 5, seconds: 90_000 }],
  'jobs-failed': ['warn', { jobs: 1 }, { jobs: 2 }],
  'queue-at-rest': ['ok', { jobs: 0 }, { jobs: 1 }, { jobs: 2 }],
  'no-queue': ['ok', {}],

  'image-not-pinned': [
    'stop',
    { ...image, pullPolicy: 'Always', from: '2.0.0' },
    { ...image, pullPolicy: null, from: '2.0.0' },
  ],
  'image-by-digest-alone': ['warn', { workload: backend, image: 'lightdash/lightdash@sha256:0f3a' }],
  'image-without-name': ['stop', { workload: 'service lightdash' }],
  'image-gone': ['warn', { workload: 'service minio', image: 'bitnami/minio:2024' }],
  'starts-by-yarn': ['warn', { workload: 'service scheduler' }],
  'images-of-several-releases': [
    'stop',
    {
      found: [
        { ...own, version: '2.0.0' },
        { ...other, version: '1.9.0' },
      ],
    },
  ],
  'images-of-another-release': [
    'stop',
    { found: '1.9.0', from: '2.0.0', to: '2.1.0' },
    { found: '1.9.0', from: '2.1.0', to: '2.1.0' },
  ],
  'images-of-the-target': ['stop', { from: '2.0.0', to: '2.1.0' }],
  'images-differ': ['warn', { found: [own, other] }],
  'images-agree': ['ok', { version: '2.0.0', images: 1 }, { version: '2.0.0', images: 2 }],

  'chart-would-roll': [
    'stop',
    { workloads: [backend], chart: '2.16.361', setBy: 'upgrade-mode', path: [] },
    { workloads: several, chart: null, setBy: 'upgrade-mode', path: dependency },
    { workloads: [backend], chart: '2.14.0', setBy: 'strategies', path: ['lightdash'] },
    { workloads: [backend], chart: '2.9.0', setBy: 'nothing', path: [] },
  ],
  'workload-would-roll': [
    'stop',
    { workload: { kind: 'Deployment', name: 'backend', namespace: 'bi' }, replicas: 2 },
    { workload: { kind: 'StatefulSet', name: 'backend', namespace: null }, replicas: null },
    { workload: { kind: 'DaemonSet', name: 'backend', namespace: null }, replicas: 1 },
  ],
  'pods-live-while-job-migrates': [
    'stop',
    {
      job: 'Job migrate',
      workloads: [
        { kind: 'Deployment', name: 'backend', namespace: 'bi' },
        { kind: 'StatefulSet', name: 'worker', namespace: null },
        { kind: 'DaemonSet', name: 'third', namespace: null },
      ],
    },
  ],
  'backend-at-zero': [
    'warn',
    { workloads: [{ kind: 'Deployment', name: 'backend', namespace: 'bi' }] },
    {
      workloads: [
        { kind: 'Deployment', name: 'backend', namespace: null },
        { kind: 'StatefulSet', name: 'worker', namespace: null },
      ],
    },
  ],
  'rolls-as-proven': [
    'ok',
    { workloads: [backend], unread: 0, of: 3 },
    { workloads: [backend, worker], unread: 1, of: 1 },
  ],
  'recreated-though-proven': ['ok', {}],
  recreated: ['ok', { workloads: [backend] }, { workloads: several }],
  'compose-stops': ['ok', {}],

  'autoscaler-scales-up': [
    'warn',
    { name: 'lightdash', namespace: 'bi', workload: backend, minReplicas: 1 },
    { name: 'lightdash', namespace: null, workload: backend, minReplicas: 2 },
  ],
  'autoscaler-removed-by-chart': ['ok', { name: 'lightdash' }],
  'autoscalers-may-stay': ['ok', { autoscalers: 1 }, { autoscalers: 2 }],
  'no-autoscaler': ['ok', {}],

  'budget-keeps-all-pods': [
    'warn',
    { ...held, minAvailable: '1' },
    { ...heldTwice, minAvailable: '100%', namespace: null },
  ],
  'budget-lets-none-go': ['warn', { ...held, maxUnavailable: '0' }, { ...heldTwice, maxUnavailable: '0%' }],
  'budget-allows-none-now': ['warn', held, heldTwice],
  'budgets-let-pods-go': ['ok', { budgets: 0 }, { budgets: 1 }, { budgets: 2 }],
  'compose-has-no-budgets': ['ok', {}],

  'migration-outlasts-limit': [
    'stop',
    { forecast, ...byProbe },
    { forecast, ...byProbe, path: dependency },
    { forecast, ...byProbe, migrator: worker, path: null },
    { forecast: endless, ...byLiveness },
    { forecast, ...byDeadline },
  ],
  'migrations-may-outlast-limit': [
    'warn',
    { total: unbounded(0, 'release-not-told'), migrations: 1, ...byProbe },
    { total: forecast, migrations: 2, ...byHelm },
  ],
  'limit-below-chart': ['warn', { ...byProbe, seconds: 20 }, { ...byLiveness, seconds: 95 }],
  'migrations-end-in-time': [
    'ok',
    { total: noTime, ...byProbe },
    { total: { ...noTime, highSeconds: 40 }, ...byHelm },
  ],
  'nothing-limits-migrations': ['ok', {}],

  'readyz-not-served': [
    'stop',
    { ...asked, version: '1.128.0' },
    { ...asked, probe: 'startup', path: dependency, version: '1.128.0' },
  ],
  'worker-has-no-readyz': ['stop', { ...asked, workload: worker, path: null }],
  'readyz-fails-on-parked': ['warn', { ...asked, version: '1.150.0' }],
  'liveness-asks-database': [
    'warn',
    { ...asked, probe: 'liveness', asks: '/api/v1/health' },
    { ...asked, workload: worker, probe: 'liveness', asks: '/api/v1/health', path: null },
  ],
  'health-kept': ['warn', { ...asked, version: '2.0.0' }, { ...asked, path: null, version: '2.0.0' }],
  'readiness-tells-little': [
    'warn',
    { ...asked, asks: 'nothing' },
    { ...asked, asks: 'tcp' },
    { ...asked, asks: '/' },
  ],
  'readiness-paths-served': ['ok', { probes: 1 }, { probes: 3 }],
  'compose-does-not-probe': ['ok', {}],

  'heap-below-limit': [
    'warn',
    { workload: backend, container: 'lightdash', limitBytes: 8 * GiB, unseen: [] },
    { workload: backend, container: 'lightdash', limitBytes: 8 * GiB, unseen: ['secret lightdash'] },
  ],
  'memory-limits-used': [
    'ok',
    { containers: 1, known: true },
    { containers: 2, known: true },
    { containers: 2, known: false },
  ],

  'backup-old': ['warn', { name: 'CronJob backup', ageSeconds: 200_000 }],
  'backup-suspended': ['warn', { name: 'CronJob backup' }],
  'backup-never-succeeded': [
    'warn',
    { name: 'CronJob backup', schedule: '0 3 * * *' },
    { name: 'CronJob backup', schedule: null },
  ],
  'backup-time-not-told': [
    'warn',
    { name: 'CronJob backup', schedule: '0 3 * * *' },
    { name: 'service backup', schedule: null },
  ],
  'backup-seen': ['ok', { name: 'CronJob backup', ageSeconds: 7000 }],

  'job-and-pods-migrate': [
    'stop',
    { pods: [backend], to: '1.122.0' },
    { pods: [backend, worker], to: '1.122.0' },
  ],
  'pods-wait-for-job': ['warn', { pods: [backend] }, { pods: several }],
  'several-migrate-at-start': [
    'warn',
    { pods: [backend], replicas: 3, to: '1.122.0' },
    { pods: ['DaemonSet lightdash'], replicas: null, to: '1.122.0' },
  ],
  'nobody-would-migrate': ['stop', { pods: [backend] }, { pods: [backend, 'Deployment lightdash-eu'] }],
  'job-migrates': ['ok', {}],
  'pods-migrate': ['ok', { pods: [backend] }, { pods: [backend, worker] }],

  'hooks-left-over': [
    'stop',
    { objects: [left], chart: '2.9.0' },
    { objects: [left, { ...leftToo, namespace: null }], chart: null },
  ],
  'hooks-in-use': [
    'stop',
    { objects: [left], job: 'lightdash-migrate' },
    { objects: [left, leftToo], job: null },
  ],
  'hooks-replaced': ['ok', { chart: '2.16.361' }],
  'no-hooks-run': ['ok', {}],
  'no-hook-left': ['ok', {}],

  'database-recreated': [
    'stop',
    { workload: database.workload, chart: '2.13.0' },
    { workload: database.workload, chart: null },
  ],
  'database-image-floats': ['stop', { ...database, image: 'pgvector/pgvector' }],
  'database-major-changes': ['stop', { ...database, imageMajor: 16, serverMajor: 15 }],
  'database-without-vector': ['stop', database],
  'database-kept': [
    'ok',
    { workloads: [database.workload], images: [database.image] },
    { workloads: [database.workload, 'StatefulSet pg'], images: [database.image, 'postgres:15'] },
  ],
  'no-bundled-database': ['ok', {}],

  'pods-not-stopped-for-job': [
    'stop',
    {
      chart: '2.14.0',
      since: '2.16.284',
      workloads: [
        { kind: 'Deployment', name: 'lightdash-backend', namespace: 'bi' },
        { kind: 'Deployment', name: 'lightdash-worker', namespace: null },
        { kind: 'DaemonSet', name: 'lightdash-third', namespace: null },
      ],
    },
  ],
  'chart-value-ignored': ['warn', { value: 'migrationJob.existingSecret', chart: '2.6.1', since: '2.8.0' }],
  'chart-value-not-told': ['warn', { value: 'upgrade.mode', chart: '2.16.300', seenIn: '2.16.361' }],
  'chart-chooses-old-app': [
    'stop',
    { chart: '2.9.0', app: '0.2248.0', to: '2.1.0', next: '2.10.1', nextApp: '0.3486.1' },
  ],
  'chart-of-others': ['warn', { chart: 'our-lightdash' }],
  'chart-fits': ['ok', { chart: '2.16.361' }],
  'no-chart': ['ok', {}],

  'licence-not-in-migrator': [
    'stop',
    { variable, migrator: 'Job lightdash-migrate', serving: [backend] },
    { variable, migrator: 'migrationJob', serving: [backend, worker] },
  ],
  'licence-where-needed': ['ok', { variable }],
  'no-licence': ['ok', { variable }],

  'variable-missing': [
    'stop',
    { ...lacking, variables: ['LIGHTDASH_SECRET'] },
    { ...lacking, variables: ['S3_BUCKET', 'S3_REGION'] },
  ],
  'job-has-other-secret': [
    'warn',
    { variable: 'LIGHTDASH_SECRET', job: 'lightdash-migration-secrets', pods: 'bi-secrets' },
  ],
  'nats-url-missing': ['warn', { workload: 'Job lightdash-migrate' }],
  'required-set': ['ok', { variables: ['LIGHTDASH_SECRET', 'S3_BUCKET'] }],

  'variable-renamed': [
    'stop',
    { change, workloads: [backend] },
    { change: { ...change, previousDefault: 'a', defaultValue: 'b' }, workloads: [backend, worker] },
    { change: { ...change, formerNames: ['OLDER_NAME', 'OLD_NAME'] }, workloads: several },
  ],
  'variable-removed': [
    'warn',
    { change: { ...change, type: 'removed', formerNames: ['GONE'], name: 'GONE' }, workloads: [backend] },
    {
      change: { ...change, type: 'removed', formerNames: ['OLD_NAME', 'GONE'], name: 'GONE' },
      workloads: several,
    },
  ],
  'variable-has-new-default': [
    'warn',
    {
      change: {
        ...{ ...change, type: 'defaultChanged', formerNames: [], name: 'LIMIT' },
        ...{ previousDefault: 5, defaultValue: 10 },
      },
    },
    {
      change: {
        ...{ ...change, type: 'defaultChanged', formerNames: [], name: 'LIMIT' },
        ...{ previousDefault: undefined, defaultValue: null },
      },
    },
  ],
  'variable-change-unknown': ['warn', { version: '2.1.0', type: 'split' }],
  'environment-kept': ['ok', { changes: 0 }, { changes: 1 }, { changes: 2 }],
};
