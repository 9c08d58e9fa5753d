import type { FactOf } from '../facts/needs.js';
import { defineCheck, ok, stop } from './check.js';

/** The oldest major version that the start check of every release since 1.125.0 accepts. */
export const minimumMajor = 12;

export function majorVersionOf({ versionNum }: FactOf<'server'>): number {
  return Math.floor(versionNum / 10_000);
}

interface Version {
  readonly major: number;
  readonly minimum: number;
}

interface Kinds {
  'postgres-too-old': Version;
  'postgres-new-enough': Version;
}

const describe = ({ major, minimum }: Version) =>
  `PostgreSQL ${major} runs, and ${minimum} or later is needed`;

export const postgresVersion = defineCheck<Kinds>()({
  id: 'postgres-version',
  needs: ['server'],
  judge({ facts: { server } }) {
    const major = majorVersionOf(server);
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
      describe,
    },
    'postgres-new-enough': describe,
  },
});
