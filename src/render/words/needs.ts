import type { Need } from '../../preflight/check.js';
import type { MissingNeed } from '../../preflight/finding.js';
import { sentence } from '../phrase.js';
import { listNames } from './lists.js';

interface NeedWords {
  /** What it is, as part of a sentence. */
  readonly label: string;
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
const howToSeeDeployment = `${howToSeeKubernetes}, or --compose with your compose files`;

/** What checks need, and how to obtain it. */
export const needWords: Readonly<Record<Need, NeedWords>> = {
  artifacts: {
    label: 'the artifacts of the releases up to the running one, or on the route',
    otherwise: '--index with a mirror that contains them, or --artifact-url',
  },
  'config-changes': {
    label: 'which environment variables some releases on the route change',
    otherwise:
      '--index with a mirror that contains their complete artifacts; if those do not say, read the release notes',
  },
  'known-issues': {
    label: 'what is known against the releases',
    otherwise: 'the same command without --publisher-only',
  },
  'disk-free': {
    label: 'the free space of the disk of the database',
    otherwise: '--disk-free with what is free, such as 40GiB',
  },
  edition: {
    label: 'whether the instance has a licence key',
    otherwise: '--fact edition=community or --fact edition=enterprise',
  },
  'migration-job': {
    label: 'whether a migration job is on',
    otherwise: '--fact migration-job=on or off, or --values with your values file',
  },
  variables: {
    label: 'which variables a Secret, a ConfigMap or a file sets',
    otherwise:
      '--kubernetes --secret-keys, or --manifests with these objects next to the workloads; only names are kept of their contents',
  },
  stated: { label: 'what the operator states', otherwise: '--fact' },
  server: { label: 'the version and the settings of the server' },
  role: { label: 'the role that reads the database' },
  migrator: { label: 'the role that migrates, its rights and its limits' },
  database: { label: 'the database and its size' },
  extensions: { label: 'the extensions' },
  tables: { label: 'the tables and their sizes' },
  indexes: { label: 'the indexes' },
  constraints: { label: 'the constraints' },
  columns: { label: 'how columns are filled', right: 'SELECT on the tables' },
  ledger: { label: 'the rows of knex_migrations', right: select('knex_migrations') },
  ledgerLock: { label: 'the row of knex_migrations_lock', right: select('knex_migrations_lock') },
  lease: { label: 'the row of migration_lease', right: select('migration_lease') },
  runs: { label: 'the rows of migration_run_ledger', right: select('migration_run_ledger') },
  queue: {
    label: 'the jobs of graphile_worker',
    right: 'USAGE on schema graphile_worker and SELECT on its tables',
  },
  activity: { label: 'what other sessions do', right: readAllStats },
  locks: { label: 'who holds locks, and since when', right: readAllStats },
  preparedTransactions: { label: 'prepared transactions' },
  replication: { label: 'replication slots and standbys', right: readAllStats },
  vacuums: { label: 'running vacuums', right: readAllStats },
  readRate: { label: 'how fast the server reads', right: 'SELECT on a large table' },
  sortRate: { label: 'how fast the server sorts' },
  deployment: { label: 'how it is deployed', otherwise: howToSeeDeployment },
  helm: { label: 'the Helm release and its chart', otherwise: howToSeeKubernetes },
  workloads: {
    label: 'the workloads',
    otherwise: howToSeeDeployment,
    resources: 'deployments, statefulsets, daemonsets and jobs',
  },
  pods: { label: 'the pods', otherwise: '--kubernetes', resources: 'pods' },
  disruptionBudgets: {
    label: 'the PodDisruptionBudgets',
    otherwise: howToSeeKubernetes,
    resources: 'poddisruptionbudgets',
  },
  autoscalers: {
    label: 'the autoscalers',
    otherwise: howToSeeKubernetes,
    resources: 'horizontalpodautoscalers',
  },
  hookObjects: {
    label: 'what hooks of the chart have left behind',
    otherwise: '--kubernetes',
    resources: 'serviceaccounts, configmaps, roles and rolebindings',
  },
  snapshots: {
    label: 'a backup, or a volume snapshot',
    otherwise: '--kubernetes; for backups made elsewhere, check yourself that there is one of today',
    resources: 'volumesnapshots',
  },
  chartValues: { label: 'the values of the chart', otherwise: '--values with your values file' },
  compose: { label: 'the compose files', otherwise: '--compose with your compose files' },
};

/** If no facts of the deployment were requested, its parts are not listed one by one. */
export function withoutMissingParts(missing: readonly MissingNeed[]): readonly MissingNeed[] {
  const asked = missing.every(({ need, why }) => need !== 'deployment' || why !== 'not-asked');
  return missing.filter(
    ({ need, why }) => asked || need === 'deployment' || !partsOfDeployment.has(need) || why !== 'not-asked',
  );
}

const partsOfDeployment: ReadonlySet<Need> = new Set<Need>([
  ...(['helm', 'workloads', 'pods', 'disruptionBudgets', 'autoscalers'] as const),
  ...(['hookObjects', 'snapshots', 'chartValues', 'compose'] as const),
]);

/** What was not seen and why, without a full stop. */
export function describeMissing({ need, why, detail, names = [] }: MissingNeed): string {
  const said = detail === undefined ? '' : ` (${detail}${names.length === 0 ? '' : `: ${listNames(names)}`})`;
  // They are always asked for.
  const words = need === 'artifacts' && why === 'not-asked' ? 'not all were found' : whyWords[why];
  return `${needWords[need].label}: ${words}${said}`;
}

const whyWords: Record<MissingNeed['why'], string> = {
  'not-asked': 'not asked for',
  'not-permitted': 'not permitted to see',
  absent: 'not there',
  timeout: 'took too long',
  failed: 'could not be read',
  unsafe: 'not read, because that could run code with your rights',
};

/** How to make all of it visible, each advice once. */
export function adviseOn(missing: readonly MissingNeed[], how: (missing: MissingNeed) => string): string {
  return `${sentence([...new Set(withoutMissingParts(missing).map(how))].join('; '))}.`;
}

/** How to make it visible to a preflight, without a full stop. */
export function howToSee({ need, why, detail }: MissingNeed): string {
  const { right, otherwise, resources } = needWords[need];
  if (need === 'deployment' && why === 'not-asked' && detail === undefined) {
    return `give ${howToSeeDeployment}; --only database leaves the deployment out`;
  }
  if (need === 'artifacts' && why === 'absent') {
    return 'a backfilled release never had an artifact: try the upgrade on a copy of the database';
  }
  if (why === 'not-permitted' && resources !== undefined) {
    return `let your user of kubectl get and list ${resources}; the page of this command has the least privileged Role for it`;
  }
  if (need === 'workloads' && why === 'absent') {
    return 'check --namespace and --release, and that what was read is the deployment of Lightdash';
  }
  if (need === 'snapshots' && why === 'absent') {
    return 'check yourself that there is a backup of today: one made elsewhere is not seen from here';
  }
  if (need === 'migrator' && (why === 'absent' || why === 'failed')) {
    return 'name the role that migrates with --migrating-role, where facts are collected';
  }
  // If the server refused it, the server's message says so.
  if (need === 'migrator' && why === 'not-permitted' && detail === undefined) {
    return 'connect as a role without a limit of its own, with an address that sets none';
  }
  if (otherwise !== undefined) return `give ${otherwise}`;
  switch (why) {
    case 'not-asked':
      return 'give --database, or --facts with a file that contains it';
    case 'not-permitted':
      return `grant the collecting role ${right ?? 'the right to see it'}; --grants prints all it needs`;
    case 'absent':
      return 'check the address, and the schema of the collecting role';
    case 'timeout':
      return 'try again at a quiet time';
    case 'failed':
      return 'try again, and check what the server says';
    case 'unsafe':
      return 'find out who made it, and why; a release makes tables without such code';
  }
}

/** How to make it visible after an upgrade: only with options that exist then, and without steps to try beforehand. */
export function howToSeeAfterwards(missing: MissingNeed): string {
  const { need, why } = missing;
  if (need === 'artifacts' && why === 'absent') {
    return 'a backfilled release never had an artifact: what it has migrated cannot be checked';
  }
  if (why === 'not-permitted' && (partsOfDeployment.has(need) || need === 'deployment')) {
    const what = needWords[need].resources ?? needWords.workloads.resources;
    return `let your user of kubectl get and list ${what}; the page of upgrade-preflight has the least privileged Role for it`;
  }
  if (why === 'not-permitted') {
    const { right = 'the right to see it' } = needWords[need];
    return `grant the collecting role ${right}; lightspan upgrade-preflight --grants prints all it needs`;
  }
  const isToBeFound = need === 'workloads' && why === 'absent';
  if (need === 'deployment' || (partsOfDeployment.has(need) && !isToBeFound)) {
    return 'give --kubernetes, or --manifests with what kubectl prints of workloads and pods';
  }
  return howToSee(missing);
}
