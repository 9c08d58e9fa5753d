import * as z from 'zod/mini';
import { dateTimeSchema } from '../release-safety/field-schemas.js';
import * as database from './database-facts.js';
import * as deployment from './deployment-facts.js';

/**
 * `facts.json`: what was seen of one instance, with place and time, or why it was not seen. Collectors write it; checks
 * read nothing else. Undeclared keys are refused: what a newer lightspan saw must not be ignored.
 */

const count = z.int().check(z.nonnegative());
const text = z.string();

/** Who saw it: a person who stated it, the database, the manifests or compose files, the instance over HTTP. */
export const factSourceSchema = z.enum(['stated', 'database', 'deployment', 'instance']);
export type FactSource = z.infer<typeof factSourceSchema>;

/**
 * Why a fact was not seen. `absent`: its source does not exist, such as the ledger of an empty database. `failed`: the
 * source answered with an error that is none of the others. `unsafe`: to read it would be to run code that is not
 * PostgreSQL's own, such as that of a view, with the rights of whoever looks.
 */
export const unseenStatuses = [
  'not-permitted',
  'absent',
  'timeout',
  'not-asked',
  'failed',
  'unsafe',
] as const;

const unseenSchema = z.strictObject({
  status: z.enum(unseenStatuses),
  source: factSourceSchema,
  /** What the source said, without secrets. */
  detail: z.optional(text),
});

function observed<T extends z.core.$ZodType>(value: T) {
  return z.optional(
    z.discriminatedUnion('status', [
      z.strictObject({ status: z.literal('seen'), value, seenAt: dateTimeSchema, source: factSourceSchema }),
      unseenSchema,
    ]),
  );
}

export const factsFileSchema = z.strictObject({
  schemaVersion: z.literal('1'),
  /** When the collection began, ISO 8601, by the clock of the source. */
  collectedAt: dateTimeSchema,
  facts: z.strictObject({
    /** What a person states, by the names of `--fact`. */
    stated: observed(z.record(text, z.union([text, count]))),
    server: observed(database.serverFactSchema),
    role: observed(database.roleFactSchema),
    migrator: observed(database.migratorFactSchema),
    database: observed(database.databaseFactSchema),
    extensions: observed(z.array(database.extensionFactSchema)),
    /** All tables of the schema: a table that is not listed does not exist. */
    tables: observed(z.array(database.tableFactSchema)),
    /** All indexes of these tables. */
    indexes: observed(z.array(database.indexFactSchema)),
    /** Rows of `knex_migrations`, oldest first. */
    ledger: observed(z.array(database.ledgerRowSchema)),
    ledgerLock: observed(database.ledgerLockFactSchema),
    lease: observed(z.array(database.leaseRowSchema)),
    runs: observed(database.runsFactSchema),
    queue: observed(database.queueFactSchema),
    activity: observed(database.activityFactSchema),
    locks: observed(z.array(database.lockFactSchema)),
    preparedTransactions: observed(z.array(database.preparedTransactionFactSchema)),
    replication: observed(database.replicationFactSchema),
    vacuums: observed(database.vacuumsFactSchema),
    readRate: observed(database.readRateFactSchema),
    sortRate: observed(database.sortRateFactSchema),
    deployment: observed(deployment.deploymentFactSchema),
    helm: observed(deployment.helmReleaseFactSchema),
    /** Everything that runs containers: a workload that is not listed was not in what was read. */
    workloads: observed(z.array(deployment.workloadFactSchema)),
    /** Pods of a cluster; absent if manifests were read. */
    pods: observed(z.array(deployment.podFactSchema)),
    disruptionBudgets: observed(z.array(deployment.disruptionBudgetFactSchema)),
    autoscalers: observed(z.array(deployment.autoscalerFactSchema)),
    hookObjects: observed(z.array(deployment.hookObjectFactSchema)),
    snapshots: observed(z.array(deployment.snapshotFactSchema)),
    chartValues: observed(deployment.chartValuesFactSchema),
    compose: observed(deployment.composeFactSchema),
  }),
});

export type FactsFile = z.infer<typeof factsFileSchema>;
export type ObservedFacts = FactsFile['facts'];
