import { type Answers, defineCheck } from '../check.js';

export type PrimaryEvidence = { readonly kind: 'in-recovery' } | { readonly kind: 'is-primary' };

/** Whether the server can be written to. */
export const primary = defineCheck({
  id: 'primary',
  group: 'database',
  canStop: true,
  needs: ['server'],
  needsArtifacts: false,
  judge: ({ facts: { server } }): Answers<PrimaryEvidence> => [
    server.inRecovery
      ? { status: 'stop', subject: null, evidence: { kind: 'in-recovery' } }
      : { status: 'ok', subject: null, evidence: { kind: 'is-primary' } },
  ],
});
