import type { FactOf } from '../../src/instance/facts/needs.js';

type TableFact = FactOf<'tables'>[number];
type IndexFact = FactOf<'indexes'>[number];

/** An ordinary table, but for what is said of it. */
export function tableFact(told: Partial<TableFact> & Pick<TableFact, 'name'>): TableFact {
  return {
    kind: 'table',
    partitionOf: null,
    estimatedRows: 0,
    deadRows: 0,
    heapBytes: 0,
    toastBytes: 0,
    indexBytes: 0,
    sizedBy: 'files',
    owner: 'lightdash',
    owned: true,
    ...told,
  };
}

/** An ordinary index of `projects`, but for what is said of it. */
export function indexFact({ name, ...told }: Partial<IndexFact> & Pick<IndexFact, 'name'>): IndexFact {
  return { name, table: 'projects', valid: true, ...told };
}

/** An autoscaler of the backend of the chart, but for what is said of it. */
export function autoscalerOf(
  told: Partial<FactOf<'autoscalers'>[number]> = {},
): FactOf<'autoscalers'>[number] {
  return {
    name: 'lightdash',
    targetKind: 'Deployment',
    targetName: 'lightdash-backend',
    minReplicas: 1,
    maxReplicas: 4,
    ...told,
  };
}

/** A server with nothing remarkable. */
export const serverFact = {
  versionNum: 150_018,
  inRecovery: false,
  maxConnections: 100,
  reservedConnections: 3,
  usedConnections: 7,
};

/** A role that migrates, may do so, and is not hurried. */
export const migratorFact = {
  name: 'lightdash',
  superuser: false,
  actedAsBy: [],
  eventTriggers: [],
  schema: 'public',
  schemaUsage: true,
  schemaCreate: true,
  databaseCreate: true,
  statementTimeoutMs: 0,
  lockTimeoutMs: 0,
  idleInTransactionSessionTimeoutMs: 0,
  transactionTimeoutMs: 0,
  readOnly: false,
  connectionLimits: [],
};
