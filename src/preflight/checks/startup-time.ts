import type { ContainerFact } from '../../facts/deployment-facts.js';
import {
  type LightdashContainer,
  runsLightdash,
  servingContainers,
} from '../../facts/lightdash-containers.js';
import { migrationJobs, upgradeJobs } from '../../facts/migration-jobs.js';
import { pathOfBackendValues } from '../backend-values.js';
import {
  type Answers,
  defineCheck,
  type FactKey,
  foundOrOk,
  type Given,
  type Judgement,
  type Lacking,
  warn,
} from '../check.js';
import { forecast, type MigrationForecast } from '../forecast/forecast.js';
import { inTurn, type TimeRange } from '../forecast/range.js';
import { bootMigrators, migrationJobState } from '../migration-job.js';
import { lackingArtifacts, pendingMigrations } from '../pending.js';
import { listsMigrations, migrationsOf, type ReleaseLine } from '../release-line.js';
import { lackingSwarm, lackingWorkloads, nameOf } from '../workloads.js';

/** How long Helm waits for a hook without `--timeout`. */
export const helmTimeoutSeconds = 300;

/** What the startup probe of the publisher's chart allows by default. */
export const chartStartupSeconds = 185;

/** What ends the migrator, or stops waiting for it. */
export type LimitKind = 'startup-probe' | 'liveness-probe' | 'deadline' | 'helm-timeout';

interface Limit {
  /** What migrates; the migration job if nothing more is known. */
  readonly migrator: string;
  readonly limit: LimitKind;
  readonly seconds: number;
  /** Only for a startup probe: how often it asks. */
  readonly periodSeconds: number | null;
  /** The keys of the values that extend the time; null if none do. */
  readonly path: readonly string[] | null;
}

export type StartupTimeEvidence =
  | ({ readonly kind: 'migration-outlasts-limit'; readonly forecast: MigrationForecast } & Limit)
  | ({
      readonly kind: 'migrations-may-outlast-limit';
      readonly total: TimeRange;
      readonly migrations: number;
    } & Limit)
  | ({ readonly kind: 'limit-below-chart' } & Limit)
  | ({ readonly kind: 'migrations-end-in-time'; readonly total: TimeRange } & Limit)
  | { readonly kind: 'nothing-limits-migrations' };

/**
 * Whether the migrator has as long as its migrations take. A pod that is killed while it migrates begins again, and may
 * never get further.
 */
export const startupTime = defineCheck({
  id: 'startup-time',
  group: 'deployment',
  canStop: true,
  needs: ['deployment', 'workloads'],
  needsOrAbsent: ['helm'],
  mayNeed: ['chartValues', 'stated', 'ledger', 'tables', 'indexes', 'readRate', 'sortRate', 'artifacts'],
  needsArtifacts: false,
  judge(given): Answers<StartupTimeEvidence> {
    const { deployment, workloads, ledger, tables, indexes, readRate = null, sortRate = null } = given.facts;
    const lacking = lackingWorkloads(deployment, workloads);
    if (lacking.length > 0) return lacking;
    const limits = limitsOf(given.facts);
    const [shortest] = [...limits].sort((a, b) => a.seconds - b.seconds);
    if (shortest === undefined) {
      const own = workloads.filter(runsLightdash);
      return foundOrOk(lackingSwarm(own, 'ends containers whose health check fails'), {
        kind: 'nothing-limits-migrations',
      });
    }
    if (ledger == null || tables == null || indexes == null) {
      const seen: Partial<Record<FactKey, unknown>> = { ledger, tables, indexes };
      return [
        ...(mayMigrate(given.line) ? judgeByChart(limits) : []),
        ...(['ledger', 'tables', 'indexes'] as const)
          .filter((key) => seen[key] == null)
          .map((key) => ({ lacks: key })),
      ];
    }
    const pending = pendingMigrations({ ...given, facts: { ledger } });
    const forecasts = forecast(pending, { tables, indexes, readRate, sortRate });
    const total = inTurn(forecasts);
    return foundOrOk(
      [...limits.flatMap((limit) => judgeLimit(limit, forecasts, total)), ...lackingOf(given.line)],
      { kind: 'migrations-end-in-time', total, ...shortest },
    );
  },
});

/** If a release does not list its migrations, the time they take is not known. */
function lackingOf(line: ReleaseLine): readonly Lacking[] {
  return listsAll(line) ? [] : [lackingArtifacts(line.span)];
}

function listsAll({ span, missingRanges }: ReleaseLine): boolean {
  return span.every(listsMigrations) && missingRanges.length === 0;
}

function mayMigrate(line: ReleaseLine): boolean {
  return !listsAll(line) || line.span.some((release) => migrationsOf(release).length > 0);
}

/**
 * How long migrations take is not known without a database. The publisher's default has to do for most instances: only
 * less than that is reported.
 */
function judgeByChart(limits: readonly Limit[]): readonly Judgement<StartupTimeEvidence>[] {
  return limits
    .filter(({ seconds }) => seconds < chartStartupSeconds)
    .map((limit) => warn(limit.migrator, { kind: 'limit-below-chart', ...limit }));
}

function judgeLimit(
  limit: Limit,
  forecasts: readonly MigrationForecast[],
  total: TimeRange,
): readonly Judgement<StartupTimeEvidence>[] {
  const about = { subject: limit.migrator } as const;
  // Helm's timeout can be changed on its command line, and that cannot be read beforehand.
  const never =
    limit.limit === 'helm-timeout'
      ? undefined
      : forecasts.find(({ lowSeconds }) => lowSeconds > limit.seconds);
  if (never !== undefined) {
    return [
      { status: 'stop', ...about, evidence: { kind: 'migration-outlasts-limit', forecast: never, ...limit } },
    ];
  }
  if (total.highSeconds !== null && total.highSeconds <= limit.seconds) return [];
  const evidence = { total, migrations: forecasts.length, ...limit };
  return [{ status: 'warn', ...about, evidence: { kind: 'migrations-may-outlast-limit', ...evidence } }];
}

type Facts = Given<'deployment' | 'workloads', 'helm', 'chartValues' | 'stated'>['facts'];

function limitsOf(facts: Facts): readonly Limit[] {
  const { deployment, workloads } = facts;
  if (deployment.kind === 'compose') return [];
  const jobs = migrationJobs(workloads);
  const unseenJob = upgradeJobs(workloads).length === 0 && migrationJobState(facts) !== 'off';
  return [
    ...[...bootMigrators(workloads), ...startsSomething(workloads)].flatMap(({ workload, container }) =>
      probeLimit(container).map((limit) => ({
        migrator: nameOf(workload),
        ...limit,
        path: limit.limit === 'startup-probe' ? pathOfBackendValues(workload, facts) : null,
      })),
    ),
    ...jobs.flatMap(jobLimits),
    ...(unseenJob ? [helmTimeout('the migration job')] : []),
  ];
}

/** What a backend starts in place of the entrypoint may migrate too if it is not known what it is. */
function startsSomething(workloads: Facts['workloads']): readonly LightdashContainer[] {
  return servingContainers(workloads).filter(
    ({ workload, container }) => workload.role === 'backend' && container.starts === 'other',
  );
}

/** The liveness probe waits until the startup probe has succeeded; init containers are not probed. */
function probeLimit({
  init,
  startupProbe,
  livenessProbe,
}: ContainerFact): readonly Omit<Limit, 'migrator' | 'path'>[] {
  const probe = startupProbe ?? livenessProbe;
  if (init || probe === null) return [];
  const seconds = probe.initialDelaySeconds + probe.periodSeconds * probe.failureThreshold;
  return [
    startupProbe === null
      ? { limit: 'liveness-probe', seconds, periodSeconds: null }
      : { limit: 'startup-probe', seconds, periodSeconds: probe.periodSeconds },
  ];
}

function jobLimits({ workload }: LightdashContainer): readonly Limit[] {
  const migrator = nameOf(workload);
  const { activeDeadlineSeconds: deadline, hook } = workload;
  return [
    ...(deadline === null
      ? []
      : [{ migrator, limit: 'deadline' as const, seconds: deadline, periodSeconds: null, path: null }]),
    ...(hook === null ? [] : [helmTimeout(migrator)]),
  ];
}

function helmTimeout(migrator: string): Limit {
  return { migrator, limit: 'helm-timeout', seconds: helmTimeoutSeconds, periodSeconds: null, path: null };
}
