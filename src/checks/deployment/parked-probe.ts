import { isOlder, type Version } from '../../core/version.js';
import { firstWith } from '../../instance/first-versions.js';
import { defineCheck, ok, stop, warn } from '../check.js';
import { migrate } from '../commands.js';

interface ParkedContainer {
  readonly version: string;
  readonly migration: string | null;
}

const parked = ({ version, migration }: ParkedContainer) =>
  `the newest run, of ${version}, is parked${migration === null ? '' : ` at ${migration}`}`;

const fix =
  'Fix what the migration log names, and let a run succeed. Until then, point the readiness probe at /api/v1/health.';

export const parkedProbe = defineCheck({
  id: 'parked-probe',
  needs: [],
  needsOrAbsent: ['runs'],
  *judge({ from, to, facts: { runs } }) {
    const newest = runs?.newest;
    if (newest?.outcome !== 'parked') return ok({ kind: 'no-run-parked' });
    const subject = 'migration_run_ledger';
    const parked = { version: newest.appVersion, migration: newest.failingMigration };
    if (failsOnParked(from)) yield stop(subject, { kind: 'probe-fails-on-parked', from, ...parked });
    else if (failsOnParked(to)) yield stop(subject, { kind: 'probe-would-fail-on-parked', to, ...parked });
    else yield warn(subject, { kind: 'run-parked', ...parked });
  },
})({
  label: 'Readiness with a parked migration',
  meaning:
    'Whether a parked migration takes all pods out of service. What it looks at: The newest run in ' +
    `migration_run_ledger. From ${firstWith.readyz} to before ${firstWith.readyzWarns}, every pod reports not ` +
    'ready while that run is parked, old pods too. Unlocking alone does not change that.',
  traitsOf: { 'run-parked': { afterUpgrade: 'stop' } },
  finds: {
    'probe-fails-on-parked': {
      meaning: 'The newest run is parked, so the running release reports not ready on /api/v1/readyz.',
      remedy: fix,
      describe: ({ from, ...run }) => `${parked(run)}; ${from} reports not ready because of it`,
      image: () => [migrate('status --json')],
    },
    'probe-would-fail-on-parked': {
      meaning: 'The newest run is parked, and the target reports not ready until a run has succeeded.',
      remedy: `${fix} Or choose a target of ${firstWith.readyzWarns} or later.`,
      describe: ({ to, ...run }) =>
        `${parked(run)}; ${to} reports not ready because of it until a run succeeds`,
      image: () => [migrate('status --json')],
    },
    'run-parked': {
      meaning: 'The newest run is parked. Neither release reports not ready because of it.',
      remedy: 'Find out from the log why it failed and whether the target fixes it.',
      describe: parked,
    },
    'no-run-parked': 'No parked run makes pods unready.',
  },
});

function failsOnParked(version: Version): boolean {
  return !isOlder(version, firstWith.readyz) && isOlder(version, firstWith.readyzWarns);
}
