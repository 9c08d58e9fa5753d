import {
  chartStartupSeconds,
  helmTimeoutSeconds,
  type LimitKind,
  type StartupTimeEvidence,
} from '../../../preflight/checks/startup-time.js';
import { countOf, number } from '../../phrase.js';
import { underKeys } from '../../yaml-map.js';
import { describeForecast, describeTime, lockWaits } from '../forecast.js';
import type { CheckWords } from './check-words.js';

interface Limit {
  readonly migrator: string;
  readonly limit: LimitKind;
  readonly seconds: number;
  readonly periodSeconds: number | null;
  readonly path: readonly string[] | null;
}

const limitWords: Record<LimitKind, string> = {
  'startup-probe': 'the startup probe gives',
  'liveness-probe': 'the liveness probe, because there is no startup probe, gives',
  deadline: 'activeDeadlineSeconds gives',
  'helm-timeout': 'without --timeout Helm waits for',
};

const remedies: Record<LimitKind, string> = {
  'startup-probe':
    'For the upgrade, allow the startup probe as many failures as needed, or run the migrations as a job (migrationJob.enabled).',
  'liveness-probe':
    'Give the container a startup probe that waits as long as needed: the liveness probe begins after it. Or run the migrations as a job.',
  deadline: 'Give the job a longer activeDeadlineSeconds, or none.',
  'helm-timeout':
    'Call Helm with --timeout 24h, as lightspan upgrade-plan shows. If Helm gives up, the job continues, and the release counts as failed.',
};

const given = ({ migrator, limit, seconds }: Pick<Limit, 'migrator' | 'limit' | 'seconds'>) =>
  `${limitWords[limit]} ${migrator} ${number(seconds)} s`;

/** The time that the plan lets Helm wait. */
const daySeconds = 86_400;

const giveTime = {
  pasteIn: 'values' as const,
  commands: ({ periodSeconds, path }: Pick<Limit, 'periodSeconds' | 'path'>) =>
    periodSeconds === null || path === null
      ? []
      : underKeys(
          [...path, 'lightdashBackend', 'startupProbe'],
          [`failureThreshold: ${Math.ceil(daySeconds / Math.max(1, periodSeconds))}`],
        ),
};

export const startupTimeWords: CheckWords<StartupTimeEvidence> = {
  label: 'Time to migrate in',
  meaning: 'Whether what migrates is allowed as long as its migrations may take.',
  looksAt: `Who migrates, and what ends it: where pods do, their startup probe (initialDelaySeconds and failureThreshold times periodSeconds; by default of the chart ${chartStartupSeconds} s), or, without one, their liveness probe; where a job does, its activeDeadlineSeconds and the timeout of Helm (${helmTimeoutSeconds} s by default). This is compared with how long the pending migrations take, as migration-time estimates it. Without facts of a database, less than the default of the chart is a warning. Compose ends nothing.`,
  finds: {
    'migration-outlasts-limit': {
      meaning:
        'A pending migration takes longer than what runs it is allowed, even at the least. It is killed, begins again, and is killed again; the lock may stay held (helm #98).',
      remedy: remedies['startup-probe'],
      advise: ({ limit }) => remedies[limit],
      describe: ({ forecast, ...limit }) =>
        `${forecast.migration}: ${describeForecast(forecast)}; ${given(limit)}`,
      ...giveTime,
    },
    'migrations-may-outlast-limit': {
      meaning:
        'The pending migrations may take longer than what runs them is allowed: the upper limit of their time exceeds it, or there is none.',
      remedy: remedies['startup-probe'],
      advise: ({ limit }) => remedies[limit],
      describe: ({ total, migrations, ...limit }) =>
        `${countOf(migrations, 'pending migration')}: ${describeTime(total)}; ${given(limit)}`,
      ...giveTime,
    },
    'limit-below-chart': {
      meaning:
        'What migrates is allowed less than by the default of the chart, and without facts of the database it is not known how long the migrations take. If it is killed, it begins again, and is killed again; the lock may stay held (helm #98).',
      remedy: remedies['startup-probe'],
      advise: ({ limit }) => remedies[limit],
      describe: (limit) =>
        `${given(limit)}, less than the ${chartStartupSeconds} s of the chart, and how long migrations take was not seen`,
      ...giveTime,
    },
    'migrations-end-in-time': {
      meaning: 'The pending migrations end before what runs them is stopped, not counting waits for locks.',
      describe: ({ total, ...limit }) => `${describeTime(total)}; ${given(limit)}; ${lockWaits}`,
    },
    'nothing-limits-migrations': {
      meaning: 'Nothing ends what migrates, however long it takes.',
      describe: () => 'nothing ends what migrates',
    },
  },
};
