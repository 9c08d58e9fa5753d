import { underKeys } from '../../core/text/quoted-words.js';
import { pendingWork } from '../../instance/backfills/pending.js';
import {
  type LightdashContainer,
  migrationJobs,
  runsLightdash,
  servingContainers,
  upgradeJobs,
} from '../../instance/facts/lightdash-containers.js';
import { forecast, type MigrationForecast } from '../../instance/forecast/forecast.js';
import { inTurn, type TimeRange } from '../../instance/forecast/work-time.js';
import { artifactsNotSeen } from '../../instance/ledger.js';
import { listsMigrations, migrationsOf } from '../../instance/release-line.js';
import {
  bootMigrators,
  migrationJobState,
  pathOfBackendValues,
  swarmNotSeen,
  workloadName,
  workloadsNotSeen,
} from '../../instance/workloads.js';
import { countOf } from '../../words/phrase.js';
import { describeForecast, describeTime, describeWithLocks } from '../../words/route/downtime.js';
import { type CheckInput, defineCheck, lacks, ok, stop, warn } from '../check.js';

/** How long Helm waits for a hook without `--timeout`. */
const helmTimeoutSeconds = 300;

/** The seconds that the startup probe of the publisher's chart allows by default. */
const chartStartupSeconds = 185;

/** The limits that end the migrator, or the wait for it. */
type LimitKind = 'startup-probe' | 'liveness-probe' | 'progress-deadline' | 'deadline' | 'helm-timeout';

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

const limitWords: Record<LimitKind, string> = {
  'startup-probe': 'the startup probe gives',
  'liveness-probe': 'the liveness probe (there is no startup probe) gives',
  'progress-deadline': 'progressDeadlineSeconds gives',
  deadline: 'activeDeadlineSeconds gives',
  'helm-timeout': 'without --timeout, Helm waits for',
};

const remedies: Record<LimitKind, string> = {
  'startup-probe':
    'For the upgrade, allow the startup probe enough failures, or run the migrations as a job (migrationJob.enabled).',
  'liveness-probe':
    'Give the container a startup probe that waits long enough: the liveness probe starts after it. Or run the ' +
    'migrations as a job.',
  'progress-deadline':
    'Give the Deployment a longer progressDeadlineSeconds. Once it has passed, the migration continues, but ' +
    'kubectl rollout status and Helm count the rollout as failed.',
  deadline: 'Give the job a longer activeDeadlineSeconds, or none.',
  'helm-timeout':
    'Call Helm with --timeout 24h, as lightspan upgrade-plan shows. If Helm gives up, the job continues, and ' +
    'the release counts as failed.',
};

const describeLimit = ({ migrator, limit, seconds }: Pick<Limit, 'migrator' | 'limit' | 'seconds'>) =>
  `${limitWords[limit]} ${migrator} ${countOf(seconds, 'second')}`;

/** The time that the plan lets Helm wait. */
const daySeconds = 86_400;

const giveTime = {
  remedy: remedies['startup-probe'],
  advise: ({ limit }: Pick<Limit, 'limit'>) => remedies[limit],
  values({ periodSeconds, path }: Pick<Limit, 'periodSeconds' | 'path'>) {
    if (periodSeconds === null || path === null) return [];
    const failures = Math.ceil(daySeconds / Math.max(1, periodSeconds));
    return underKeys([...path, 'lightdashBackend', 'startupProbe'], [`failureThreshold: ${failures}`]);
  },
};

export const startupTime = defineCheck({
  id: 'startup-time',
  needs: ['deployment', 'workloads'],
  needsOrAbsent: ['helm'],
  mayNeed: [
    ...([
      'chartValues',
      'stated',
      'ledger',
      'tables',
      'indexes',
      'backfillRows',
      'readRate',
      'sortRate',
    ] as const),
    'artifacts',
  ],
  *judge(input) {
    const { facts, line } = input;
    const { deployment, workloads, ledger, tables, indexes, backfillRows } = facts;
    const { readRate = null, sortRate = null } = facts;
    const lacking = workloadsNotSeen(deployment, workloads);
    if (lacking.length > 0) return yield* lacking;
    const limits = limitsOf(facts);
    const [shortest] = [...limits].sort((a, b) => a.seconds - b.seconds);
    if (shortest === undefined) {
      yield* swarmNotSeen(workloads.filter(runsLightdash), 'ends containers whose health check fails');
      return ok({ kind: 'nothing-limits-migrations' });
    }
    // If a release does not list its migrations, the time they take is not known.
    const listsAll = line.span.every(listsMigrations) && line.missingRanges.length === 0;
    if (ledger == null || tables == null || indexes == null) {
      const mayMigrate = !listsAll || line.span.some((release) => migrationsOf(release).length > 0);
      for (const limit of limits) {
        // The publisher's default has to do for most instances: only less than that is reported.
        if (mayMigrate && limit.seconds < chartStartupSeconds)
          yield warn(limit.migrator, { kind: 'limit-below-chart', ...limit });
      }
      return yield* (['ledger', 'tables', 'indexes'] as const)
        .filter((key) => facts[key] == null)
        .map((key) => lacks(key));
    }
    const pending = pendingWork({ ...input, facts: { ledger } });
    const forecasts = forecast(pending, { tables, indexes, backfillRows, readRate, sortRate });
    const total = inTurn(forecasts);
    for (const limit of limits) yield* judgeLimit(limit, forecasts, total);
    if (!listsAll) yield artifactsNotSeen(line.span);
    return ok({ kind: 'migrations-end-in-time', total, ...shortest });
  },
})({
  label: 'Time to migrate in',
  meaning:
    'Whether the migrator is allowed as long as its migrations may take. What it looks at: Who migrates, and ' +
    'what could end it. For pods: their startup probe (initialDelaySeconds and failureThreshold times ' +
    `periodSeconds; ${chartStartupSeconds} seconds by default of the chart) or, without one, their liveness ` +
    `probe; and their progressDeadlineSeconds if that is less. For a job: its activeDeadlineSeconds and the timeout of Helm (${helmTimeoutSeconds} seconds by ` +
    'default). This is compared with how long migration-time says the pending migrations take. Without facts ' +
    'of a database, less than the default of the chart is a warning. Compose ends nothing.',
  finds: {
    'migration-outlasts-limit': {
      meaning: 'A migration takes longer than it is allowed, so it is killed again and again (helm #98).',
      describe: ({ forecast, ...limit }) =>
        `${forecast.migration}: ${describeForecast(forecast)}; ${describeLimit(limit)}`,
      ...giveTime,
    },
    'migrations-may-outlast-limit': {
      meaning: 'Migrations may take longer than allowed, or there is no upper limit for their time.',
      describe: ({ total, migrations, ...limit }) =>
        `${countOf(migrations, 'pending migration')}: ${describeTime(total)}; ${describeLimit(limit)}`,
      ...giveTime,
    },
    'limit-below-chart': {
      meaning:
        'It has less time than the default of the chart allows, and the time that migrations take is not known (helm #98).',
      describe: (limit) =>
        `${describeLimit(limit)}, less than the ${chartStartupSeconds} seconds of the chart, and how long migrations ` +
        'take is not known',
      ...giveTime,
    },
    'migrations-end-in-time': ({ total, ...limit }) =>
      `${describeLimit(limit)}; migrations take ${describeWithLocks(total)}`,
    'nothing-limits-migrations': 'Nothing ends the migrator, however long it takes.',
  },
});

function* judgeLimit(limit: Limit, forecasts: readonly MigrationForecast[], total: TimeRange) {
  const { migrator, seconds } = limit;
  const never = forecasts.find(({ lowSeconds }) => lowSeconds > seconds);
  const evidence = { total, migrations: forecasts.length, ...limit };
  // Helm's timeout can be changed on its command line, and that cannot be read beforehand. A deadline for progress ends
  // nothing.
  const ends = limit.limit !== 'helm-timeout' && limit.limit !== 'progress-deadline';
  if (never !== undefined && ends)
    yield stop(migrator, { kind: 'migration-outlasts-limit', forecast: never, ...limit });
  else if (total.highSeconds === null || total.highSeconds > seconds)
    yield warn(migrator, { kind: 'migrations-may-outlast-limit', ...evidence });
}

type Facts = CheckInput<'deployment' | 'workloads', 'helm', 'chartValues' | 'stated'>['facts'];

function limitsOf(facts: Facts): readonly Limit[] {
  const { deployment, workloads } = facts;
  if (deployment.kind === 'compose') return [];
  // What a backend starts in place of the entrypoint may migrate too if it is not known what it is.
  const maybe = servingContainers(workloads).filter(
    ({ workload, container }) => workload.role === 'backend' && container.starts === 'other',
  );
  const unseenJob = upgradeJobs(workloads).length === 0 && migrationJobState(facts) !== 'off';
  return [
    ...[...bootMigrators(workloads), ...maybe].flatMap((container) => probeLimit(container, facts)),
    ...migrationJobs(workloads).flatMap(jobLimits),
    ...(unseenJob ? [limitOf('the migration job', 'helm-timeout', helmTimeoutSeconds)] : []),
  ];
}

/** The liveness probe waits until the startup probe has succeeded; init containers are not probed. */
function probeLimit({ workload, container }: LightdashContainer, facts: Facts): readonly Limit[] {
  const { init, startupProbe, livenessProbe } = container;
  const probe = startupProbe ?? livenessProbe;
  if (init || probe === null) return [];
  const { periodSeconds, failureThreshold, initialDelaySeconds } = probe;
  const seconds = initialDelaySeconds + periodSeconds * failureThreshold;
  const deadline = workload.rollout?.progressDeadlineSeconds ?? seconds;
  const migrator = workloadName(workload);
  // A probe that gives less ends the migrator before.
  const progress = deadline < seconds ? [limitOf(migrator, 'progress-deadline', deadline)] : [];
  if (startupProbe === null) return [limitOf(migrator, 'liveness-probe', seconds), ...progress];
  const path = pathOfBackendValues(workload, facts);
  return [{ ...limitOf(migrator, 'startup-probe', seconds), periodSeconds, path }, ...progress];
}

function jobLimits({ workload }: LightdashContainer): readonly Limit[] {
  const { activeDeadlineSeconds: deadline, hook } = workload;
  const migrator = workloadName(workload);
  return [
    ...(deadline === null ? [] : [limitOf(migrator, 'deadline', deadline)]),
    ...(hook === null ? [] : [limitOf(migrator, 'helm-timeout', helmTimeoutSeconds)]),
  ];
}

function limitOf(migrator: string, limit: LimitKind, seconds: number): Limit {
  return { migrator, limit, seconds, periodSeconds: null, path: null };
}
