import { defineCheck, ok, stop } from './check.js';

/** The oldest major version that the start check of every release since 1.125.0 accepts. */
export const minimumMajor = 12;

interface Kinds {
  'postgres-too-old': { major: number; minimum: number };
  'postgres-new-enough': { major: number; minimum: number };
}

export const postgresVersion = defineCheck<Kinds>()({
  id: 'postgres-version',
  group: 'database',
  needs: ['server'],
  judge({ facts: { server } }) {
    const major = Math.floor(server.versionNum / 10_000);
    const evidence = { major, minimum: minimumMajor };
    return major < minimumMajor
      ? [stop(`PostgreSQL ${major}`, { kind: 'postgres-too-old', ...evidence })]
      : [ok({ kind: 'postgres-new-enough', ...evidence }, `PostgreSQL ${major}`)];
  },
  label: 'PostgreSQL version',
  meaning: 'Whether the server is new enough for the target.',
  looksAt: 'server_version_num; the start check of releases since 1.125.0 requires PostgreSQL 12 or later.',
  finds: {
    'postgres-too-old': {
      meaning: 'The server is older than the target supports.',
      remedy: 'Upgrade PostgreSQL first: pg_upgrade, or dump and restore.',
      describe: ({ major, minimum }) => `PostgreSQL ${major} runs, and ${minimum} or later is needed`,
    },
    'postgres-new-enough': ({ major, minimum }) =>
      `PostgreSQL ${major} runs, and ${minimum} or later is needed`,
  },
});
