import type { DeploymentFact } from './deployment-facts.js';
import type { ObservedFacts } from './facts-schema.js';
import type { FactSource, SeenIn, unseenStatuses } from './observed.js';

export type FactKey = keyof ObservedFacts;

export type FactOf<Key extends FactKey> = SeenIn<ObservedFacts[Key]>;

/** What can be needed, and how to obtain it. */
interface NeedInfo {
  /** What it is, as part of a sentence. */
  readonly label: string;
  /** What yields it, if it is a fact of `facts.json`. */
  readonly of: Exclude<FactSource, 'instance'> | null;
  /** The right with which a role can see it; if absent, every role can. */
  readonly right?: string | undefined;
  /** How to provide it if it is not in a database. */
  readonly otherwise?: string | undefined;
  /** Whether it changes by the hour: what was seen another day says nothing of now. */
  readonly momentary?: true;
  /** The resources of a cluster that show it, by the names in RBAC rules. */
  readonly resources?: string | undefined;
}

const readAllStats = 'pg_read_all_stats';
const select = (table: string) => `SELECT on ${table}`;
const howToSeeKubernetes = '--kubernetes, or --manifests with what the cluster has';
export const howToSeeDeployment = `${howToSeeKubernetes}, or --compose with your compose files`;

const stated = (label: string, otherwise: string) => ({ of: null, label, otherwise }) as const;

const ofDatabase = (label: string, right?: string) => ({ of: 'database', label, right }) as const;

const ofTheHour = (label: string, right?: string) =>
  ({ of: 'database', label, right, momentary: true }) as const;

const ofDeployment = (label: string, otherwise: string, resources?: string) =>
  ({ of: 'deployment', label, otherwise, resources }) as const;

/**
 * All that a check can need: the facts of `facts.json`, in its order, and before them what is known of releases, or
 * what only the operator can state.
 */
const table = {
  artifacts: stated(
    'the artifacts of the releases up to the running one, or on the route',
    '--index with a mirror that contains them, or --artifact-url',
  ),
  'config-changes': stated(
    'the environment variables that some releases on the route change',
    '--index with a mirror that contains their complete artifacts; if those do not say, read the release notes',
  ),
  'known-issues': stated('the known issues of the releases', 'the same command without --publisher-only'),
  'disk-free': stated('the free space on the database disk', '--disk-free with what is free, such as 40GiB'),
  edition: stated(
    'whether the instance has a licence key',
    '--fact edition=community or --fact edition=enterprise',
  ),
  'migration-job': stated(
    'whether a migration job is on',
    '--fact migration-job=on or off, or --values with your values file',
  ),
  variables: stated(
    'which variables a Secret, a ConfigMap or a file sets',
    '--kubernetes --secret-keys, or --manifests with these objects next to the workloads; of their ' +
      'contents, only names are kept',
  ),
  stated: { of: 'stated', label: 'what only you can state', otherwise: '--fact' },
  server: ofDatabase('the version and settings of the server'),
  role: ofDatabase('the role that reads the database'),
  migrator: ofDatabase('the role that migrates, its rights and its limits'),
  database: ofDatabase('the database and its size'),
  extensions: ofDatabase('the extensions'),
  tables: ofDatabase('the tables and their sizes'),
  indexes: ofDatabase('the indexes'),
  dependents: ofDatabase('the views, triggers and publications of the tables'),
  backfillRows: ofDatabase(
    'the number of rows that backfills change',
    'SELECT on the columns of their conditions',
  ),
  ledger: ofDatabase('the rows of knex_migrations', select('knex_migrations')),
  ledgerLock: ofTheHour('the row of knex_migrations_lock', select('knex_migrations_lock')),
  lease: ofTheHour('the row of migration_lease', select('migration_lease')),
  runs: ofDatabase('the rows of migration_run_ledger', select('migration_run_ledger')),
  queue: ofTheHour('the jobs of graphile_worker', 'USAGE on schema graphile_worker and SELECT on its tables'),
  activity: ofTheHour('the activity of other sessions', readAllStats),
  locks: ofTheHour('who holds locks, and since when', readAllStats),
  preparedTransactions: ofTheHour('prepared transactions'),
  replication: ofDatabase('replication slots'),
  archiver: ofDatabase('what archives WAL'),
  vacuums: ofTheHour('running vacuums', readAllStats),
  readRate: ofDatabase('how fast the server reads', 'SELECT on a large table'),
  sortRate: ofDatabase('how fast the server sorts'),
  deployment: ofDeployment('how it is deployed', howToSeeDeployment),
  helm: ofDeployment('the Helm release and its chart', howToSeeKubernetes),
  workloads: ofDeployment(
    'the workloads',
    howToSeeDeployment,
    'deployments, statefulsets, daemonsets and jobs',
  ),
  pods: ofDeployment('the pods', howToSeeKubernetes, 'pods'),
  disruptionBudgets: ofDeployment('the PodDisruptionBudgets', howToSeeKubernetes, 'poddisruptionbudgets'),
  autoscalers: ofDeployment('the autoscalers', howToSeeKubernetes, 'horizontalpodautoscalers'),
  hookObjects: ofDeployment(
    'leftovers of chart hooks',
    '--kubernetes',
    'serviceaccounts, configmaps, roles and rolebindings',
  ),
  snapshots: ofDeployment(
    'a backup, or a volume snapshot',
    '--kubernetes, or --fact backup=<time> of one made elsewhere, such as 2026-11-28T10:00Z',
    'volumesnapshots',
  ),
  chartValues: ofDeployment('the values of the chart', '--values with your values file'),
  compose: ofDeployment('the compose files', '--compose with your compose files'),
  rehearsal: {
    of: 'rehearsal',
    label: 'a rehearsal on a copy of the database',
    otherwise: '--rehearsal with the file that upgrade-rehearse has written',
  },
} as const satisfies Readonly<Record<FactKey, NeedInfo> & Record<string, NeedInfo>>;

export type Need = keyof typeof table;

export const needs: Readonly<Record<Need, NeedInfo>> = table;

export type FactKeyOf<Source extends FactSource> = {
  [Key in Need]: (typeof table)[Key]['of'] extends Source ? Key : never;
}[Need];

export function factKeysOf<const Source extends FactSource>(source: Source): readonly FactKeyOf<Source>[] {
  return Object.keys(table).filter((key): key is FactKeyOf<Source> => needs[key as Need].of === source);
}

export function isFactKey(need: Need): need is FactKey {
  return needs[need].of !== null;
}

/**
 * A fact that a check needs and that was not seen: which, why, the answer of its source, and the objects that it is
 * about.
 */
export interface MissingFact {
  readonly need: Need;
  /** `old`: it changes by the hour, and was seen too long ago. */
  readonly why: (typeof unseenStatuses)[number] | 'old';
  readonly detail: string | undefined;
  readonly names?: readonly string[] | undefined;
}

/** A need that became clear only during a check and was not met. The runner reports it in place of the check. */
export interface UnmetNeed {
  readonly status: 'not-checked';
  readonly lacks: Need;
  /** Why it is not known; by default the status of the fact, or else that it was not requested. */
  readonly why?: (typeof unseenStatuses)[number];
  readonly detail?: string;
  readonly names?: readonly string[];
}

export function lacks(need: Need, more: Omit<UnmetNeed, 'status' | 'lacks'> = {}): UnmetNeed {
  return { status: 'not-checked', lacks: need, ...more };
}

/** The value of a fact; undefined if it was not seen, for whatever reason. */
export function seenValue<T>(
  fact: { readonly status: string; readonly value?: T } | undefined,
): T | undefined {
  return fact?.status === 'seen' ? fact.value : undefined;
}

/** Whether objects of a kind were requested and may not be read. */
export function mayNotSee({ unseenKinds }: DeploymentFact, ...kinds: readonly string[]): boolean {
  const wanted = new Set(kinds.map(plainKind));
  return unseenKinds.some((kind) => wanted.has(plainKind(kind)));
}

/** A kind may be written as a resource: `deployments.apps`. */
function plainKind(kind: string): string {
  return kind
    .toLowerCase()
    .replace(/[.].*$/, '')
    .replace(/s$/, '');
}
