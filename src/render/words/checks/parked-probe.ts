import type { ParkedProbeEvidence } from '../../../preflight/checks/parked-probe.js';
import { firstWith } from '../../../preflight/runtime-eras.js';
import { type CheckWords, migrate } from './check-words.js';

const parked = ({ version, migration }: { readonly version: string; readonly migration: string | null }) =>
  `the newest run, of ${version}, is parked${migration === null ? '' : ` at ${migration}`}`;

const mend =
  'Mend what the log of the migration names, and let a run succeed. Until then let the readiness probe ask /api/v1/health.';

export const parkedProbeWords: CheckWords<ParkedProbeEvidence> = {
  label: 'Readiness with a parked migration',
  meaning: 'Whether a parked migration takes all pods out of service.',
  looksAt: `The newest run in migration_run_ledger. From ${firstWith.readyz} to before ${firstWith.readyzWarns} every pod says that it is not ready while that run is parked, old pods too; an unlock alone does not change it.`,
  finds: {
    'probe-fails-on-parked': {
      meaning:
        'The newest run is parked, and the release that runs calls itself not ready for it. Where its probe asks /api/v1/readyz, no pod is in service.',
      remedy: mend,
      describe: ({ from, ...run }) => `${parked(run)}; ${from} calls itself not ready for that`,
      pasteIn: 'image',
      commands: () => [migrate('status --json')],
    },
    'probe-would-fail-on-parked': {
      meaning:
        'The newest run is parked, and the target calls itself not ready for it until a run has succeeded.',
      remedy: `${mend} Or choose a target of ${firstWith.readyzWarns} or later.`,
      describe: ({ to, ...run }) =>
        `${parked(run)}; ${to} calls itself not ready for that until a run succeeds`,
      pasteIn: 'image',
      commands: () => [migrate('status --json')],
    },
    'run-parked': {
      meaning: 'The newest run is parked. Neither release calls itself not ready for that.',
      remedy: 'Read in the log why it failed, and whether the target mends it.',
      describe: parked,
    },
    'no-run-parked': {
      meaning: 'The newest run of migrations is not parked, or none was ever recorded.',
      describe: () => 'no parked run makes pods unready',
    },
  },
};
