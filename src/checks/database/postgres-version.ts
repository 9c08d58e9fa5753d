import type { FactOf } from '../../instance/facts/needs.js';
import { defineCheck, ok, stop } from '../check.js';

/** The oldest major version that the start check of every release since 1.125.0 accepts. */
export const minimumMajor = 12;

export function majorVersionOf({ versionNum }: FactOf<'server'>): number {
  return Math.floor(versionNum / 10_000);
}

const describe = ({ major, minimum }: { readonly major: number; readonly minimum: number }) =>
  `PostgreSQL ${major} runs; ${minimum} or later is needed`;

export const postgresVersion = defineCheck({
  id: 'postgres-version',
  needs: ['server'],
  *judge({ facts: { server } }) {
    const major = majorVersionOf(server);
    const subject = `PostgreSQL ${major}`;
    const evidence = { major, minimum: minimumMajor };
    if (major < minimumMajor) yield stop(subject, { kind: 'postgres-too-old', ...evidence });
    return ok({ kind: 'postgres-new-enough', ...evidence }, subject);
  },
})({
  label: 'PostgreSQL version',
  meaning:
    'Whether the server is new enough for the target. What it looks at: server_version_num. The start check of ' +
    'releases since 1.125.0 requires PostgreSQL 12 or later.',
  finds: {
    'postgres-too-old': {
      meaning: 'The server is older than the target supports.',
      remedy: 'Upgrade PostgreSQL first: pg_upgrade, or dump and restore.',
      describe,
    },
    'postgres-new-enough': describe,
  },
});
