import { type Answers, defineCheck } from '../check.js';

/** A migrator takes one to migrate and one of its own for the heartbeat of its lease. */
const forMigrator = 2;

interface Connections {
  readonly left: number;
  readonly used: number;
  readonly max: number;
}

export type ConnectionsEvidence =
  | ({ readonly kind: 'no-connections-left'; readonly needed: number } & Connections)
  | ({ readonly kind: 'few-connections-left' } & Connections)
  | ({ readonly kind: 'connections-left' } & Connections);

/** Whether there is room for the migrator, and for new pods beside the old ones. */
export const connections = defineCheck({
  id: 'connections',
  group: 'database',
  canStop: true,
  needs: ['server'],
  needsArtifacts: false,
  judge({ facts: { server } }): Answers<ConnectionsEvidence> {
    const { maxConnections: max, reservedConnections: reserved, usedConnections: used } = server;
    const room = { left: Math.max(0, max - reserved - used), used, max };
    const subject = 'max_connections';
    if (room.left < forMigrator) {
      return [
        { status: 'stop', subject, evidence: { kind: 'no-connections-left', needed: forMigrator, ...room } },
      ];
    }
    // While a release is rolled out, old and new pods are connected at once.
    if (room.left < used)
      return [{ status: 'warn', subject, evidence: { kind: 'few-connections-left', ...room } }];
    return [{ status: 'ok', subject, evidence: { kind: 'connections-left', ...room } }];
  },
});
