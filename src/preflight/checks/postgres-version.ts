import { type Answers, defineCheck, ok, stop } from '../check.js';

/** The oldest major version that the start check of every release since 1.125.0 accepts. */
export const minimumMajor = 12;

export type PostgresVersionEvidence =
  | { readonly kind: 'postgres-too-old'; readonly major: number; readonly minimum: number }
  | { readonly kind: 'postgres-new-enough'; readonly major: number; readonly minimum: number };

/** Whether the target starts on this version of the server. */
export const postgresVersion = defineCheck({
  id: 'postgres-version',
  group: 'database',
  canStop: true,
  needs: ['server'],
  needsArtifacts: false,
  judge({ facts: { server } }): Answers<PostgresVersionEvidence> {
    const major = Math.floor(server.versionNum / 10_000);
    const evidence = { major, minimum: minimumMajor };
    return major < minimumMajor
      ? [stop(`PostgreSQL ${major}`, { kind: 'postgres-too-old', ...evidence })]
      : [ok({ kind: 'postgres-new-enough', ...evidence }, `PostgreSQL ${major}`)];
  },
});
