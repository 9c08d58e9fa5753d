import { type Answers, defineCheck, foundOrOk, warn } from '../check.js';

export type ReplicationSlotsEvidence =
  | {
      readonly kind: 'slot-inactive';
      readonly name: string;
      readonly keptBytes: number | null;
      readonly logical: boolean;
    }
  | {
      readonly kind: 'slot-behind';
      readonly name: string;
      readonly walStatus: string;
      readonly keptBytes: number | null;
    }
  | { readonly kind: 'slots-follow'; readonly slots: number };

/**
 * Whether the server keeps WAL for a replica that does not take it: a migration that rewrites a table writes much WAL.
 */
export const replicationSlots = defineCheck({
  id: 'replication-slots',
  group: 'database',
  canStop: false,
  needs: ['replication'],
  needsArtifacts: false,
  judge({ facts: { replication } }): Answers<ReplicationSlotsEvidence> {
    const findings = replication.slots.flatMap(
      ({ name, kind, active, keptBytes, walStatus }): Answers<ReplicationSlotsEvidence> => {
        if (!active) {
          return [warn(name, { kind: 'slot-inactive', name, keptBytes, logical: kind === 'logical' })];
        }
        if (walStatus === null || walStatus === 'reserved') return [];
        return [warn(name, { kind: 'slot-behind', name, walStatus, keptBytes })];
      },
    );
    return foundOrOk(findings, { kind: 'slots-follow', slots: replication.slots.length });
  },
});
