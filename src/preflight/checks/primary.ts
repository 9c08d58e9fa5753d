import { type Answers, defineCheck, foundOrOk, type Judgement, stop } from '../check.js';

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
    if (server.inRecovery) findings.push(stop(null, { kind: 'in-recovery' }));
    if (readOnly) findings.push(stop(role, { kind: 'begins-read-only', role }));
    for (const subscription of replication.subscriptions) {
      findings.push(stop(subscription, { kind: 'ledger-subscribed', subscription }));
    }
    return foundOrOk(findings, { kind: 'is-primary', role });
  },
});
