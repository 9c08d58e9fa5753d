import type { DeploymentFact } from './deployment-facts.js';
import type { ObservedFacts } from './facts-schema.js';
import type { FactSource, unseenStatuses } from './observed.js';

/** A fact of `facts.json`, by its key. */
export type FactKey = keyof ObservedFacts;

export type FactOf<Key extends FactKey> = Extract<
  NonNullable<ObservedFacts[Key]>,
  { readonly status: 'seen' }
>['value'];

/** What can be needed, and how to obtain it. */
export interface NeedInfo {
  /** What it is, as part of a sentence. */
  readonly label: string;
  /** What yields it, if it is a fact of `facts.json`. */
  readonly of: Exclude<FactSource, 'instance'> | null;
  /** The right with which a role can see it; if absent, every role can. */
  readonly right?: string;
  /** How to provide it if it is not in a database. */
  readonly otherwise?: string;
  /** The resources of a cluster that show it, by the names in RBAC rules. */
  readonly resources?: string;
}

const readAllStats = 'pg_read_all_stats';
const select = (table: string) => `SELECT on ${table}`;
const howToSeeKubernetes = '--kubernetes, or --manifests with what the cluster has';
export const howToSeeDeployment = `${howToSeeKubernetes}, or --compose with your compose files`;

/**
 * All that a check can need: the facts of `facts.json`, in its order, and before them what is known of releases, or what
 * only the operator can state.
 */
const table = {
  artifacts: {
    of: null,
    label: 'the artifacts of the releases up to the running one, or on the route',
    otherwise: '--index with a mirror that contains them, or --artifact-url',
  },
  'config-changes': {
    of: null,
    label: 'which environment variables some releases on the route change',
    otherwise:
      '--index with a mirror that contains their complete artifacts; if those do not say, read the release notes',
  },
  'known-issues': {
    of: null,
    label: 'what is known against the releases',
    otherwise: 'the same command without --publisher-only',
  },
  'disk-free': {
    of: null,
    label: 'the free space of the disk of the database',
    otherwise: '--disk-free with what is free, such as 40GiB',
  },
  edition: {
    of: null,
    label: 'whether the instance has a licence key',
    otherwise: '--fact edition=community or --fact edition=enterprise',
  },
  'migration-job': {
    of: null,
    label: 'whether a migration job is on',
    otherwise: '--fact migration-job=on or off, or --values with your values file',
  },
  variables: {
    of: null,
    label: 'which variables a Secret, a ConfigMap or a file sets',
    otherwise:
      '--kubernetes --secret-keys, or --manifests with these objects next to the workloads; only names are kept of their contents',
  },
  stated: { of: 'stated', label: 'what the operator states', otherwise: '--fact' },
  server: { of: 'database', label: 'the version and the settings of the server' },
  role: { of: 'database', label: 'the role that reads the database' },
  migrator: { of: 'database', label: 'the role that migrates, its rights and its limits' },
  database: { of: 'database', label: 'the database and its size' },
  extensions: { of: 'database', label: 'the extensions' },
  tables: { of: 'database', label: 'the tables and their sizes' },
  indexes: { of: 'database', label: 'the indexes' },
  ledger: { of: 'database', label: 'the rows of knex_migrations', right: select('knex_migrations') },
  ledgerLock: {
    of: 'database',
    label: 'the row of knex_migrations_lock',
    right: select('knex_migrations_lock'),
  },
  lease: { of: 'database', label: 'the row of migration_lease', right: select('migration_lease') },
  runs: { of: 'database', label: 'the rows of migration_run_ledger', right: select('migration_run_ledger') },
  queue: {
    of: 'database',
    label: 'the jobs of graphile_worker',
    right: 'USAGE on schema graphile_worker and SELECT on its tables',
  },
  activity: { of: 'database', label: 'what other sessions do', right: readAllStats },
  locks: { of: 'database', label: 'who holds locks, and since when', right: readAllStats },
  preparedTransactions: { of: 'database', label: 'prepared transactions' },
  replication: { of: 'database', label: 'replication slots' },
  vacuums: { of: 'database', label: 'running vacuums', right: readAllStats },
  readRate: { of: 'database', label: 'how fast the server reads', right: 'SELECT on a large table' },
  sortRate: { of: 'database', label: 'how fast the server sorts' },
  deployment: { of: 'deployment', label: 'how it is deployed', otherwise: howToSeeDeployment },
  helm: { of: 'deployment', label: 'the Helm release and its chart', otherwise: howToSeeKubernetes },
  workloads: {
    of: 'deployment',
    label: 'the workloads',
    otherwise: howToSeeDeployment,
    resources: 'deployments, statefulsets, daemonsets and jobs',
  },
  pods: { of: 'deployment', label: 'the pods', otherwise: '--kubernetes', resources: 'pods' },
  disruptionBudgets: {
    of: 'deployment',
    label: 'the PodDisruptionBudgets',
    otherwise: howToSeeKubernetes,
    resources: 'poddisruptionbudgets',
  },
  autoscalers: {
    of: 'deployment',
    label: 'the autoscalers',
    otherwise: howToSeeKubernetes,
    resources: 'horizontalpodautoscalers',
  },
  hookObjects: {
    of: 'deployment',
    label: 'what hooks of the chart have left behind',
    otherwise: '--kubernetes',
    resources: 'serviceaccounts, configmaps, roles and rolebindings',
  },
  snapshots: {
    of: 'deployment',
    label: 'a backup, or a volume snapshot',
    otherwise: '--kubernetes; for backups made elsewhere, check yourself that there is one of today',
    resources: 'volumesnapshots',
  },
  chartValues: {
    of: 'deployment',
    label: 'the values of the chart',
    otherwise: '--values with your values file',
  },
  compose: { of: 'deployment', label: 'the compose files', otherwise: '--compose with your compose files' },
} as const satisfies Readonly<Record<FactKey, NeedInfo> & Record<string, NeedInfo>>;

export type Need = keyof typeof table;

export const needs: Readonly<Record<Need, NeedInfo>> = table;

/** The facts that one source yields. */
export type FactKeyOf<Source extends FactSource> = {
  [Key in Need]: (typeof table)[Key]['of'] extends Source ? Key : never;
}[Need];

export function factKeysOf<const Source extends FactSource>(source: Source): readonly FactKeyOf<Source>[] {
  return Object.keys(table).filter((key): key is FactKeyOf<Source> => needs[key as Need].of === source);
}

export function isFactKey(need: Need): need is FactKey {
  return needs[need].of !== null;
}

/** A need that became clear only during a check and was not met. The runner reports it in place of the check. */
export interface Lacking {
  readonly lacks: Need;
  /** Why it is not known; by default the status of the fact, or else that it was not requested. */
  readonly why?: (typeof unseenStatuses)[number];
  /** What exactly is not known. */
  readonly detail?: string;
  /** What it is about, by name. */
  readonly names?: readonly string[];
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
