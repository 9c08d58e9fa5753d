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
    const findings: Judgement<PrimaryEvidence>[] = replication.subscriptions.map((subscription) => ({
      status: 'stop',
      subject: subscription,
      evidence: { kind: 'ledger-subscribed', subscription },
    }));
    if (readOnly)
      findings.unshift({ status: 'stop', subject: role, evidence: { kind: 'begins-read-only', role } });
    if (server.inRecovery)
      findings.unshift({ status: 'stop', subject: null, evidence: { kind: 'in-recovery' } });
    return foundOrOk(findings, { kind: 'is-primary', role });
  },
});
