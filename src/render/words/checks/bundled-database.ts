import { chartWith } from '../../../preflight/chart-eras.js';
import type { BundledDatabaseEvidence } from '../../../preflight/checks/bundled-database.js';
import { listNames } from '../lists.js';
import type { CheckWords } from './check-words.js';

const runs = ({ workload, image }: { readonly workload: string; readonly image: string }) =>
  `${workload} runs ${image}`;

export const bundledDatabaseWords: CheckWords<BundledDatabaseEvidence> = {
  label: 'Bundled database',
  meaning: 'Whether a PostgreSQL that is deployed with Lightdash survives the upgrade.',
  looksAt: `Workloads and services with an image of PostgreSQL: whether they are hooks of an upgrade, as in charts before ${chartWith.lastingDatabase} (helm PR#154), whether the image names a major version (#7101), the one that the server has, and whether it has the extension vector. Hooks are left out of what helm get manifest prints.`,
  finds: {
    'database-recreated': {
      meaning: `The database is a hook of the upgrade, which recreates it. Meanwhile no pod has a database (helm PR#154, charts before ${chartWith.lastingDatabase}).`,
      remedy: `Upgrade the chart to ${chartWith.lastingDatabase} or newer first, with image.tag held at the running release, in a downtime and after a backup; or move to an external database.`,
      describe: ({ workload, chart }) =>
        `${workload} is recreated by each upgrade${chart === null ? '' : ` with chart ${chart}`}`,
    },
    'database-image-floats': {
      meaning:
        'The image of the database names no major version of PostgreSQL. The next pull may bring another one, which does not start on this data (lightdash #7101).',
      remedy:
        'Name the major version of the data, such as pgvector/pgvector:pg16. SHOW server_version shows it, and so does PG_VERSION in the data folder.',
      describe: (about) => `${runs(about)}, which names no major version`,
    },
    'database-major-changes': {
      meaning:
        'The image of the database has another major version than the running server. It does not start on this data.',
      remedy:
        'Name the running major version; upgrade PostgreSQL on its own, by pg_upgrade or by dump and restore.',
      describe: ({ imageMajor, serverMajor, ...about }) =>
        `${runs(about)}, which is PostgreSQL ${imageMajor}, and the data is of ${serverMajor}`,
    },
    'database-without-vector': {
      meaning: 'The image of the database does not have the extension vector, which the target needs.',
      remedy: 'Use pgvector/pgvector of the same major version: it starts on the same data.',
      describe: (about) => `${runs(about)}, which does not have vector`,
    },
    'database-kept': {
      meaning: 'The upgrade leaves the database alone, and its image names its major version.',
      describe: ({ workloads, images }) =>
        `${listNames(workloads)} ${workloads.length === 1 ? 'is' : 'are'} kept (${listNames(images)})`,
    },
    'no-bundled-database': {
      meaning: 'No PostgreSQL is deployed with Lightdash.',
      describe: () => 'no PostgreSQL is deployed with it',
    },
  },
};
