import { type Answers, defineCheck, foundOrOk, type Judgement } from '../check.js';

export type PrimaryEvidence =
  | { readonly kind: 'in-recovery' }
  | { readonly kind: 'begins-read-only'; readonly role: string }
  | { readonly kind: 'ledger-subscribed'; readonly subscription: string }
  | { readonly kind: 'is-primary'; readonly role: string };

/** Whether the server can be written to. */
export const primary = defineCheck({
  id: 'primary',
  group: 'database',
  canStop: true,
  needs: ['server', 'migrator', 'replication'],
  needsArtifacts: false,
  judge({ facts: { server, migrator, replication } }): Answers<PrimaryEvidence> {
    const { name: role, readOnly } = migrator;
    const findings: Judgement<PrimaryEvidence>[] = [];
    if (server.inRecovery)
      findings.push({ status: 'stop', subject: null, evidence: { kind: 'in-recovery' } });
    if (readOnly)
      findings.push({ status: 'stop', subject: role, evidence: { kind: 'begins-read-only', role } });
    for (const subscription of replication.subscriptions) {
      const evidence = { kind: 'ledger-subscribed', subscription } as const;
      findings.push({ status: 'stop', subject: subscription, evidence });
    }
    return foundOrOk(findings, { kind: 'is-primary', role });
  },
});
