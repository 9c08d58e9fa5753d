import type { ParkedProbeEvidence } from '../../../preflight/checks/parked-probe.js';
import { firstWith } from '../../../preflight/runtime-eras.js';
import { type CheckWords, migrate } from './check-words.js';

const parked = ({ version, migration }: { readonly version: string; readonly migration: string | null }) =>
  `the newest run, of ${version}, is parked${migration === null ? '' : ` at ${migration}`}`;

const mend =
  'Fix what the log of the migration names, and let a run succeed. Until then, point the readiness probe at /api/v1/health.';

export const parkedProbeWords: CheckWords<ParkedProbeEvidence> = {
  label: 'Readiness with a parked migration',
  meaning: 'Whether a parked migration takes all pods out of service.',
  looksAt: `The newest run in migration_run_ledger. From ${firstWith.readyz} to before ${firstWith.readyzWarns} every pod reports not ready while that run is parked, old pods too; an unlock alone does not change it.`,
  finds: {
    'probe-fails-on-parked': {
      meaning:
        'The newest run is parked, and the running release reports not ready because of it. If its probe requests /api/v1/readyz, no pod is in service.',
      remedy: mend,
      describe: ({ from, ...run }) => `${parked(run)}; ${from} reports not ready because of it`,
      pasteIn: 'image',
      commands: () => [migrate('status --json')],
    },
    'probe-would-fail-on-parked': {
      meaning:
        'The newest run is parked, and the target reports not ready because of it until a run has succeeded.',
      remedy: `${mend} Or choose a target of ${firstWith.readyzWarns} or later.`,
      describe: ({ to, ...run }) =>
        `${parked(run)}; ${to} reports not ready because of it until a run succeeds`,
      pasteIn: 'image',
      commands: () => [migrate('status --json')],
    },
    'run-parked': {
      meaning: 'The newest run is parked. Neither release reports not ready because of it.',
      remedy: 'Find out from the log why it failed, and whether the target fixes it.',
      describe: parked,
    },
    'no-run-parked': {
      meaning: 'The newest run of migrations is not parked, or none was ever recorded.',
      describe: () => 'no parked run makes pods unready',
    },
  },
};
