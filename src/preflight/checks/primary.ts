import { type Answers, defineCheck } from '../check.js';

export type PrimaryEvidence =
  | { readonly kind: 'in-recovery' }
  | { readonly kind: 'begins-read-only'; readonly role: string }
  | { readonly kind: 'is-primary'; readonly role: string };

/** Whether the server can be written to. */
export const primary = defineCheck({
  id: 'primary',
  group: 'database',
  canStop: true,
  needs: ['server', 'migrator'],
  needsArtifacts: false,
  judge({ facts: { server, migrator } }): Answers<PrimaryEvidence> {
    const { name: role, readOnly } = migrator;
    if (server.inRecovery) return [{ status: 'stop', subject: null, evidence: { kind: 'in-recovery' } }];
    return readOnly
      ? [{ status: 'stop', subject: role, evidence: { kind: 'begins-read-only', role } }]
      : [{ status: 'ok', subject: null, evidence: { kind: 'is-primary', role } }];
  },
});
