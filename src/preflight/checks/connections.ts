import { type Answers, defineCheck, foundOrOk, type Judgement, stop, warn } from '../check.js';

/** A migrator needs one to migrate and a separate one for the heartbeat of its lease. */
const forMigrator = 2;

interface Connections {
  /** What has this limit; a role and a database may have one of their own. */
  readonly of: 'server' | 'role' | 'database';
  readonly left: number;
  readonly used: number;
  readonly max: number;
}

export type ConnectionsEvidence =
  | ({ readonly kind: 'no-connections-left'; readonly needed: number } & Connections)
  | ({ readonly kind: 'few-connections-left' } & Connections)
  | ({ readonly kind: 'connections-left' } & Connections);

/** Whether there are enough connections for the migrator, and for new pods next to the old ones. */
export const connections = defineCheck({
  id: 'connections',
  group: 'database',
  canStop: true,
  needs: ['server', 'migrator'],
  needsArtifacts: false,
  judge({ facts: { server, migrator } }): Answers<ConnectionsEvidence> {
    const { maxConnections: max, reservedConnections: reserved, usedConnections: used } = server;
    const ofServer: Connections = { of: 'server', left: Math.max(0, max - reserved - used), used, max };
    const limited = migrator.connectionLimits.map(
      (limit): Connections => ({ ...limit, left: Math.max(0, limit.max - limit.used) }),
    );
    const findings = [ofServer, ...limited].flatMap((room): Judgement<ConnectionsEvidence>[] => {
      const subject = subjects[room.of];
      if (room.left < forMigrator) {
        return [stop(subject, { kind: 'no-connections-left', needed: forMigrator, ...room })];
      }
      // During a rollout, old and new pods are connected at once.
      return room.left < room.used ? [warn(subject, { kind: 'few-connections-left', ...room })] : [];
    });
    const least = limited.reduce((least, room) => (room.left < least.left ? room : least), ofServer);
    return foundOrOk(findings, { kind: 'connections-left', ...least }, subjects[least.of]);
  },
});

const subjects = {
  server: 'max_connections',
  role: 'CONNECTION LIMIT of the role',
  database: 'CONNECTION LIMIT of the database',
} as const;
